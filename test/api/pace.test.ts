import { expect, it, onTestFinished, vi } from "vitest";
import { createPace, type Pace } from "../../src/api/pace.ts";

// Vitest's clock has no hold of Node's promised timers: here they are made of those that it has.
vi.mock("node:timers/promises", () => ({
  setTimeout: (milliseconds: number, _value: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise<void>((resolve, reject) => {
      if (signal.aborted) reject(signal.reason);
      const timer = setTimeout(resolve, milliseconds);
      signal.addEventListener("abort", () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    }),
}));

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
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
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
  await vi.advanceTimersByTimeAsync(199);
  expect(gone).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(gone).toBe(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(gone).toBe(2);
  closing.abort();
  await Promise.all(waiting);
});
