import type { CommandOutcome } from "../../engine/run-command.ts";
import type { Backend, BackendName } from "../backends/backend.ts";
import type { ProcessRoles } from "../processes.ts";
import type { Workload } from "../workload.ts";

/** A way to declare and apply the same tenants. */
export interface Contender {
  readonly name: ContenderName;
  /** How to recognize its processes. */
  readonly roles: ProcessRoles;
  /** The backends on which it can store its state. */
  readonly backends: readonly BackendName[];
  /** Only Pulumi's engine keeps a log of its own, which can be turned off. */
  readonly engineLogs: readonly EngineLog[];
  /** Its commands, and all settings that are not the tool's defaults. */
  settings(): Promise<Record<string, string>>;
  /** Prepares it in a folder of its own, without any request to the platform. */
  open(setting: Setting): Promise<Contestant>;
}

export const contenderNames = ["tenants", "fleet", "native", "native-fleet", "terraform", "plain"] as const;
export type ContenderName = (typeof contenderNames)[number];

export const engineLogs = ["on", "off"] as const;
/** Whether Pulumi's engine keeps its automatic log, as it does by default. */
export type EngineLog = (typeof engineLogs)[number];

/** Where a contender works. */
export interface Setting {
  /** Address of the platform. */
  readonly url: string;
  readonly apiKey: string;
  /** Added to the environment of all its processes. */
  readonly env: NodeJS.ProcessEnv;
  /** Where it stores its state. Terraform ignores this, and uses its own folder. */
  readonly backend: Backend;
  /** Default `on`. */
  readonly engineLog?: EngineLog;
}

/** An open contender. Disposing it ends its processes and removes its folder, but not its tenants. */
export interface Contestant extends AsyncDisposable {
  /** Declares the tenants in a file. */
  declare(workload: Workload): Promise<void>;
  /** Applies the declared tenants, without a refresh. */
  up(): Promise<CommandOutcome>;
  /** Refreshes, and shows what `up` would do. */
  preview(): Promise<CommandOutcome & { readonly hasFoundChanges: boolean }>;
  /** Archives all tenants, without a refresh. */
  destroy(): Promise<CommandOutcome>;
  /** The size of the state that its backend stores now. */
  state(): Promise<StoredState>;
}

export interface StoredState {
  /** Size of the state as compact JSON. */
  readonly jsonBytes: number;
  /** Size of the state as the backend stores it. */
  readonly storedBytes: number;
}

/** The name of the file in the contender's folder with the declared tenants, as JSON. */
export const workloadFile = "tenants.json";

/** Time limit of each command. */
export const timeLimitSeconds = 3600;
