import { setTimeout as sleep } from "node:timers/promises";

interface Poll<T> {
  ask: () => Promise<T>;
  isDone: (answer: T) => boolean;
  deadlineSeconds: number;
  /** The pauses between the questions, in seconds; they double from the first to the longest. */
  pauses: { first: number; longest: number };
}

/**
 * Asks until the answer is the wanted one; returns the last answer. Gives up after a question that was asked at the deadline
 * or later: the answer to an earlier one may be as old as its question, however late it comes.
 */
export async function poll<T>({ ask, isDone, deadlineSeconds, pauses }: Poll<T>): Promise<T> {
  const deadline = performance.now() + deadlineSeconds * 1000;
  for (let pauseSeconds = pauses.first; ; pauseSeconds = Math.min(2 * pauseSeconds, pauses.longest)) {
    const isLast = performance.now() >= deadline;
    const answer = await ask();
    if (isDone(answer) || isLast) return answer;
    await sleep(Math.min(pauseSeconds * 1000, Math.max(0, deadline - performance.now())));
  }
}
