import { isJsonObject, type JsonObject } from "../../json/json-value.ts";
import { shortDigest } from "../../operation/short-digest.ts";
import { outcomeOf } from "../sync-trigger/outcome.ts";
import type { RolloutTenant } from "./scene.ts";
import type { Strategy } from "./schema.ts";

type Words = Pick<NonNullable<Strategy["gate"]>, "succeededStatuses" | "failedStatuses">;

/** The fields in which a run may have a word for how it stands. The specification does not show a run's fields. */
const wordFields = ["status", "run_status", "phase", "state", "outcome", "result"];

/** The outcome of a run as a tenant's status has it. A failure counts wherever it stands. */
function runOutcome(run: JsonObject, words: Words): "succeeded" | "failed" | undefined {
  const parts = [run, ...wordFields.flatMap((field) => (isJsonObject(run[field]) ? [run[field]] : []))];
  const found = parts.flatMap((part) => wordFields.map((field) => part[field]));
  const outcomes = found.flatMap((word) => (typeof word === "string" ? (outcomeOf(word, words) ?? []) : []));
  return outcomes.includes("failed") ? "failed" : outcomes[0];
}

/** Whether a run is under way. A platform without `current_run`, or with one that has ended, has none. */
export function hasCurrentRun({ tenant }: RolloutTenant, words: Words): boolean {
  const run = tenant.status?.current_run ?? {};
  return Object.keys(run).length > 0 && runOutcome(run, words) === undefined;
}

/** A digest of the tenant's last run if that has failed; `undefined` otherwise. */
export function failedRunOf({ tenant }: RolloutTenant, words: Words): string | undefined {
  const run = tenant.status?.last_run ?? {};
  return runOutcome(run, words) === "failed" ? shortDigest(run) : undefined;
}

/** The path of the log of the tenant's last run, if the platform tells the run's id. */
export function logPathOf({ tenant }: RolloutTenant): string | undefined {
  const id = tenant.status?.last_run.id;
  return typeof id === "number" || typeof id === "string" ? `GET /v2/runs/${id}/log` : undefined;
}
