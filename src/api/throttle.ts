import { setTimeout as sleep } from "node:timers/promises";

/** The interval after the first 429 of a client that sent at full speed. */
const firstIntervalMilliseconds = 10;
/** The longest interval allows 60 requests a minute. */
const maxIntervalMilliseconds = 1000;
/** The longest interval until a first request succeeds: where all are refused, the user should learn it soon. */
const maxFirstIntervalMilliseconds = 200;
const intervalGrowth = 1.5;
const intervalDecay = 0.97;

/** Spaces requests out while the platform limits their rate, at the rate that it turns out to allow. */
export interface Throttle {
  /** Resolves when the next request may be sent. Rejects when `signal` is aborted. */
  wait(signal: AbortSignal): Promise<void>;
  /**
   * Reports a response with status 429.
   *
   * @param sentAt when its request was sent, by `performance.now()`.
   */
  onRateLimited(sentAt: number): void;
  /** Reports a response with another status. */
  onAccepted(): void;
}

/**
 * Creates a throttle, which lets requests pass at full speed until the first 429. From then on it keeps an interval between
 * requests: a round trip with a 429 lengthens it by half, each other response shortens it a little.
 *
 * Pauses before retries are not enough: all paused requests come back at once, and those refused too often fail.
 */
export function createThrottle(): Throttle {
  let intervalMilliseconds = 0;
  let maxMilliseconds = maxFirstIntervalMilliseconds;
  let lastSentAt = 0;
  let slowedDownAt = 0;
  let queue = Promise.resolve();

  const waitForInterval = async (signal: AbortSignal) => {
    const remainingMilliseconds = lastSentAt + intervalMilliseconds - performance.now();
    if (remainingMilliseconds > 0) await sleep(remainingMilliseconds, undefined, { signal });
    lastSentAt = performance.now();
  };
  return {
    wait: (signal) => {
      if (intervalMilliseconds === 0) return Promise.resolve();
      // Waiters use the interval in force when their turn comes.
      const turn = queue.then(() => waitForInterval(signal));
      queue = turn.catch(() => {});
      return turn;
    },
    onRateLimited: (sentAt) => {
      // Requests sent before the last slowdown say nothing about the new interval.
      if (sentAt < slowedDownAt) return;
      slowedDownAt = performance.now();
      lastSentAt = slowedDownAt;
      const longer = Math.max(firstIntervalMilliseconds, intervalMilliseconds * intervalGrowth);
      intervalMilliseconds = Math.min(longer, maxMilliseconds);
    },
    onAccepted: () => {
      maxMilliseconds = maxIntervalMilliseconds;
      const shorter = intervalMilliseconds * intervalDecay;
      intervalMilliseconds = shorter < firstIntervalMilliseconds / 2 ? 0 : shorter;
    },
  };
}
