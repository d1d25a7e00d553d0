import type { Fleet } from "../declared.ts";
import type { Exchange } from "../gate.ts";
import { readOne } from "../raw-tenant.ts";
import type { Case, MoveRequest } from "./case.ts";
import { type Stored, storedBefore, storedOf } from "./exported.ts";
import { judgeForward, judgeUnavailable } from "./forward.ts";
import type { Remembered } from "./memory.ts";

/** Judges a PATCH that changes what a tenant runs. */
export async function judgePatch(
  of: Case,
  { body }: Exchange,
  id: number,
  fleet: Fleet | undefined,
  key: string | undefined,
): Promise<void> {
  const { integration_release_id: releaseId, integration_release_channel: channel } = Object(body);
  const wanted: unknown = channel ?? releaseId;
  if (wanted === undefined || wanted === null) return;
  const to = String(wanted);
  const tenant = await readOne(of.scene, id);
  const what = `tenant ${id} (${key}) to ${to}`;
  if (fleet === undefined || key === undefined) return of.violate(`1: moves ${what}, which is not declared`);
  const entry = fleet.tenants.get(key);
  if (entry?.release !== undefined) return; // a pin, which the fleet itself manages
  if (fleet.exclude.includes(key)) return of.violate(`1: moves ${what}, which is excluded`);
  if (of.raw.get(id)?.isArchived) of.violate(`1: moves ${what}, which is archived`);
  const stored = storedOf(of.scene.stack.state, fleet.name);
  const { plan, rollout } = stored;
  if (plan === undefined) return of.violate(`7: moves ${what} before a plan is stored`);
  const remembered = of.memory.update(fleet, stored, of.raw);
  const isMember = [...plan.members, ...plan.newcomers].some((member) => member.id === id && member.key === key);
  if (!isMember) of.violate(`1: moves ${what}, which is not in the stored plan`);
  const isBack = isWayBack(fleet, stored, remembered, { to, from: tenant?.runs });
  const home = remembered.homes.get(id) ?? new Set();
  const isStored = storedBefore(stored, id).some((ref) => home.has(String(ref)));
  const isOver = rollout?.planNumber === plan.number && rollout.phase === "done";
  if (!isBack && !isOver && !isStored) {
    of.violate(`7: moves ${what}, and the plan has ${plan.before(id)} as before, not ${[...home]}`);
  }
  if (fleet.strategy.paused) of.violate(`12: moves ${what} while the rollout is paused`);
  // a raised attempt tries the release on all tenants again
  const { byHand, moved } = remembered;
  const isOfThis = byHand.get(id) === plan.number && moved.get(id)?.release === plan.release;
  if ((isBack ? byHand.has(id) : isOfThis) && tenant?.runs !== String(plan.release)) {
    const isManaged = rollout?.phase === "done" && rollout.direction === "forward";
    if (!isManaged) of.violate(`10: moves ${what}, which was changed by hand since it moved`);
  }
  const move: MoveRequest = { what, id, to, fleet, plan, rollout, remembered, tenant };
  if (isBack) return judgeBack(of, move);
  if (to !== String(plan.release)) return of.violate(`10: moves ${what}, neither the target nor before`);
  judgeForward(of, move);
  await judgeUnavailable(of, move);
  of.moving = { fleet: fleet.name, tenantId: id, release: plan.release, canRun: tenant?.canRun !== false };
}

/** Whether a tenant's move is on the way back: to what it ran before, not to a new target. */
function isWayBack(
  { strategy }: Fleet,
  { plan, rollout }: Stored,
  { moved, targets }: Remembered,
  { to, from }: { to: string; from: string | undefined },
): boolean {
  const isOfPlan = rollout !== undefined && rollout.planNumber === plan?.number;
  if (isOfPlan && rollout.direction === "back") return true;
  if (isOfPlan && rollout.phase === "failed" && strategy.onFailure === "rollback") return to !== String(plan?.release);
  // one that was put on an earlier target by hand looks as if a killed step had moved it
  const mayBeMoved = from !== undefined && targets.has(from) && from !== String(plan?.release);
  const hasMoved = mayBeMoved || [...moved.values()].some(({ release }) => release !== plan?.release);
  return !isOfPlan && rollout !== undefined && rollout.finished === plan?.release && hasMoved;
}

function judgeBack(of: Case, { what, id, to, remembered, tenant }: MoveRequest): void {
  const { homes, moved, targets } = remembered;
  const home = homes.get(id) ?? new Set();
  if (!home.has(to)) of.violate(`10: takes back ${what}, and it ran ${[...home]} before`);
  const last = moved.get(id);
  const mayBeMoved = tenant?.runs !== undefined && targets.has(tenant.runs);
  if (mayBeMoved) return;
  if (last === undefined) of.violate(`10: takes back ${what}, which nobody has moved`);
  else if (tenant !== undefined && tenant.runs !== String(last.release) && tenant.runs !== to) {
    of.violate(`10: takes back ${what}, which runs ${tenant.runs} by hand`);
  }
}
