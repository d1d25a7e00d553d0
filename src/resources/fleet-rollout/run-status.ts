import type { DeclaredRunWords } from "../../operation/run-outcome.ts";
import { isNoRun, runId, runOutcome } from "../../operation/run-record.ts";
import { shortDigest } from "../../operation/short-digest.ts";
import type { RolloutTenant } from "./rollout-view.ts";

/** Whether a run is under way. A platform without `current_run`, or with one that has ended, has none. */
export function hasCurrentRun({ tenant }: RolloutTenant, ...words: readonly DeclaredRunWords[]): boolean {
  const run = tenant.status?.current_run ?? {};
  return !isNoRun(run) && runOutcome(run, ...words) === undefined;
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

/** The path of the log of the tenant's last run, if the platform tells the run's id. */
export function logPathOf({ tenant }: RolloutTenant): string | undefined {
  const id = runId(tenant.status?.last_run ?? {});
  return id === undefined ? undefined : `GET /v2/runs/${id}/log`;
}
