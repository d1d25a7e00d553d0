import { runOutcome } from "../../operation/run-record.ts";
import { shortDigest } from "../../operation/short-digest.ts";
import type { RolloutTenant } from "./rollout-view.ts";
import type { Strategy } from "./schema.ts";

/** The words for a status that a gate declares. */
type GateStatuses = Pick<NonNullable<Strategy["gate"]>, "succeededStatuses" | "failedStatuses">;

/** Whether a run is under way. A platform without `current_run`, or with one that has ended, has none. */
export function hasCurrentRun({ tenant }: RolloutTenant, statuses: GateStatuses): boolean {
  const run = tenant.status?.current_run ?? {};
  return Object.keys(run).length > 0 && runOutcome(run, statuses) === undefined;
}

/** A digest of the tenant's last run if that has failed; `undefined` otherwise. */
export function failedRunOf({ tenant }: RolloutTenant, statuses: GateStatuses): string | undefined {
  const run = tenant.status?.last_run ?? {};
  return runOutcome(run, statuses) === "failed" ? shortDigest(run) : undefined;
}

/** The path of the log of the tenant's last run, if the platform tells the run's id. */
export function logPathOf({ tenant }: RolloutTenant): string | undefined {
  const id = tenant.status?.last_run.id;
  return typeof id === "number" || typeof id === "string" ? `GET /v2/runs/${id}/log` : undefined;
}
