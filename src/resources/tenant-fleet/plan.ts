import type { Lifecycle } from "../lifecycle.ts";
import type { TenantInputs, TenantState } from "../tenant/schema.ts";
import { tenantOf, tenantStateOf } from "./entry.ts";
import type { TenantFleetInputs, TenantFleetState } from "./schema.ts";

/** What an update has to do, by the keys of the tenants. */
export interface Plan {
  create: string[];
  change: string[];
  archive: string[];
  forget: string[];
  unchanged: string[];
}

/** Compares a fleet as last observed with its inputs, tenant by tenant. */
export async function planOf(
  one: Lifecycle<TenantInputs, TenantState>,
  state: TenantFleetState,
  inputs: Pick<TenantFleetInputs, "integration"> & { tenants: Readonly<Record<string, object>> },
): Promise<Plan> {
  const plan: Plan = { create: [], change: [], archive: [], forget: [], unchanged: [] };
  for (const [key, entry] of Object.entries(inputs.tenants)) {
    const before = Object.hasOwn(state.tenants, key) ? state.tenants[key] : undefined;
    if (before === undefined) {
      plan.create.push(key);
      continue;
    }
    const tenant = tenantStateOf(state, key, before);
    const difference = await one.diff(String(before.tenantId), tenant, tenantOf(inputs, key, entry));
    plan[difference.isChanged || difference.isUnfinished ? "change" : "unchanged"].push(key);
  }
  for (const [key, { onRemove = state.onRemove }] of Object.entries(state.tenants)) {
    if (!Object.hasOwn(inputs.tenants, key)) plan[onRemove === "forget" ? "forget" : "archive"].push(key);
  }
  return plan;
}

/** `2 to create, 1 to change, 997 unchanged`. */
export function describePlan(plan: Plan): string {
  const counts = [
    [plan.create.length, "to create"],
    [plan.change.length, "to change"],
    [plan.archive.length, "to archive"],
    [plan.forget.length, "to forget"],
    [plan.unchanged.length, "unchanged"],
  ] as const;
  return counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${what}`)
    .join(", ");
}
