import type { Variants } from "../../../src/emulator/index.ts";
import type { Project } from "../../engine/harness/create-project.ts";
import type { ProviderName } from "../../engine/harness/provider-under-test.ts";
import type { CheckpointMode } from "../checkpoint-mode.ts";
import type { CommandEnd, RunningCommand } from "../engine-command.ts";
import type { PlatformProcess } from "../platform-process.ts";
import type { Random } from "../random.ts";
import type { Difference } from "../reader.ts";

/** Where a disturbance plays. */
export interface Stage {
  readonly platform: PlatformProcess;
  readonly project: Project;
  readonly provider: ProviderName;
  readonly checkpoints: CheckpointMode;
  readonly random: Random;
  readonly variants: Variants;
  readonly command: "up" | "destroy";
  /** How many requests the command makes undisturbed, about. */
  readonly usualRequests: number;
  /** What nobody may find, by what it is: more can be entered. */
  readonly secrets: Map<string, string>;
  /** The tenants that somebody else has archived, by id: more can be entered. */
  readonly archivedByOthers: Set<number>;
  /** The tenants that somebody else has paused, by id: more can be entered. */
  readonly pausedByOthers: Set<number>;
  /** Lines for what is found now of what nobody may find. */
  findSecrets(): Promise<readonly string[]>;
  /** Starts one more command of the engine, on the same stack unless it says otherwise. */
  start(args: readonly string[]): RunningCommand;
}

/** What is done to one command of the engine. */
export interface Disturbance {
  /** Of the disturbed command; nothing more of it when the operator repairs. */
  readonly env?: NodeJS.ProcessEnv;
  /** Of the commands from then on: what the operator is given to repair with. */
  readonly repairEnv?: NodeJS.ProcessEnv;
  /** Whether commands may be cut short by it. */
  readonly kills: boolean;
  /** Whether it may put the platform out of reach. Default: false. */
  readonly isAway?: boolean;
  /** Plays while the command runs; ends when that does, at the latest. */
  during?(command: RunningCommand): Promise<void>;
  /** Takes back what it has done to the platform, and tells how often it really struck, by kind. */
  end(): Promise<Strikes>;
  /** What did not hold in what it did itself, or in how the disturbed command ended. Asked for after `end`. */
  violations?(end: CommandEnd, besides: Besides): readonly string[];
  /** Of the differences right after a success, those that it does not explain. Default: all. */
  explain?(found: readonly Difference[]): Promise<{ unexplained: readonly Difference[] }>;
}

/** What plays at the same time. */
export interface Besides {
  /** Whether it may cut commands short, in the middle of a word. */
  readonly kills: boolean;
  /** Whether it may make a command fail. */
  readonly fails: boolean;
  /** Whether it may put the platform out of reach. */
  readonly isAway: boolean;
}

export const nothingBesides: Besides = { kills: false, fails: false, isAway: false };

export type Strikes = Readonly<Record<string, number>>;

/** Prepares a disturbance of the command to come. */
export type Disturb = (stage: Stage) => Promise<Disturbance>;

export function sumOf(counts: readonly Strikes[]): Strikes {
  const sum: Record<string, number> = {};
  for (const [kind, count] of counts.flatMap((strikes) => Object.entries(strikes)))
    sum[kind] = (sum[kind] ?? 0) + count;
  return sum;
}
