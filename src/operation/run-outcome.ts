/**
 * Common words for the status of a run that has ended. The specification has none (States and transitions: "Trigger status
 * values: not shown"). Case, spaces, `-` and `_` are ignored in comparisons.
 */
export const succeededStatuses = [
  "succeeded",
  "success",
  "successful",
  "completed",
  "complete",
  "finished",
  "done",
  "ok",
];
export const failedStatuses = [
  ...["failed", "failure", "error", "errored", "aborted", "canceled", "cancelled", "killed", "terminated"],
  ...["timeout", "timed out", "rejected", "crashed"],
];

/** The meaning of the words for the status of a run on this platform, in addition to the common words. */
export interface RunWords {
  /** Statuses of a run that mean success, in addition to the built-in ones. */
  succeededStatuses: readonly string[];
  /**
   * Statuses of a run that mean failure, in addition to the built-in ones. They take precedence over those that mean success.
   */
  failedStatuses: readonly string[];
}

/** The words that a resource or a lookup declares. */
export interface DeclaredRunWords {
  succeededStatuses?: readonly string[] | undefined;
  failedStatuses?: readonly string[] | undefined;
}

/**
 * The outcome that a status means; `undefined` if the run has not ended or the status is unknown.
 *
 * @param more words in addition to the common ones, those that take precedence first.
 */
export function outcomeOf(status: string, ...more: readonly DeclaredRunWords[]): "succeeded" | "failed" | undefined {
  const isAmong = (words: readonly string[] = []) => words.some((word) => normal(word) === normal(status));
  for (const words of [...more, { succeededStatuses, failedStatuses }]) {
    if (isAmong(words.failedStatuses)) return "failed";
    if (isAmong(words.succeededStatuses)) return "succeeded";
  }
  return undefined;
}

function normal(word: string) {
  return word.toLowerCase().replaceAll(/[\s_-]/g, "");
}
