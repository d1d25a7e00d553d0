import { describeFleet } from "./entry.ts";
import type { Plan } from "./plan.ts";
import type { TenantFleetInputs, TenantFleetState } from "./schema.ts";

/**
 * Throws where an update would archive or change more tenants than its limits allow: a missing file, an emptied map or
 * a wrong default is more likely than so much work at once. Shares are of the tenants in the state.
 */
export function enforceLimits(plan: Plan, limits: TenantFleetInputs["limits"], state: TenantFleetState): void {
  for (const kind of ["archive", "change"] as const) {
    const limit = limits?.[kind];
    const allowed = limit === undefined ? Number.POSITIVE_INFINITY : countOf(limit, Object.keys(state.tenants).length);
    const keys = plan[kind];
    if (keys.length <= allowed) continue;
    const shown = keys.slice(0, 20).join(", ");
    throw new Error(
      `${describeFleet(state)}: this would ${kind} ${keys.length} tenants of ${Object.keys(state.tenants).length}, and its limits.${kind} is ${limit}: ` +
        `${shown}${keys.length > 20 ? ` and ${keys.length - 20} more` : ""}. Nothing has been changed. ` +
        "If it is meant, run once with INTEGRATION_PLATFORM_ALLOW_LIMITS=1",
    );
  }
}

function countOf(limit: number | string, tenants: number): number {
  return typeof limit === "number" ? limit : Math.floor((Number.parseFloat(limit) * tenants) / 100);
}
