import pLimit from "p-limit";
import { CancelledError, ValidationError } from "../../api/index.ts";
import { wait } from "../../operation/poll.ts";
import type { EarlierPlan } from "../../operation/previewed-plan.ts";
import { idsOf } from "./begin.ts";
import { readIds } from "./ids.ts";
import { configsMisfit, moveTenant } from "./move.ts";
import { overriddenReason } from "./overridden.ts";
import { changedByHandReason } from "./prove.ts";
import { describeRefusal } from "./refusal.ts";
import { type ReleaseRef, readReleaseRefs } from "./release-ref.ts";
import type { Rollout } from "./rollout.ts";
import { errorsMaximum, freshView, type RolloutStepContext } from "./rollout-step-context.ts";
import type { RolloutTenant, RolloutView } from "./rollout-view.ts";

const concurrency = 64; // the client limits the number of concurrent requests itself

/** How the reason begins for which a way back has left a tenant. */
export const leftByWayBack = "the rollback left it: ";

/** What the way back has done. */
export interface TakenBack {
  taken: readonly number[];
  /** The tenants that were left, with the reasons. */
  left: ReadonlyMap<number, string>;
  /** What each tenant returns to, those that were left included. Tenants of which it is not known are missing. */
  returnsTo: ReadonlyMap<number, ReleaseRef>;
  /** Whether there were tenants that ran already what they return to. */
  isAnyOnFormer: boolean;
}

/**
 * Takes all tenants back. A step that was killed may have moved one that the lists do not show on the release yet, so it looks
 * again once they show all earlier writes.
 */
export async function takeAllBack(step: RolloutStepContext): Promise<TakenBack> {
  const { context, errors } = step;
  const first = await takeBack(step);
  if (errors.length > 0 || !first.isAnyOnFormer) return first;
  await wait(context.consistencyTimeoutSeconds * 1000, context.signal);
  const second = await takeBack(step);
  return { ...second, taken: [...new Set([...first.taken, ...second.taken])] };
}

/**
 * Takes the tenants that a rollout has moved back to what they ran before, in any order and without a proof. A tenant that
 * was changed by hand since is left, and so is one that is overridden. Errors of the network are in the step's errors: the
 * next `up` goes on.
 *
 * @param only the tenants to take back, of which the rollout has stored what they return to. Default: all.
 */
export async function takeBack(step: RolloutStepContext, only?: readonly number[]): Promise<TakenBack> {
  const { context, integration, rollout, errors } = step;
  const view = await freshView(step);
  const undone = new Set(
    (rollout.direction === "forward" || rollout.phase === "failed" ? [rollout.release] : [])
      .concat(rollout.superseded)
      .map(String),
  );
  const returnOf = returnsOf(step, undone);
  const left = new Map<number, string>();
  const returnsTo = new Map<number, ReleaseRef>();
  let isAnyOnFormer = false;
  const toTake: (RolloutTenant & { before: ReleaseRef })[] = [];
  for (const tenant of view.tenants.values()) {
    if (only !== undefined && !only.includes(tenant.id)) continue;
    const before = only === undefined ? returnOf(tenant.id) : rollout.before.get(tenant.id);
    if (before !== undefined) returnsTo.set(tenant.id, before);
    if (tenant.runs === before && before !== undefined) {
      isAnyOnFormer = true;
      continue;
    }
    const reason = await reasonToLeave(step, view, tenant, before, undone);
    if (reason !== undefined) left.set(tenant.id, reason);
    else if (before !== undefined) toTake.push({ ...tenant, before });
  }
  const taken: number[] = [];
  await pLimit(concurrency).map(toTake, async ({ id, tenant, before }) => {
    if (errors.length >= errorsMaximum) return;
    if (context.signal.aborted) {
      errors.push(new CancelledError());
      return;
    }
    try {
      await moveTenant(context, integration, tenant, before);
      taken.push(id);
    } catch (error) {
      if (error instanceof ValidationError) left.set(tenant.id, `the platform refused it: ${describeRefusal(error)}`);
      else errors.push(error);
    }
  });
  return { taken, left, returnsTo, isAnyOnFormer };
}

/**
 * Returns a function that tells what a tenant returns to: what it ran before. If that is a release that is taken back itself, it
 * is what it ran before the first of these rollouts, or what new tenants get if the fleet created it on the release. Somebody else
 * may have moved it to the release before: then it stays.
 */
function returnsOf({ inputs: { plan }, rollout }: RolloutStepContext, undone: ReadonlySet<string>) {
  const planned = readReleaseRefs(plan.before, idsOf(plan));
  const created = new Set([...createdBy(plan), ...createdOn(undone, plan.earlier, rollout)]);
  if (plan.created === undefined) for (const id of rollout.newcomers) created.add(id);
  return (id: number): ReleaseRef | undefined => {
    const before = rollout.before.get(id);
    const isTakenBack = rollout.direction === "back" ? undone.has(before ?? "") : before === String(rollout.release);
    if (!isTakenBack) return before;
    const found = planned.get(id) ?? "";
    const isCreatedOnIt = created.has(id) && (found === before || undone.has(found));
    const ofNewTenants = isCreatedOnIt ? (rollout.finished?.toString() ?? plan.from) : before;
    return rollout.origins.get(id) ?? ofNewTenants;
  };
}

/**
 * The tenants that the fleet has created on releases that are taken back, since the last rollout that finished: what was created
 * before is where it belongs.
 *
 * @param earlier the plans before the last one.
 */
export function createdOn(
  undone: ReadonlySet<string>,
  earlier: readonly EarlierPlan[],
  { finishedPlan = 0 }: Pick<Rollout, "finishedPlan">,
): number[] {
  return earlier.flatMap((one) => (one.number > finishedPlan && undone.has(String(one.release)) ? createdBy(one) : []));
}

function createdBy({ created, joined }: Pick<EarlierPlan, "created" | "joined">): number[] {
  return readIds(created ?? joined);
}

/** Why a tenant is not taken back. */
async function reasonToLeave(
  { context }: RolloutStepContext,
  { integration }: RolloutView,
  tenant: RolloutTenant,
  before: ReleaseRef | undefined,
  undone: ReadonlySet<string>,
): Promise<string | undefined> {
  if (tenant.runs === undefined || !undone.has(tenant.runs)) return changedByHandReason(tenant);
  if (before === undefined) return "it is not known what it ran before";
  if (tenant.isOverridden) return overriddenReason;
  return configsMisfit(context, integration, tenant.tenant, before);
}
