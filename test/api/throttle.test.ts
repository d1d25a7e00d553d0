import { expect, onTestFinished, test, vi } from "vitest";
import { createThrottle, type Throttle } from "../../src/api/throttle.ts";

// Vitest's fake timers do not replace node:timers/promises: this mock builds its setTimeout from the one they replace.
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

/** Whether ten requests may be sent at once. */
async function isAtFullSpeed(throttle: Throttle): Promise<boolean> {
  let hasWaited = false;
  setImmediate(() => {
    hasWaited = true;
  });
  await Promise.all(Array.from({ length: 10 }, () => throttle.wait(never)));
  return !hasWaited;
}

test("sends at full speed at first, slower after a 429, and at full speed again after enough other responses", async () => {
  const throttle = createThrottle();
  expect(await isAtFullSpeed(throttle)).toBe(true);
  throttle.onRateLimited(performance.now());
  expect(await isAtFullSpeed(throttle)).toBe(false);
  for (let count = 0; count < 100; count += 1) throttle.onAccepted();
  expect(await isAtFullSpeed(throttle)).toBe(true);
});

test("slows down once for all requests that were in flight together", async () => {
  const [once, often] = [createThrottle(), createThrottle()];
  const startedAt = performance.now() - 1;
  once.onRateLimited(startedAt);
  for (let count = 0; count < 50; count += 1) often.onRateLimited(startedAt);
  for (const throttle of [once, often]) {
    for (let count = 0; count < 100; count += 1) throttle.onAccepted();
    expect(await isAtFullSpeed(throttle)).toBe(true);
  }
});

test("rejects waiters when it is aborted", async () => {
  const throttle = createThrottle();
  for (let count = 0; count < 20; count += 1) throttle.onRateLimited(performance.now());
  const closing = new AbortController();
  const waiting = throttle.wait(closing.signal);
  closing.abort();
  await expect(waiting).rejects.toThrow("aborted");
});

test("lets waiters use the interval in force when their turn comes, so that their 429s do not slow it down again", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const throttle = createThrottle();
  throttle.onRateLimited(performance.now());
  const closing = new AbortController();
  let sent = 0;
  const waiting = Array.from({ length: 20 }, () =>
    throttle.wait(closing.signal).then(
      () => (sent += 1),
      () => {},
    ),
  );
  for (let count = 0; count < 9; count += 1) throttle.onRateLimited(performance.now());
  await vi.advanceTimersByTimeAsync(199);
  expect(sent).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toBe(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(sent).toBe(2);
  closing.abort();
  await Promise.all(waiting);
});
