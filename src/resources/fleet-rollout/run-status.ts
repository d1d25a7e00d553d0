import type { DeclaredRunWords } from "../../operation/run-outcome.ts";
import { isUnderWay, runFacts, runId, runOutcome } from "../../operation/run-record.ts";
import { shortDigest } from "../../operation/short-digest.ts";
import type { RolloutTenant } from "./rollout-view.ts";

/** Whether a run is under way. A platform without `current_run`, or with one that has ended, has none. */
export function hasCurrentRun({ tenant }: RolloutTenant, ...words: readonly DeclaredRunWords[]): boolean {
  const run = runFacts(tenant.status?.current_run ?? {}, ...words);
  return run !== undefined && isUnderWay(run);
}

/**
 * What identifies the tenant's last run if that has failed; `undefined` otherwise. It is a digest of the run's id, as the rest of
 * the record may change after its end, such as a link that expires.
 */
export function failedRunOf({ tenant }: RolloutTenant, ...words: readonly DeclaredRunWords[]): string | undefined {
  const run = tenant.status?.last_run ?? {};
  if (runOutcome(run, ...words) !== "failed") return undefined;
  const id = runId(run);
  return shortDigest(id === undefined ? run : { id });
}

/** Stands for a run under way whose record has no id, so that its end cannot be told from that of a later run. */
const withoutId = "under-way";

/**
 * What identifies the runs of a tenant that are no evidence, as they are older than its move: the last one if it has failed,
 * and the one that is under way; `undefined` if there are none.
 */
export function olderRunsOf(of: RolloutTenant, ...words: readonly DeclaredRunWords[]): string | undefined {
  const id = runId(of.tenant.status?.current_run ?? {});
  const current = id === undefined ? withoutId : shortDigest({ id });
  const found = [failedRunOf(of, ...words) ?? [], hasCurrentRun(of, ...words) ? current : []].flat();
  return found.length === 0 ? undefined : found.join(" ");
}

/**
 * Whether the last run of a tenant has failed, and is none of the older ones.
 *
 * @param older see {@link olderRunsOf}.
 */
export function hasFailedSince(of: RolloutTenant, older = "", ...words: readonly DeclaredRunWords[]): boolean {
  const failed = failedRunOf(of, ...words);
  return failed !== undefined && !older.split(" ").includes(failed) && !hasEnded(of, older, ...words);
}

/** Whether an older run without an id has ended since, so that the last run is this one. */
export function hasEnded(of: RolloutTenant, older = "", ...words: readonly DeclaredRunWords[]): boolean {
  return older.split(" ").includes(withoutId) && !hasCurrentRun(of, ...words);
}

/** The path of the log of the tenant's last run, if the platform tells the run's id. */
export function logPathOf({ tenant }: RolloutTenant): string | undefined {
  const id = runId(tenant.status?.last_run ?? {});
  return id === undefined ? undefined : `GET /v2/runs/${id}/log`;
}
