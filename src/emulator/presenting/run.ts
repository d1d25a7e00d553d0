import { isJsonObject, type JsonObject } from "../entities/json.ts";
import type { RunPhase, RunRecord } from "../entities/run.ts";
import type { Variants } from "../variants.ts";

/** The words that the API has for where a run stands; the specification shows none but "failed". */
export function statusWord(words: Variants["statusWords"], phase: RunPhase): string {
  return vocabularies[words][phase];
}

/** A run as the API shows it. Its fields are not documented. */
export function presentRun(words: Variants["statusWords"], run: RunRecord): JsonObject {
  return presentKeptRun(words, keptRun(run));
}

/** A run as a tenant's status keeps it: as the API shows it, but its phase in the emulator's own word. */
export function keptRun(run: RunRecord): JsonObject {
  return {
    id: run.id,
    mode: run.mode,
    status: { phase: run.phase, startTime: run.started_date, completionTime: run.completed_date },
    triggers: run.triggers,
    started_date: run.started_date,
    completed_date: run.completed_date,
    tenant_id: run.tenant_id,
    integration_id: run.integration_id,
  };
}

/** The same with the phase in the words of the variant. Anything else, set by hand, stays as it is. */
export function presentKeptRun(words: Variants["statusWords"], kept: JsonObject): JsonObject {
  const { status } = kept;
  if (!isJsonObject(status) || !isPhase(status.phase)) return kept;
  return { ...kept, status: { ...status, phase: statusWord(words, status.phase) } };
}

const vocabularies: Readonly<Record<Variants["statusWords"], Readonly<Record<RunPhase, string>>>> = {
  plain: { pending: "pending", running: "running", succeeded: "succeeded", failed: "failed" },
  capitalized: { pending: "Pending", running: "Running", succeeded: "Succeeded", failed: "Failed" },
  queue: { pending: "queued", running: "in_progress", succeeded: "success", failed: "failure" },
  mixed: { pending: "ACCEPTED", running: "hydrating", succeeded: "Done", failed: "FAILED" },
};

function isPhase(value: unknown): value is RunPhase {
  return typeof value === "string" && Object.hasOwn(vocabularies.plain, value);
}
