import type { JsonObject } from "../rules/json.ts";
import type { RunPhase } from "../rules/status-words.ts";

/** The mode of a sync: `init` also fills the dynamic configs. */
export type RunMode = "init" | "normal";

/** A run as the emulator stores it. */
export interface RunRecord {
  readonly id: number;
  /** Counts the tenant's runs, from 1. */
  readonly number: number;
  readonly tenant_id: number;
  readonly integration_id: number;
  readonly mode: RunMode;
  readonly phase: RunPhase;
  readonly triggers: readonly RunTrigger[];
  readonly created_date: string;
  readonly started_date: string | null;
  readonly completed_date: string | null;
  /** How the run will end. It is decided when the run starts; null before. */
  readonly ending: RunEnding | null;
}

/** What a run shows of one of its triggers. */
export interface RunTrigger {
  /** Absent in databases of 0.1.0, as are `mode` and `payload`. */
  readonly id?: number;
  readonly mode?: RunMode;
  readonly payload?: JsonObject | null;
  readonly trigger_id: string;
  readonly source: TriggerSource;
  readonly created_date: string;
}

/** How a run ends, and what it writes. */
export interface RunEnding {
  /** Why the run fails; null when it succeeds. */
  readonly failure: string | null;
  /** What failed, as the API shows it in brackets. */
  readonly failed?: FailureKind;
  readonly log: readonly string[];
  readonly metadata: JsonObject | null;
  readonly dynamic_configs: JsonObject | null;
}

/** What people see in brackets after `Failed`. */
export const failureKinds = [
  "Integration Issue",
  "Refresh",
  "Platform Issue",
  "Timeout",
  "Metadata Validation",
] as const;
export type FailureKind = (typeof failureKinds)[number];

export function isFailureKind(value: unknown): value is FailureKind {
  return failureKinds.some((kind) => kind === value);
}

export type TriggerSource = "api" | "schedule" | "console";

/** A request for a sync. */
export interface TriggerRecord {
  readonly id: number;
  readonly trigger_id: string;
  readonly tenant_id: number;
  readonly mode: RunMode;
  readonly source: TriggerSource;
  readonly body: JsonObject | null;
  readonly created_date: string;
  /** The run that serves this trigger; null while the trigger is debounced. */
  readonly run_id: number | null;
}

/** What a tenant's status stores about a run: what the API shows of it, with the phase in the emulator's own word. */
export function runSummary(run: RunRecord): JsonObject {
  return {
    id: run.id,
    mode: run.mode,
    status: { phase: run.phase, startTime: run.started_date, completionTime: run.completed_date },
    ...(run.phase === "failed" ? { failed: run.ending?.failed ?? failureKinds[0] } : {}),
    triggers: run.triggers.map(({ id = 0, mode = run.mode, payload = null, source, created_date }) => ({
      id,
      created_date,
      mode,
      source,
      payload,
    })),
    started_date: run.started_date,
    completed_date: run.completed_date,
    tenant_id: run.tenant_id,
    integration_id: run.integration_id,
  };
}
