import { setTimeout as sleep } from "node:timers/promises";

interface Poll<T> {
  ask: () => Promise<T>;
  isDone: (answer: T) => boolean;
  deadlineSeconds: number;
  /** The pauses between the questions, in seconds; they double from the first to the longest. */
  pauses: { first: number; longest: number };
}

/** Asks until the answer is the wanted one or the deadline has passed; returns the last answer. */
export async function poll<T>({ ask, isDone, deadlineSeconds, pauses }: Poll<T>): Promise<T> {
  const deadline = performance.now() + deadlineSeconds * 1000;
  for (let pauseSeconds = pauses.first; ; pauseSeconds = Math.min(2 * pauseSeconds, pauses.longest)) {
    const answer = await ask();
    const leftMilliseconds = deadline - performance.now();
    if (isDone(answer) || leftMilliseconds <= 0) return answer;
    await sleep(Math.min(pauseSeconds * 1000, leftMilliseconds));
  }
}
