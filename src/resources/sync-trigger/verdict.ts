/**
 * The words that count as the end of a run. The specification shows none (States and transitions: "Trigger status
 * values: not shown"), so these are the usual ones; compared blind to case, spaces, `-` and `_`.
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

/** What a status word says of a run; `undefined` where it is not over, or nobody knows the word. */
export function verdictOf(
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
