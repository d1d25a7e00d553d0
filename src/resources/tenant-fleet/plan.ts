import { isDeepStrictEqual } from "node:util";
import { valueAt } from "../../json/key-path.ts";
import { hasUnknown } from "../../json/unknown.ts";
import type { Difference } from "../lifecycle.ts";
import { isRetriggered } from "../sync-trigger/lifecycle.ts";
import { overrideWork, withoutOverride } from "../tenant/override.ts";
import type { TenantInputs, TenantState } from "../tenant/schema.ts";
import { describeCount } from "./describe-many.ts";
import { entryOf } from "./entry.ts";
import type { FleetLifecycles } from "./fleet-lifecycles.ts";
import type { Member, PreviewedFleet } from "./members.ts";
import type { TenantFleetState } from "./schema.ts";
import { syncOf } from "./sync.ts";

/** The work of an update, as lists of the tenants' keys. */
export interface FleetPlan {
  create: string[];
  change: string[];
  archive: string[];
  retain: string[];
  unchanged: string[];
  /** Tenants whose sync is due or has changed. They are also in `create`, `change` or `unchanged`. */
  sync: string[];
  /** Tenants whose declared sync is another one than the last: its outcome does not stay in the state. */
  syncAnew: string[];
  /** Tenants of `change` that only an override changes: it pauses or restores them. */
  byOverride: string[];
  /** Tenants of `change` whose override begins. */
  pause: string[];
  /** Tenants of `change` whose override has ended. */
  restore: string[];
  /**
   * Whether inputs have changed that are only stored in the state and not applied to the platform. There may be other work
   * too.
   */
  hasStateOnlyChanges: boolean;
}

/**
 * Compares the last observed state of a fleet with its inputs, tenant by tenant. Inputs may be unknown in a preview.
 *
 * @param fleets the properties of the fleet itself, as stored and as declared, and the keys of the overridden tenants.
 */
export async function planFleet(
  { tenant, sync }: FleetLifecycles,
  members: ReadonlyMap<string, Member<object>>,
  fleets: {
    stored: Pick<TenantFleetState, "retainOnDelete">;
    declared: Pick<PreviewedFleet, "sync">;
    overridden: ReadonlySet<string>;
  },
): Promise<FleetPlan> {
  const plan = emptyPlan();
  for (const { key, stored, declared } of members.values()) {
    if (declared === undefined) {
      const isRetained = stored?.entry.retainOnDelete ?? fleets.stored.retainOnDelete ?? false;
      plan[isRetained ? "retain" : "archive"].push(key);
      continue;
    }
    const isOverridden = fleets.overridden.has(key);
    const wanted = syncOf(fleets.declared, declared.entry, stored?.entry.tenantId ?? 0);
    if (stored === undefined) {
      plan.create.push(key);
      if (wanted !== undefined && !isOverridden) plan.sync.push(key);
      if (wanted !== undefined) plan.syncAnew.push(key);
      continue;
    }
    const { id, state, entry, sync: lastSync } = stored;
    const byOverride = overrideWork(state, isOverridden);
    // somebody may have paused the tenant before the override did: whether it is paused is the override's work
    const compared = byOverride === undefined ? appliedInputs : withoutPaused;
    const difference = await tenant.diff(id, compared(state), compared(declared.inputs));
    plan[isWork(difference) || byOverride !== undefined ? "change" : "unchanged"].push(key);
    if (byOverride !== undefined && !isWork(difference)) plan.byOverride.push(key);
    if (byOverride !== undefined) plan[byOverride].push(key);
    const isSyncDue = wanted && (lastSync === undefined || isWork(await sync.diff(id, lastSync, wanted)));
    if (isSyncDue && !isOverridden) plan.sync.push(key);
    if (wanted && (lastSync === undefined || isRetriggered(lastSync, wanted))) plan.syncAnew.push(key);
    plan.hasStateOnlyChanges ||= !isDeepStrictEqual(onlyStored(entryOf(entry)), onlyStored(declared.entry));
  }
  return plan;
}

export function emptyPlan(): FleetPlan {
  const work = { create: [], change: [], archive: [], retain: [], unchanged: [], sync: [], syncAnew: [] };
  return { ...work, byOverride: [], pause: [], restore: [], hasStateOnlyChanges: false };
}

/**
 * The work of a plan, such as `creates 2 tenants, changes 1; 997 unchanged`; `undefined` if there is none.
 *
 * @param takenOver how many of the tenants to create are taken over instead.
 */
export function describePlan(plan: FleetPlan, takenOver: number): string | undefined {
  const counts = [
    ["creates", plan.create.length - takenOver],
    ["takes over", takenOver],
    ["changes", plan.change.length],
    ["archives", plan.archive.length],
    ["retains", plan.retain.length],
    ["syncs", plan.sync.length],
  ] as const;
  const [first, ...others] = counts.filter(([, count]) => count > 0);
  if (first === undefined) return undefined;
  const [verb, count] = first;
  const work = [`${verb} ${describeCount(count)}`, ...others.map((other) => other.join(" "))].join(", ");
  return plan.unchanged.length > 0 ? `${work}; ${plan.unchanged.length} unchanged` : work;
}

function isWork({ isChanged, isUnfinished = false }: Difference): boolean {
  return isChanged || isUnfinished;
}

/**
 * The inputs that are applied to a live tenant, without its override, whose work {@link overrideWork} tells. The others are
 * only stored, for its creation or removal.
 */
function appliedInputs(tenant: TenantState): TenantState;
function appliedInputs(tenant: object): object;
function appliedInputs({
  adopt,
  forceArchive,
  schemaViolations,
  secretPaths,
  ...applied
}: Partial<TenantInputs>): object {
  return withoutOverride(applied);
}

/** The {@link appliedInputs} without `paused`, which an override is going to pause or to restore. */
function withoutPaused(tenant: TenantState): TenantState;
function withoutPaused(tenant: object): object;
function withoutPaused(tenant: object): object {
  const { paused, ...applied }: Partial<TenantInputs> = appliedInputs(tenant);
  return applied;
}

const storedKeys = [
  ...["aliases", "sync", "adopt", "forceArchive", "retainOnDelete", "override", "schemaViolations", "secretPaths"],
];

/** The inputs of an entry that are only stored. */
function onlyStored(entry: object): unknown[] {
  if (hasUnknown(entry)) return [];
  return storedKeys.map((key) => valueAt(entry, [key]));
}
