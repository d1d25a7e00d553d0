import type { JsonObject } from "./json.ts";

/** What a sync is asked for; `init` fills the dynamic configs. */
export type RunMode = "init" | "normal";

/** Where a run stands. The words for it that the API shows are a variant; see `statusWords`. */
export type RunPhase = "pending" | "running" | "succeeded" | "failed";

/** A run as the emulator keeps it. */
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
  /** How it will end, settled when it starts; null before. */
  readonly ending: RunEnding | null;
}

/** What of a trigger its run shows. */
export interface RunTrigger {
  readonly trigger_id: string;
  readonly source: TriggerSource;
  readonly created_date: string;
}

/** How a run ends. */
export interface RunEnding {
  /** Why it fails; null when it succeeds. */
  readonly failure: string | null;
  readonly log: readonly string[];
  readonly metadata: JsonObject | null;
  readonly dynamic_configs: JsonObject | null;
}

export type TriggerSource = "api" | "schedule" | "console";

/** A request for a sync, and the run that came of it. */
export interface TriggerRecord {
  readonly id: number;
  readonly trigger_id: string;
  readonly tenant_id: number;
  readonly mode: RunMode;
  readonly source: TriggerSource;
  readonly body: JsonObject | null;
  readonly created_date: string;
  /** null while it is debounced. */
  readonly run_id: number | null;
}
