import type { CommandOutcome } from "../../engine/run-command.ts";
import type { Backend, BackendName } from "../backends/backend.ts";
import type { ProcessRoles } from "../processes.ts";
import type { Workload } from "../workload.ts";

/** A way to bring about the same tenants. */
export interface Contender {
  readonly name: ContenderName;
  /** What to tell its processes apart by. */
  readonly roles: ProcessRoles;
  /** Where its state may be. */
  readonly backends: readonly BackendName[];
  /** Its commands, and all that is not its tool's default. */
  settings(): Promise<Record<string, string>>;
  /** Gets it ready in a folder of its own; nothing is on the platform yet. */
  open(setting: Setting): Promise<Contestant>;
}

export type ContenderName = "tenants" | "fleet" | "terraform" | "plain";

/** Where a contender works. */
export interface Setting {
  /** Address of the platform. */
  readonly url: string;
  readonly apiKey: string;
  /** Added to the environment of all its processes. */
  readonly env: NodeJS.ProcessEnv;
  /** Where its state is to be, unless it has a folder of its own for that. */
  readonly backend: Backend;
}

/** A contender at work. Disposing it ends what still runs and removes its folder, not its tenants. */
export interface Contestant extends AsyncDisposable {
  /** Writes down what there is to be. */
  declare(workload: Workload): Promise<void>;
  /** Brings it about, without looking for drift first. */
  up(): Promise<CommandOutcome>;
  /** Looks for drift and says what it would do. */
  preview(): Promise<CommandOutcome & { readonly hasFoundChanges: boolean }>;
  /** Archives everything, without looking for drift first. */
  destroy(): Promise<CommandOutcome>;
  /** What its backend stores now. */
  state(): Promise<StoredState>;
}

export interface StoredState {
  /** Of the state as compact JSON. */
  readonly jsonBytes: number;
  /** As the backend keeps it. */
  readonly storedBytes: number;
}

/** The name of the file in the contender's folder that holds the tenants to be, as JSON. */
export const workloadFile = "tenants.json";

/** How long any command may take. */
export const timeLimitSeconds = 3600;
