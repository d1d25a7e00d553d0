import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import type { Settings } from "./client-options.ts";
import { ConfigurationError } from "./errors.ts";
import { createPace } from "./pace.ts";

/** How one attempt ended. */
export type Attempt<Value> =
  | { value: Value }
  | {
      error: Error;
      isWorthRepeating: boolean;
      /** Absent where there was no answer. */
      isRateLimited?: boolean;
      retryAfterSeconds?: number | undefined;
    };

/** Runs attempts, counted from 1, until one succeeds, is not worth repeating, or was the last. Rejects with the last attempt's error. */
export type Retry = <Value>(attempt: (number: number) => Promise<Attempt<Value>>) => Promise<Value>;

/**
 * `closing` ends what waits. A slot is held by an attempt only, not by the pause before the next. Where the platform limits
 * the rate, all attempts are spaced out.
 */
export function createRetry(settings: Settings, closing: AbortSignal): Retry {
  const limit = pLimit(settings.concurrency);
  const pace = createPace();
  return async (attempt) => {
    for (let number = 1; ; number += 1) {
      const outcome = await limit(async () => {
        await pace.turn(closing).catch(() => {});
        refuseWhenClosed(closing);
        const startedAt = performance.now();
        const ended = await attempt(number);
        if ("value" in ended || ended.isRateLimited === false) pace.accepted();
        else if (ended.isRateLimited) pace.refused(startedAt);
        return ended;
      });
      if ("value" in outcome) {
        return outcome.value;
      }
      if (!outcome.isWorthRepeating || number >= settings.maxAttempts || closing.aborted) {
        throw outcome.error;
      }
      const pauseSeconds = pauseBefore(number, outcome.retryAfterSeconds, settings);
      await sleep(pauseSeconds * 1000, undefined, { signal: closing }).catch(() => refuseWhenClosed(closing));
    }
  };
}

/**
 * Reads `Retry-After`: seconds, or an HTTP date, which is compared with the server's own clock where its answer tells the time.
 *
 * @returns undefined when there is none, or none that can be understood.
 */
export function retryAfterSecondsFrom(header: (name: string) => string | undefined): number | undefined {
  const text = header("retry-after")?.trim() ?? "";
  if (/^\d{1,9}(\.\d+)?$/.test(text)) {
    return Number(text);
  }
  const until = parseHttpDate(text);
  const now = parseHttpDate(header("date") ?? "") ?? Date.now();
  return until === undefined ? undefined : Math.max(0, (until - now) / 1000);
}

function pauseBefore(failedAttempts: number, retryAfterSeconds: number | undefined, settings: Settings): number {
  const { first, max } = settings.backoffSeconds;
  const jittered = Math.random() * Math.min(max, first * 2 ** (failedAttempts - 1));
  const asked = Math.min(retryAfterSeconds ?? 0, settings.maxRetryAfterSeconds);
  return Math.max(asked, jittered);
}

function refuseWhenClosed(closing: AbortSignal) {
  if (closing.aborted) {
    throw new ConfigurationError("The client is closed; no request was made. Create another one.");
  }
}

/** `Date.parse` alone would take almost anything for a date. */
function parseHttpDate(text: string): number | undefined {
  const parsed = /^[A-Z][a-z]{2,8}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(parsed) ? undefined : parsed;
}
