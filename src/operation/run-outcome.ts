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
  return isFailure(status) ? "failed" : undefined;
}

/** Whether a status is a word for failure with more behind it: `Failed (Refresh)`, `failed: timeout`, `Error (Timeout)`. */
function isFailure(status: string): boolean {
  const [beforeBracket = ""] = status.split("(");
  return /^\s*failed\b/i.test(status) || failedStatuses.some((word) => normal(word) === normal(beforeBracket));
}

/**
 * What helps after a failure that the platform explains in brackets, `Failed (Refresh)`, as a clause; `undefined` if it explains none
 * that is known.
 */
export function remedyOf(status: string): string | undefined {
  const [, reason = ""] = /\(([^()]*)\)\s*$/.exec(status) ?? [];
  return remedies.get(normal(reason));
}

const remedies = new Map([
  ["refresh", "a connection could not be refreshed: the customer must reconnect it"],
  ["timeout", "the platform ends a run after ten minutes: let the run do less at once"],
  [
    "metadatavalidation",
    "the metadata that the run wrote does not fit the metadata schema of the release: correct either",
  ],
  ["integrationissue", "the integration's code failed: see the run's log"],
  ["platformissue", "the platform itself failed: sync again, and tell the platform's operators if it fails again"],
]);

/** A status as messages quote it, with what helps after it. */
export function explainedStatus(status: string): string {
  const remedy = remedyOf(status);
  return `"${status}"${remedy === undefined ? "" : ` (${remedy})`}`;
}

function normal(word: string) {
  return word.toLowerCase().replaceAll(/[\s_-]/g, "");
}

/** What became of the syncs of many tenants, in the order in which they are told. */
const syncOutcomes = ["succeeded", "requested", "refused", "failed", "unknown", "skipped"] as const;

export type SyncOutcome = (typeof syncOutcomes)[number];

/** How many syncs ended how, such as `{ succeeded: 12, skipped: 3 }`; always in the same order. */
export function countsOfSyncs(outcomes: readonly SyncOutcome[]): Partial<Record<SyncOutcome, number>> {
  const counts = syncOutcomes.map((wanted) => [wanted, outcomes.filter((one) => one === wanted).length] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** The counts as a phrase, such as `12 succeeded, 3 skipped`. */
export function describeCounts(counts: ReturnType<typeof countsOfSyncs>): string {
  return Object.entries(counts)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(", ");
}
