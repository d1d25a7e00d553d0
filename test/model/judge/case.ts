import type { Variants } from "../../../src/emulator/index.ts";
import type { Outcome } from "../engine/stack.ts";
import type { EngineState } from "../engine/state.ts";
import type { Model, Settings } from "../model.ts";
import type { Command } from "../program.ts";
import type { RawTenant } from "../raw-store.ts";
import type { Holder } from "./holders.ts";

/** One command, and all that stands around it: what the rules are asked about. */
export interface Case {
  readonly command: Command;
  readonly model: Model;
  readonly outcome: Outcome;
  readonly succeeds: boolean;
  readonly warnings: readonly string[];
  readonly before: ReadonlyMap<number, RawTenant>;
  readonly after: ReadonlyMap<number, RawTenant>;
  readonly heldBefore: readonly Holder[];
  readonly heldAfter: readonly Holder[];
  readonly stateAfter: EngineState;
  /** The paths that the stack has declared of a tenant and may not have taken back yet. */
  readonly touched: ReadonlyMap<number, ReadonlySet<string>>;
  /** The paths that somebody else has changed since the stack last looked. */
  readonly drifted: ReadonlyMap<number, ReadonlySet<string>>;
  /** Tenants that somebody else has made. */
  readonly installed: ReadonlySet<number>;
  /** Tenants that somebody else has made while the command worked. */
  readonly installedMeanwhile: ReadonlySet<number>;
  /** Tenants that were left on the platform by `onRemove: "forget"`. */
  readonly forgotten: ReadonlySet<number>;
  /** The syncs that were asked for, by the tenants' ids. */
  readonly syncs: readonly number[];
  /** Whether the command cannot fail for a reason of the user's or the platform's. */
  readonly mustSucceed: boolean;
  readonly variants: Variants;
  readonly integrationIds: Readonly<Record<Settings["integration"], number>>;
}

/** Says what does not hold; nothing where all does. */
export type Rule = (of: Case) => string[];

/** The paths of a tenant that its settings declare. The name always is. */
export function declaredPaths({ configs = {}, metadata = {}, paused, schedule, release }: Settings): string[] {
  return [
    "name",
    ...(paused === undefined ? [] : ["paused"]),
    ...(schedule === undefined ? [] : ["user_schedule"]),
    ...(release === undefined ? [] : ["integration_release_id", "integration_release_channel"]),
    ...Object.keys(configs).map((key) => `configs.${key}`),
    ...Object.keys(metadata).map((key) => `metadata.${key}`),
  ];
}

/** `tenant 5001 "acme"`. */
export function nameOf({ id, name }: RawTenant): string {
  return `tenant ${id} "${name}"`;
}
