import { IncompleteError } from "../lifecycle.ts";
import type { Platform } from "../platform.ts";
import { tenantStateSchema } from "../tenant/schema.ts";
import { allAtOnce } from "./all-at-once.ts";
import { describeFleet, entryAt, entryStateOf, tenantOf, tenantStateOf } from "./entry.ts";
import type { FleetLifecycles, Plan } from "./plan.ts";
import type { FleetEntryState, TenantFleetInputs, TenantFleetState } from "./schema.ts";

/** What a fleet was, is to be, and what that takes. */
export interface FleetWork {
  state: TenantFleetState;
  inputs: TenantFleetInputs;
  plan: Plan;
}

export interface FailedTenant {
  /** The tenant's key. */
  item: string;
  error: unknown;
}

/**
 * Makes, changes and archives the tenants of a fleet. What is left to sync is marked as not synced; a tenant that failed
 * half-way is kept with what was done.
 */
export async function workOnTenants(
  platform: Platform,
  one: FleetLifecycles,
  { state, inputs, plan }: FleetWork,
): Promise<{ tenants: Map<string, FleetEntryState>; failed: FailedTenant[] }> {
  const tenants = new Map<string, FleetEntryState>();
  const toSync = new Set(plan.sync);
  const toForget = new Set(plan.forget);
  const declaredOf = (key: string) => {
    const { sync: before } = entryAt(state.tenants, key) ?? {};
    const { sync, ...entry } = entryAt(inputs.tenants, key) ?? {};
    // a sync that is not due keeps its outcome; one that is no longer declared has none
    const isSynced = !toSync.has(key) && (sync ?? inputs.sync) !== undefined;
    return { ...entry, sync: isSynced ? before : sync };
  };
  // what could not be done, or not all of it, may hold what was secret before
  const unfinishedOf = (key: string) => {
    const declared = declaredOf(key);
    const secretPaths = [declared, entryAt(state.tenants, key)].flatMap((entry) => entry?.secretPaths ?? []);
    return { ...declared, ...(secretPaths.length > 0 ? { secretPaths: distinct(secretPaths) } : {}) };
  };
  const toChange = new Set(plan.change);
  for (const [key, before] of Object.entries(state.tenants)) {
    if (toForget.has(key)) continue;
    const isDeclared = Object.hasOwn(inputs.tenants, key);
    const declared = toChange.has(key) ? unfinishedOf(key) : declaredOf(key);
    tenants.set(key, isDeclared ? entryStateOf(key, declared, tenantStateOf(state, key, before)) : before);
  }

  const archive = async (key: string) => {
    const before = entryAt(state.tenants, key);
    if (before) await one.tenant.delete(String(before.tenantId), tenantStateOf(state, key, before));
    tenants.delete(key);
  };
  const bringAbout = async (key: string) => {
    const before = entryAt(state.tenants, key);
    const tenant = tenantOf(inputs, key, entryAt(inputs.tenants, key) ?? {});
    const after =
      before === undefined
        ? (await one.tenant.create(tenant)).state
        : await one.tenant.update(String(before.tenantId), tenantStateOf(state, key, before), tenant);
    tenants.set(key, entryStateOf(key, declaredOf(key), after));
  };

  const what = `tenants of ${describeFleet(inputs)}`;
  // a new tenant may bear the name of one that goes, or of one that gets another
  const names = new Set(plan.change.map((key) => entryAt(state.tenants, key)?.name ?? key));
  const isTaken = (key: string) => names.has(entryAt(inputs.tenants, key)?.name ?? key);
  const failed: FailedTenant[] = [];
  for (const [done, items, work] of [
    ["archived", plan.archive, archive],
    ["done", [...plan.create.filter((key) => !isTaken(key)), ...plan.change], bringAbout],
    ["made", plan.create.filter(isTaken), bringAbout],
  ] as const) {
    failed.push(...(await allAtOnce(platform, { what: `${what} ${done}`, items, work })).failed);
  }
  for (const { item: key, error } of failed) {
    const kept = error instanceof IncompleteError ? tenantStateSchema.safeParse(error.state).data : undefined;
    if (kept !== undefined) tenants.set(key, entryStateOf(key, unfinishedOf(key), kept));
  }
  return { tenants, failed };
}

function distinct(paths: readonly string[][]): string[][] {
  const byText = new Map(paths.map((path) => [JSON.stringify(path), path]));
  return [...byText.keys()].sort().flatMap((text) => [byText.get(text) ?? []]);
}
