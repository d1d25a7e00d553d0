import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { createPace, type Pace } from "../../src/api/pace.ts";

const never = new AbortController().signal;

/** Whether ten requests that want to go at once may. */
async function isAtFullSpeed(pace: Pace): Promise<boolean> {
  let hasWaited = false;
  setImmediate(() => {
    hasWaited = true;
  });
  await Promise.all(Array.from({ length: 10 }, () => pace.turn(never)));
  return !hasWaited;
}

it("is full speed at first, less after a refusal, and full speed again after enough that were not refused", async () => {
  const pace = createPace();
  expect(await isAtFullSpeed(pace)).toBe(true);
  pace.refused(performance.now());
  expect(await isAtFullSpeed(pace)).toBe(false);
  for (let count = 0; count < 100; count += 1) pace.accepted();
  expect(await isAtFullSpeed(pace)).toBe(true);
});

it("slows down once for all that were under way together", async () => {
  const [once, often] = [createPace(), createPace()];
  const startedAt = performance.now() - 1;
  once.refused(startedAt);
  for (let count = 0; count < 50; count += 1) often.refused(startedAt);
  for (const pace of [once, often]) {
    for (let count = 0; count < 100; count += 1) pace.accepted();
    expect(await isAtFullSpeed(pace)).toBe(true);
  }
});

it("lets nobody wait on once it is aborted", async () => {
  const pace = createPace();
  for (let count = 0; count < 20; count += 1) pace.refused(performance.now());
  const closing = new AbortController();
  const waiting = pace.turn(closing.signal);
  closing.abort();
  await expect(waiting).rejects.toThrow("aborted");
});

it("lets those that wait already go at the pace of then, so that their refusals are no news upon news", async () => {
  const pace = createPace();
  pace.refused(performance.now());
  const closing = new AbortController();
  let gone = 0;
  const waiting = Array.from({ length: 20 }, () =>
    pace.turn(closing.signal).then(
      () => (gone += 1),
      () => {},
    ),
  );
  for (let count = 0; count < 9; count += 1) pace.refused(performance.now());
  await sleep(250);
  expect(gone).toBeLessThan(3);
  closing.abort();
  await Promise.all(waiting);
});
