import { setTimeout as sleep } from "node:timers/promises";
import { CancelledError } from "../api/index.ts";

/** When to stop and how long to pause. */
interface Deadline {
  deadlineSeconds: number;
  /** The pauses between attempts, in seconds. They double from the first to the longest. */
  pauses: { first: number; longest: number };
  /** Ends a pause at once, with a `CancelledError`. */
  signal: AbortSignal;
}

interface Poll<T> extends Deadline {
  ask: () => Promise<T>;
  isDone: (answer: T) => boolean;
}

/**
 * Yields attempts with pauses between them. The last attempt begins at the deadline or later, because a slow response to an
 * earlier request may contain data from before the deadline.
 */
export async function* attempts({ deadlineSeconds, pauses, signal }: Deadline): AsyncGenerator<{ isLast: boolean }> {
  const deadline = performance.now() + deadlineSeconds * 1000;
  for (let pauseSeconds = pauses.first; ; pauseSeconds = Math.min(2 * pauseSeconds, pauses.longest)) {
    const isLast = performance.now() >= deadline;
    yield { isLast };
    if (isLast) return;
    const pauseMilliseconds = Math.min(pauseSeconds * 1000, Math.max(0, deadline - performance.now()));
    await wait(pauseMilliseconds, signal);
  }
}

/** Waits for a time. Throws a `CancelledError` as soon as the signal is aborted. */
export async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => {
    throw new CancelledError();
  });
}

/** Calls `ask` until `isDone` accepts its result or the deadline has passed. Returns the last result. */
export async function poll<T>({ ask, isDone, ...deadline }: Poll<T>): Promise<T> {
  for await (const { isLast } of attempts(deadline)) {
    const answer = await ask();
    if (isDone(answer) || isLast) return answer;
  }
  throw new Error("unreachable: the last attempt returns");
}
