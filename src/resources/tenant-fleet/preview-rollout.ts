import { isDeepStrictEqual } from "node:util";
import { integrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import type { PreviewedMember, PreviewedPlan } from "../../operation/previewed-plan.ts";
import { orUnknownName, UnknownNameError } from "../../snapshot/index.ts";
import type { CheckedRollout } from "./check-rollout.ts";
import { describeCount, listOf } from "./describe-many.ts";
import { describeFleet, entryAt, logicalNameOf } from "./entry.ts";
import { needsNewPlan, ranked } from "./make-plan.ts";
import { overriddenKeys } from "./overridden.ts";
import { hasRollout, knownRollout, type Membership, membershipOf } from "./rollout.ts";
import { keyedMembers, type RolloutOutlook, rolloutOutlook } from "./rollout-outlook.ts";
import type { TenantFleetState } from "./schema.ts";

/**
 * Announces the rollout of a fleet that does not exist yet.
 *
 * @param taken the ids of the tenants that it takes over, by key.
 */
export function previewNewRollout(
  context: OperationContext,
  fleet: { name: string; tenants: Readonly<Record<string, unknown>> },
  { rollout, target, integration }: CheckedRollout,
  taken: ReadonlyMap<string, number>,
): void {
  const { name, tenants } = fleet;
  const membership = membershipOf(tenants, rollout);
  const members = membership.members.map((key): PreviewedMember => ({ key, id: taken.get(key) }));
  const { keys, pinned, excluded } = membership;
  const planned = { keys, pinned, excluded, members: ranked(name, target, members), newcomers: [] };
  const first = { isNew: true, from: undefined, earlier: [] };
  announce(context, fleet, { integrationId: integration.id, fleet: name, ...target, ...planned, ...first });
}

/**
 * Announces the rollout of a fleet that exists.
 *
 * @param stored the state after `withNewKeys`, as the fleet stored it.
 * @returns whether the stored plan must change.
 */
export async function previewRollout(
  context: OperationContext,
  stored: TenantFleetState,
  fleet: { name: string; tenants: Readonly<Record<string, object>> },
): Promise<boolean> {
  const rollout = knownRollout(fleet);
  if (rollout === undefined) return !hasRollout(fleet) && stored.rolloutPlan !== undefined;
  const { name, tenants } = fleet;
  const { integrationId } = stored;
  const integration = await integrationScope(context, integrationId);
  const overridden = await overriddenKeys(context, fleet, stored);
  const outlook = await orUnknownName(rolloutOutlook(integration, { name, rollout, tenants, stored, overridden }));
  if (outlook instanceof UnknownNameError) return false; // the check reports it
  const plan = previewOf(outlook, { name, stored });
  announce(context, fleet, plan);
  if (plan.isNew) warnOfLatest(context, fleet, outlook);
  return !isDeepStrictEqual(outlook.plan, stored.rolloutPlan);
}

function previewOf(
  { membership, target, plan, basis }: RolloutOutlook,
  { name, stored }: { name: string; stored: TenantFleetState },
): PreviewedPlan {
  const { keys, pinned, excluded } = membership;
  const isNew = needsNewPlan(stored.rolloutPlan, target);
  const all = membership.members.map((key): PreviewedMember => ({ key, id: entryAt(stored.tenants, key)?.tenantId }));
  const created = all.filter(({ id }) => id === undefined);
  const { release, label, attempt, from, earlier } = plan;
  return {
    ...{ integrationId: stored.integrationId, fleet: name },
    ...{ release, label, attempt, keys, pinned, excluded, isNew, from, earlier },
    members: isNew ? ranked(name, basis.target, all) : keyedMembers(plan.members),
    newcomers: isNew ? [] : [...keyedMembers(plan.newcomers), ...created],
  };
}

/** Tells the fleet's `FleetRollout` what the plan is going to be, and the user what a new plan is. */
function announce(
  context: OperationContext,
  fleet: { name: string; logicalName?: unknown },
  plan: PreviewedPlan,
): void {
  context.previewedPlans.set(logicalNameOf(fleet), plan);
  if (!plan.isNew) return;
  const attempt = plan.attempt === 1 ? "" : ` (attempt ${plan.attempt})`;
  context.note(
    `${describeFleet(fleet)}: the release of its rollout is ${plan.label}${attempt}, for ${describeCount(plan.members.length)}${others(plan)}`,
  );
}

function others({ pinned, excluded }: Pick<Membership, "pinned" | "excluded">): string {
  const counts = [
    ...(pinned.length > 0 ? [`${pinned.length} pinned`] : []),
    ...(excluded.length > 0 ? [`${excluded.length} excluded`] : []),
  ];
  return counts.length > 0 ? `; ${counts.join(", ")}` : "";
}

function warnOfLatest(context: OperationContext, fleet: { name: string }, { basis }: RolloutOutlook): void {
  const keys = basis.members.filter(({ id }) => basis.runs.get(id) === "Latest").map(({ key }) => key);
  if (keys.length === 0) return;
  context.warn(
    `${describeFleet(fleet)}: the tenants below follow the channel Latest. Until their wave moves them to a release, they run each ` +
      `new build as soon as it appears, and no wave can hold them: ${listOf(keys)}`,
  );
}
