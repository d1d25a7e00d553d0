import { listOf } from "./describe-many.ts";
import { describeFleet } from "./entry.ts";
import type { FleetPlan } from "./plan.ts";
import type { TenantFleetInputs, TenantFleetState } from "./schema.ts";

type Limits = TenantFleetInputs["limits"];

/** A plan, and which tenants of `create` overwrite the settings of live ones that they take over. Default: none. */
type LimitedPlan = FleetPlan & { overwrite?: readonly string[] };

/**
 * Throws if an update would archive or change more tenants than its limits allow. A missing file, an empty map or a wrong
 * default is a likelier reason for so many changes than intent. Percentages refer to the tenants in the state, and round up.
 */
export function enforceLimits(plan: LimitedPlan, limits: Limits, state: TenantFleetState): void {
  const [first] = excessOf(plan, limits, state);
  if (first === undefined) return;
  // in an incident, somebody must know at once that nobody is paused
  const pending = plan.byOverride.length > plan.restore.length ? ", and no override has begun" : "";
  throw new Error(
    `${describeFleet(state)}: this would ${first}. Nothing has been changed${pending}. ` +
      "If this is intended, run up once with INTEGRATION_PLATFORM_ALLOW_LIMITS=1",
  );
}

/**
 * Warnings for a diff about limits that an update would enforce. They are not errors, because drift alone can exceed a limit
 * and a refresh or preview must still show it. Empty if no limit is exceeded.
 */
export function limitWarnings(plan: LimitedPlan, limits: Limits, state: TenantFleetState): string[] {
  return excessOf(plan, limits, state).map(
    (excess) =>
      `${describeFleet(state)}: up would ${excess}. It will refuse to do so, unless it runs with INTEGRATION_PLATFORM_ALLOW_LIMITS=1`,
  );
}

/** A clause for each exceeded limit, such as `archive 60 tenants of 200, and its limits.archive is 5: acme, ...`. */
function excessOf(plan: LimitedPlan, limits: Limits, state: TenantFleetState): string[] {
  const tenants = Object.keys(state.tenants).length;
  // an override of many tenants is intent, and must not wait in an incident
  const isByOverride = new Set(plan.byOverride);
  const change = plan.change.filter((key) => !isByOverride.has(key));
  const counted = { archive: plan.archive, change: [...change, ...(plan.overwrite ?? [])] };
  return (["archive", "change"] as const).flatMap((kind) => {
    const limit = limits?.[kind];
    const keys = counted[kind];
    if (limit === undefined || keys.length <= shareOf(limit, tenants, Math.ceil)) return [];
    const verb = kind === "change" && plan.overwrite?.length ? "change or take over" : kind;
    return [`${verb} ${keys.length} tenants of ${tenants}, and its limits.${kind} is ${limit}: ${listOf(keys)}`];
  });
}

/**
 * A share as a number of tenants. It computes with integers, as 0.29 * 100 is not 29.
 *
 * @param share a number, or a percentage such as `"10%"`.
 * @param round makes a whole number of a percentage's.
 */
export function shareOf(share: number | string, tenants: number, round: (count: number) => number): number {
  if (typeof share === "number") return share;
  const [whole = "", fraction = ""] = share.replace("%", "").split(".");
  return round((Number(whole + fraction) * tenants) / (100 * 10 ** fraction.length));
}
