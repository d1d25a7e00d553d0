import { describeFleet } from "./entry.ts";
import type { Plan } from "./plan.ts";
import type { TenantFleetInputs, TenantFleetState } from "./schema.ts";

type Limits = TenantFleetInputs["limits"];

/**
 * Throws where an update would archive or change more tenants than its limits allow: a missing file, an emptied map or
 * a wrong default is more likely than so much work at once. Shares are of the tenants in the state.
 */
export function enforceLimits(plan: Plan, limits: Limits, state: TenantFleetState): void {
  const [first] = excessOf(plan, limits, state);
  if (first === undefined) return;
  throw new Error(
    `${describeFleet(state)}: this would ${first}. Nothing has been changed. ` +
      "If it is meant, run once with INTEGRATION_PLATFORM_ALLOW_LIMITS=1",
  );
}

/**
 * What an update would refuse, for a diff to tell: drift alone can exceed a limit, and a refresh or preview has to show
 * it all the same. Empty where all is within the limits.
 */
export function limitWarnings(plan: Plan, limits: Limits, state: TenantFleetState): string[] {
  return excessOf(plan, limits, state).map(
    (excess) =>
      `${describeFleet(state)}: up would ${excess}. It will refuse, unless it runs with INTEGRATION_PLATFORM_ALLOW_LIMITS=1`,
  );
}

/** `archive 60 tenants of 200, and its limits.archive is 5: acme, ...`, for each limit that the plan exceeds. */
function excessOf(plan: Plan, limits: Limits, state: TenantFleetState): string[] {
  const tenants = Object.keys(state.tenants).length;
  return (["archive", "change"] as const).flatMap((kind) => {
    const limit = limits?.[kind];
    const keys = plan[kind];
    if (limit === undefined || keys.length <= allowedBy(limit, tenants)) return [];
    const shown = `${keys.slice(0, 20).join(", ")}${keys.length > 20 ? ` and ${keys.length - 20} more` : ""}`;
    return [`${kind} ${keys.length} tenants of ${tenants}, and its limits.${kind} is ${limit}: ${shown}`];
  });
}

/** A share rounds up, so that it allows at least one tenant; "0%" allows none. Whole numbers only: 0.29 * 100 is not 29. */
function allowedBy(limit: number | string, tenants: number): number {
  if (typeof limit === "number") return limit;
  const [whole = "", fraction = ""] = limit.replace("%", "").split(".");
  return Math.ceil((Number(whole + fraction) * tenants) / (100 * 10 ** fraction.length));
}
