import { isDeepStrictEqual } from "node:util";
import { hasUnknown, valueAt } from "../../json-schema/index.ts";
import type { Difference, Lifecycle } from "../lifecycle.ts";
import type { SyncTriggerInputs, SyncTriggerState } from "../sync-trigger/schema.ts";
import type { TenantInputs, TenantState } from "../tenant/schema.ts";
import { entryAt, entryOf, tenantOf, tenantStateOf } from "./entry.ts";
import type { TenantFleetState } from "./schema.ts";
import { syncOf, syncStateOf } from "./sync.ts";

/** What an update has to do, by the keys of the tenants. */
export interface Plan {
  create: string[];
  change: string[];
  archive: string[];
  forget: string[];
  unchanged: string[];
  /** Those whose sync is due, or is declared otherwise than before; among the created, changed and unchanged. */
  sync: string[];
  /** Whether something is declared otherwise that is only stored. */
  isRestated: boolean;
}

export interface FleetLifecycles {
  tenant: Lifecycle<TenantInputs, TenantState>;
  sync: Lifecycle<SyncTriggerInputs, SyncTriggerState>;
}

/**
 * Compares a fleet as last observed with its inputs, tenant by tenant. Parts of the inputs may be unknown yet.
 *
 * @param state with the tenants under the keys that they have now.
 */
export async function planOf(
  { tenant, sync }: FleetLifecycles,
  state: TenantFleetState,
  inputs: { tenants: Readonly<Record<string, object>>; sync?: object | undefined },
): Promise<Plan> {
  const plan = emptyPlan();
  for (const [key, entry] of Object.entries(inputs.tenants)) {
    const before = entryAt(state.tenants, key);
    const wanted = syncOf(inputs, entry, before?.tenantId ?? 0);
    if (before === undefined) {
      plan.create.push(key);
      if (wanted !== undefined) plan.sync.push(key);
      continue;
    }
    const id = String(before.tenantId);
    const stored = touching(tenantStateOf(state, key, before));
    const difference = await tenant.diff(id, stored, touching(tenantOf(inputs, key, entry)));
    plan[isWork(difference) ? "change" : "unchanged"].push(key);
    const lastSync = syncStateOf(state, before);
    const isSyncDue = wanted && (lastSync === undefined || isWork(await sync.diff(id, lastSync, wanted)));
    if (isSyncDue) plan.sync.push(key);
    plan.isRestated ||= !isDeepStrictEqual(onlyStored(entryOf(before)), onlyStored(entry));
  }
  for (const [key, { onRemove = state.onRemove }] of Object.entries(state.tenants)) {
    if (!Object.hasOwn(inputs.tenants, key)) plan[onRemove === "forget" ? "forget" : "archive"].push(key);
  }
  return plan;
}

export function emptyPlan(): Plan {
  return { create: [], change: [], archive: [], forget: [], unchanged: [], sync: [], isRestated: false };
}

/** `2 to create, 1 to change, 997 unchanged`; `undefined` where nothing is to do. */
export function describePlan(plan: Plan): string | undefined {
  const counts = [
    [plan.create.length, "to create"],
    [plan.change.length, "to change"],
    [plan.archive.length, "to archive"],
    [plan.forget.length, "to forget"],
    [plan.sync.length, "to sync"],
  ] as const;
  const work = counts.filter(([count]) => count > 0);
  if (work.length === 0) return undefined;
  const unchanged = plan.unchanged.length > 0 ? [[plan.unchanged.length, "unchanged"] as const] : [];
  return [...work, ...unchanged].map(([count, what]) => `${count} ${what}`).join(", ");
}

function isWork({ isChanged, isUnfinished = false }: Difference): boolean {
  return isChanged || isUnfinished;
}

/** What touches the tenant on the platform: the rest is only stored, for when it is made or removed. */
function touching(tenant: TenantState): TenantState;
function touching(tenant: object): object;
function touching({ adopt, forceArchive, onRemove, secretPaths, ...touching }: Partial<TenantInputs>): object {
  return touching;
}

const storedKeys = ["formerly", "sync", "adopt", "forceArchive", "onRemove", "secretPaths"];

/** What of an entry touches nothing on the platform. */
function onlyStored(entry: object): unknown[] {
  if (hasUnknown(entry)) return [];
  return storedKeys.map((key) => valueAt(entry, [key]));
}
