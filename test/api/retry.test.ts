import { expect, onTestFinished, test, vi } from "vitest";
import type { Settings } from "../../src/api/client-options.ts";
import { type Attempt, createRetry } from "../../src/api/retry.ts";
import type { Throttle } from "../../src/api/throttle.ts";
import { failureOf } from "../failure-of.ts";

const { pauses, reports } = vi.hoisted(() => ({ pauses: [] as number[], reports: [] as string[] }));

vi.mock("node:timers/promises", async (original) => ({
  ...(await original<object>()),
  setTimeout: async (milliseconds: number) => void pauses.push(milliseconds),
}));

vi.mock("../../src/api/throttle.ts", () => ({
  createThrottle: (): Throttle => ({
    wait: () => Promise.resolve(),
    onRateLimited: () => void reports.push("rate limited"),
    onAccepted: () => void reports.push("accepted"),
  }),
}));

const settings = {
  concurrency: 100,
  maxAttempts: 6,
  backoffSeconds: { first: 0.5, max: 3 },
  maxRetryAfterSeconds: 60,
  signal: new AbortController().signal,
} as Settings;
const never = new AbortController().signal;

function failing(more: object = {}): Attempt<never> {
  return { error: new Error("no"), isRetryable: true, ...more };
}

test("pauses are twice as long each time, up to the longest, and shorter at random", async () => {
  pauses.length = 0;
  const random = vi.spyOn(Math, "random").mockReturnValue(1);
  onTestFinished(() => random.mockRestore());
  await failureOf(createRetry(settings, never)(async () => failing()));
  expect(pauses).toEqual([500, 1000, 2000, 3000, 3000]);
  pauses.length = 0;
  random.mockReturnValue(0.5);
  await failureOf(createRetry({ ...settings, maxAttempts: 2 }, never)(async () => failing({ retryAfterSeconds: 0.1 })));
  expect(pauses).toEqual([250]);
});

test.each<[string, Attempt<number>, string[]]>([
  ["a success", { value: 1 }, ["accepted"]],
  ["a failure with another status than 429", failing({ isRetryable: false, isRateLimited: false }), ["accepted"]],
  ["429", failing({ isRetryable: false, isRateLimited: true }), ["rate limited"]],
  ["no response", failing({ isRetryable: false }), []],
])("the throttle learns of %s", async (_what, result, expected) => {
  reports.length = 0;
  await createRetry(settings, never)(async () => result).catch(() => {});
  expect(reports).toEqual(expected);
});
