import { describe, expect, test } from "vitest";
import { agreeingResponses, clockToleranceSeconds, createPlatformClock } from "../../src/api/platform-clock.ts";

const noon = Date.parse("2026-03-02T12:00:00Z");
const day = 86_400;

/** What the clock shows after responses, on a machine that has noon at first: by the seconds that have passed, and the error. */
function shownAfter(...responses: readonly [atSeconds: number, errorSeconds: number][]) {
  let elapsed = 0;
  const clock = createPlatformClock({ now: () => noon + elapsed, elapsed: () => 7_000_000 + elapsed });
  for (const [at, error] of responses) {
    elapsed = at * 1000;
    clock.observe(new Date(noon + elapsed + error * 1000).toUTCString());
  }
  const seconds = (time: Date | undefined) => time && (time.getTime() - noon) / 1000;
  return { now: seconds(clock.now()), doubted: seconds(clock.doubted()?.shown), machine: clock.doubted()?.machine };
}

describe("a time that agrees with the machine's clock", () => {
  test("is believed at once, within the tolerance", () => {
    expect(shownAfter([0, 0])).toMatchObject({ now: 0, doubted: undefined });
    for (const error of [clockToleranceSeconds, -clockToleranceSeconds]) expect(shownAfter([0, error]).now).toBe(error);
  });

  test("shows that all others are wrong, however many there are", () => {
    expect(shownAfter([0, 0], [1, day], [8, day], [20, day], [40, day])).toMatchObject({ now: 0, doubted: undefined });
    expect(shownAfter([0, day], [1, 0], [2, day])).toMatchObject({ now: 1, doubted: undefined });
    expect(shownAfter([0, day], [5, day], [11, day], [12, 0], [13, day])).toMatchObject({ now: 12 });
  });
});

describe("a time that disagrees with the machine's clock", () => {
  test.each([day, -day, clockToleranceSeconds + 1])("is not believed alone: %d seconds away", (error) => {
    expect(shownAfter([0, error])).toEqual({ now: undefined, doubted: error, machine: new Date(noon) });
  });

  test("is not believed because of many responses in a short time, or few in a long one", () => {
    expect(shownAfter([0, day], [1, day], [2, day], [3, day], [9.9, day]).now).toBeUndefined();
    expect(shownAfter([0, day], [agreeingResponses.seconds, day]).now).toBeUndefined();
  });

  test("is believed once enough responses in a row agree for long enough, and then goes on with each", () => {
    expect(shownAfter([0, -day], [5, -day], [10, -day])).toMatchObject({ now: 10 - day, doubted: undefined });
    expect(shownAfter([0, day], [5, day + 100], [10, day], [11, day], [10.5, day]).now).toBe(11 + day);
  });

  test("is not believed if the responses show different times", () => {
    expect(shownAfter([0, day], [5, 2 * day], [10, 3 * day], [15, 4 * day]).now).toBeUndefined();
    expect(shownAfter([0, day], [4, -day], [8, day], [12, -day], [16, day])).toMatchObject({
      now: undefined,
      doubted: 16 + day,
    });
  });

  test("is left aside if it is another one than what is believed, until it is believed itself", () => {
    const row = (from: number, error: number): [number, number][] => [0, 5, 10].map((at) => [from + at, error]);
    expect(shownAfter(...row(0, day), [11, 9 * day], [12, day]).now).toBe(12 + day);
    expect(shownAfter(...row(0, day), ...row(11, 2 * day)).now).toBe(21 + 2 * day);
  });
});

test("a missing or invalid header shows nothing", () => {
  const clock = createPlatformClock({ now: () => noon, elapsed: () => 0 });
  for (const header of [undefined, "", "soon"]) clock.observe(header);
  expect([clock.now(), clock.doubted()]).toEqual([undefined, undefined]);
});
