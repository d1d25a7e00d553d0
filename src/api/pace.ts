import { setTimeout as sleep } from "node:timers/promises";

/** What one 429 makes of a client at full speed, and how it goes on from there, in milliseconds between two requests. */
const firstIntervalMilliseconds = 10;
/** Slow enough for sixty requests a minute; where everything was refused so far, that is to be told sooner. */
const longestIntervalMilliseconds = 1000;
const longestAtFirstMilliseconds = 200;
const slower = 1.5;
const faster = 0.97;

/** Spaces requests out where the platform allows only so many, at the pace that it turns out to allow. */
export interface Pace {
  /** Resolves when the next request may go. Rejects when `signal` is aborted. */
  turn(signal: AbortSignal): Promise<void>;
  /** A request was refused with 429. @param startedAt when it went, by `performance.now()`. */
  refused(startedAt: number): void;
  /** A request was answered, and not refused. */
  accepted(): void;
}

/**
 * At full speed until there is a 429. Each retry pauses by itself, but all that wait come back at once, and those that are
 * refused too often fail: so the client as a whole slows down by half for each round trip that was refused, and speeds
 * up a little for each request that was answered otherwise.
 */
export function createPace(): Pace {
  let intervalMilliseconds = 0;
  let wentAt = 0;
  let slowedAt = 0;
  let longestMilliseconds = longestAtFirstMilliseconds;
  let queue = Promise.resolve();

  const goWhenDue = async (signal: AbortSignal) => {
    const leftMilliseconds = wentAt + intervalMilliseconds - performance.now();
    if (leftMilliseconds > 0) await sleep(leftMilliseconds, undefined, { signal });
    wentAt = performance.now();
  };
  return {
    turn: (signal) => {
      if (intervalMilliseconds === 0) return Promise.resolve();
      // one after the other: who waits goes at the pace of then, not at that of when it came
      const turn = queue.then(() => goWhenDue(signal));
      queue = turn.catch(() => {});
      return turn;
    },
    refused: (startedAt) => {
      // those that went before the client slowed down say nothing of the new pace
      if (startedAt < slowedAt) return;
      slowedAt = performance.now();
      wentAt = slowedAt;
      const longer = Math.max(firstIntervalMilliseconds, intervalMilliseconds * slower);
      intervalMilliseconds = Math.min(longer, longestMilliseconds);
    },
    accepted: () => {
      longestMilliseconds = longestIntervalMilliseconds;
      const shorter = intervalMilliseconds * faster;
      intervalMilliseconds = shorter < firstIntervalMilliseconds / 2 ? 0 : shorter;
    },
  };
}
