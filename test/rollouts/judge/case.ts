import type { Declared, Fleet } from "../declared.ts";
import type { RawTenant } from "../raw-tenant.ts";
import type { Scene } from "../scene.ts";
import { type Plan, type Rollout, type Stored, storedOf } from "./exported.ts";
import type { Ledger } from "./ledger.ts";
import type { Memory, Move, Remembered } from "./memory.ts";

/** A command under way with its context, which the rules judge. */
export interface Case {
  readonly scene: Scene;
  readonly ledger: Ledger;
  readonly memory: Memory;
  readonly declared: Declared;
  readonly kind: "up" | "refresh" | "preview";
  /** Whether the platform has a fault during the command, or the process is killed. */
  readonly isDisturbed: boolean;
  /** What was stored of each fleet when the command began. */
  readonly before: ReadonlyMap<string, Stored>;
  /** The tenants when the command began. */
  readonly raw: ReadonlyMap<number, RawTenant>;
  readonly beganAt: number;
  /** The tenants of each fleet that have failed during the command. */
  readonly failed: Map<string, Set<number>>;
  writes: number;
  /** What the request under way moves. */
  moving: (Move & { readonly fleet: string; readonly tenantId: number }) | undefined;
  /** Reports that a promise was broken. */
  violate(message: string): void;
}

/** A request that is about to move a tenant. */
export interface MoveRequest {
  /** For messages: `tenant 5001 (k0) to 12`. */
  readonly what: string;
  readonly id: number;
  readonly to: string;
  readonly fleet: Fleet;
  readonly plan: Plan;
  readonly rollout: Rollout | undefined;
  readonly remembered: Remembered;
  /** The tenant now; `undefined` if there is none. */
  readonly tenant: RawTenant | undefined;
}

/** What is stored of a fleet that was never brought up. */
export const nothing: Stored = { tenantIds: new Map(), plan: undefined, rollout: undefined };

/** The fleet that declares a tenant, and its key there. */
export function ownerOf({ scene, declared, raw }: Case, tenantId: number): [Fleet, string] | undefined {
  for (const fleet of declared) {
    const { tenantIds } = storedOf(scene.stack.state, fleet.name);
    for (const [key, { name, alias }] of fleet.tenants) {
      const id = tenantIds.get(key) ?? tenantIds.get(alias ?? "");
      if (id === tenantId || (id === undefined && raw.get(tenantId)?.name === name)) return [fleet, key];
    }
  }
  return undefined;
}
