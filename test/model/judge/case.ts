import type { Variants } from "../../../src/emulator/index.ts";
import type { Outcome } from "../engine/stack.ts";
import type { EngineState } from "../engine/state.ts";
import type { Model, Settings } from "../model.ts";
import type { Command } from "../program.ts";
import type { RawTenant } from "../raw-store.ts";
import type { Holder } from "./holders.ts";

/** One command with its context, which the rules judge. */
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
  /** The paths that the stack has declared for a tenant and may not have removed yet. */
  readonly touched: ReadonlyMap<number, ReadonlySet<string>>;
  /** The paths that somebody else has changed since the stack last read the tenant. */
  readonly drifted: ReadonlyMap<number, ReadonlySet<string>>;
  /** Tenants that somebody else created. */
  readonly installed: ReadonlySet<number>;
  /** Tenants that somebody else created during the command. */
  readonly installedMeanwhile: ReadonlySet<number>;
  /** Tenants that were left on the platform by `retainOnDelete`. */
  readonly retained: ReadonlySet<number>;
  /** The requested syncs, by tenant id. */
  readonly syncs: readonly number[];
  /** Whether neither the user nor the platform gives the command a reason to fail. */
  readonly mustSucceed: boolean;
  readonly variants: Variants;
  readonly integrationIds: Readonly<Record<Settings["integration"], number>>;
}

/** Returns the violations of a rule. */
export type Rule = (of: Case) => string[];

/** The paths that a tenant's settings declare. The name is always declared. */
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
