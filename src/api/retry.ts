import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import type { Settings } from "./client-options.ts";
import { CancelledError, ConfigurationError } from "./errors.ts";
import { parseHttpDate } from "./platform-clock.ts";
import { createThrottle } from "./throttle.ts";

/** The result of one attempt. */
export type Attempt<Value> =
  | { value: Value }
  | {
      error: Error;
      /** Whether another attempt is safe and may succeed. */
      isRetryable: boolean;
      /** Whether the status was 429. Absent where no response came. */
      isRateLimited?: boolean;
      retryAfterSeconds?: number | undefined;
    };

/** Runs attempts, numbered from 1, until one succeeds, fails for good or is the last. Rejects with the last attempt's error. */
export type Retry = <Value>(attempt: (number: number) => Promise<Attempt<Value>>) => Promise<Value>;

/**
 * Creates the retry loop that all calls of a client share. At most `settings.concurrency` attempts run at once; a pause
 * before a retry does not count. Once the platform limits the rate, attempts are spaced out.
 *
 * Once `settings.signal` is aborted, calls that wait or pause reject with `CancelledError`.
 *
 * @param closing aborted when the client is closed: calls that wait or pause then reject with `ConfigurationError`.
 */
export function createRetry(settings: Settings, closing: AbortSignal): Retry {
  const limit = pLimit(settings.concurrency);
  const throttle = createThrottle();
  const stopping = AbortSignal.any([closing, settings.signal]);
  const refuseWhenStopped = () => {
    refuseWhenClosed(closing);
    if (settings.signal.aborted) throw new CancelledError();
  };
  return async (attempt) => {
    for (let number = 1; ; number += 1) {
      const result = await limit(async () => {
        await throttle.wait(stopping).catch(() => {});
        refuseWhenStopped();
        const sentAt = performance.now();
        const ended = await attempt(number);
        if ("value" in ended || ended.isRateLimited === false) throttle.onAccepted();
        else if (ended.isRateLimited) throttle.onRateLimited(sentAt);
        return ended;
      });
      if ("value" in result) return result.value;
      if (!result.isRetryable || number >= settings.maxAttempts || stopping.aborted) throw result.error;
      const pauseSeconds = pauseBefore(number, result.retryAfterSeconds, settings);
      await sleep(pauseSeconds * 1000, undefined, { signal: stopping }).catch(refuseWhenStopped);
    }
  };
}

/**
 * Reads `Retry-After`: seconds or an HTTP date. A date is compared with the response's `Date`, where there is one.
 *
 * @returns undefined where the header is absent or invalid.
 */
export function retryAfterSecondsFrom(header: (name: string) => string | undefined): number | undefined {
  const text = header("retry-after")?.trim() ?? "";
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Number(text);
  const until = parseHttpDate(text);
  const now = parseHttpDate(header("date") ?? "") ?? Date.now();
  return until === undefined ? undefined : Math.max(0, (until - now) / 1000);
}

function pauseBefore(failedAttempts: number, retryAfterSeconds: number | undefined, settings: Settings): number {
  const { first, max } = settings.backoffSeconds;
  const jittered = Math.random() * Math.min(max, first * 2 ** (failedAttempts - 1));
  const requested = Math.min(retryAfterSeconds ?? 0, settings.maxRetryAfterSeconds);
  return Math.max(requested, jittered);
}

function refuseWhenClosed(closing: AbortSignal) {
  if (closing.aborted) {
    throw new ConfigurationError("The client is closed; no request was sent. Create another client.");
  }
}
