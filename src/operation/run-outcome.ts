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

/** The outcome that a status means; `undefined` if the run has not ended or the status is unknown. */
export function outcomeOf(
  status: string,
  more: { succeededStatuses?: readonly string[] | undefined; failedStatuses?: readonly string[] | undefined },
): "succeeded" | "failed" | undefined {
  const isAmong = (words: readonly string[]) => words.some((word) => normal(word) === normal(status));
  if (isAmong(more.failedStatuses ?? [])) return "failed";
  if (isAmong(more.succeededStatuses ?? [])) return "succeeded";
  if (isAmong(failedStatuses)) return "failed";
  return isAmong(succeededStatuses) ? "succeeded" : undefined;
}

function normal(word: string) {
  return word.toLowerCase().replaceAll(/[\s_-]/g, "");
}
