import { isAffected, markOf, type Rollout } from "./rollout.ts";
import type { RolloutTenant, RolloutView } from "./rollout-view.ts";

/** Why a tenant is left whose override is in force. It is moved, or taken back, once the override has ended. */
export const overriddenReason = "it is overridden";

/** The overridden tenants that the rollout has still to move, to prove or to take back. */
export function countOverridden(rollout: Rollout, { tenants }: RolloutView): number {
  return [...tenants.values()].filter((tenant) => tenant.isOverridden && isBehind(rollout, tenant)).length;
}

/** The overridden tenants in a status: `3 tenants are overridden`. */
export function describeOverridden(count: number): string {
  return count === 1 ? "1 tenant is overridden" : `${count} tenants are overridden`;
}

/** Where a status counts overridden tenants. What is before is kept when their number changes. */
export const overriddenInStatus = /; \d+ tenants? (?:is|are) overridden/;

/** Whether none of these tenants of a wave can move, as all of them are overridden. Those that were there before do not count. */
export function areAllOverridden(rollout: Rollout, { tenants }: RolloutView, ids: readonly number[]): boolean {
  const toMove = ids.flatMap((id) => {
    const tenant = tenants.get(id);
    return tenant !== undefined && isBehind(rollout, tenant) ? [tenant] : [];
  });
  return toMove.length > 0 && toMove.every(({ isOverridden }) => isOverridden);
}

/**
 * The tenants that the way back has left as they were overridden, and are no longer: they can be taken back now, unless they are
 * gone, or somebody has done it.
 */
export function lateToTakeBack({ direction, phase, reasons }: Rollout, { tenants }: RolloutView): number[] {
  if (direction !== "back" || (phase !== "done" && phase !== "failed")) return [];
  const left = [...reasons].flatMap(([id, reason]) => (reason === overriddenReason ? [id] : []));
  return left.filter((id) => tenants.get(id)?.isOverridden !== true);
}

function isBehind(rollout: Rollout, { id, runs }: RolloutTenant): boolean {
  if (rollout.direction === "back") {
    return rollout.reasons.get(id) === overriddenReason && runs !== rollout.before.get(id);
  }
  if (runs !== String(rollout.release)) return true;
  const mark = markOf(rollout, id);
  return isAffected(rollout, id) && mark !== "proven" && mark !== "skipped";
}
