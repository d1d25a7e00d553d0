import { wavesOf } from "../declared.ts";
import { readOne } from "../raw-tenant.ts";
import { isFrozen, isInWindow } from "./calendar.ts";
import type { Case, MoveRequest } from "./case.ts";
import { type StartedWave, tenantsOf } from "./exported.ts";
import { nextWave, shareOf } from "./membership.ts";

/** Judges whether a tenant may move to the target now: by the calendar, its wave and the failures in it. */
export function judgeForward(of: Case, move: MoveRequest): void {
  const { what, fleet, plan, rollout } = move;
  const { strategy } = fleet;
  if (isFrozen(strategy, of.beganAt) && isFrozen(strategy, of.scene.now())) of.violate(`12: moves ${what} in a freeze`);
  const isOfPlan = rollout?.planNumber === plan.number;
  if (isOfPlan && rollout.phase === "failed") of.violate(`11: moves ${what} in a rollout that has failed`);
  const started = isOfPlan ? rollout.startedWaves : [];
  const open = started.find(({ outcome }) => outcome === undefined);
  const isOver = isOfPlan && rollout.phase === "done"; // then it is one that was behind when all was done
  if (open !== undefined) judgeInWave(of, move, open, open === started[0]);
  else if (!isOver) judgeStart(of, move, started);
}

/** Judges a move while a wave is open. */
function judgeInWave(of: Case, move: MoveRequest, open: StartedWave, isFirst: boolean): void {
  if (!open.open.includes(move.id))
    of.violate(`2: moves ${move.what} while wave ${open.name} is open, which it is not in`);
  judgeFailures(of, move, tenantsOf(open), isFirst);
}

/** Judges a move with which the next wave starts. */
function judgeStart(of: Case, move: MoveRequest, started: readonly StartedWave[]): void {
  const { what, id, fleet, plan, remembered, tenant } = move;
  const { strategy } = fleet;
  const home = remembered.homes.get(id) ?? new Set();
  const isWhereItWas = tenant?.runs === undefined || home.has(tenant.runs) || tenant.runs === String(plan.release);
  const wasLeftByAnother = remembered.moved.get(id)?.release === Number(tenant?.runs);
  if (!isWhereItWas && !wasLeftByAnother) of.violate(`10: moves ${what}, which runs ${tenant?.runs} by hand`);
  const waves = wavesOf(fleet);
  if (started.length >= waves.length) return; // the waves were shortened: those that are left catch up
  const next = nextWave(plan, started, waves, (other) => isToDo(of, move, other), remembered.assigned);
  if (next === undefined) {
    of.violate(`1: moves ${what}, and all waves have started`);
    return;
  }
  if (!next.allowed.has(id)) {
    of.violate(`1: moves ${what}, and wave ${next.index + 1} has the tenants ${[...next.allowed]}`);
  }
  judgeFailures(of, move, [...next.allowed], next.index === 0);
  const wave = waves[next.index];
  if (wave?.approval === "required" && !strategy.approved.includes(wave.name ?? "")) {
    of.violate(`12: moves ${what} in wave ${wave.name}, which is not approved`);
  }
  if (!isInWindow(strategy, of.beganAt) && !isInWindow(strategy, of.scene.now()))
    of.violate(`12: moves ${what} in a wave that started outside the windows`);
}

/** @param members the tenants of the wave. */
function judgeFailures(
  of: Case,
  { what, fleet, remembered }: MoveRequest,
  members: readonly number[],
  isFirst: boolean,
): void {
  const failed = new Set([...(of.failed.get(fleet.name) ?? []), ...remembered.failed]);
  const failedHere = [...failed].filter((id) => members.includes(id));
  const allowed = isFirst ? 0 : shareOf(fleet.strategy.maxFailures, members.length);
  if (failedHere.length > allowed) of.violate(`6: moves ${what} after ${failedHere.length} of its wave have failed`);
}

/** Whether a wave has to do with a tenant: it is live, and was not on the target all along. */
function isToDo({ raw }: Case, { plan, remembered }: MoveRequest, id: number): boolean {
  const tenant = raw.get(id);
  const isThere = tenant?.runs === String(plan.release) && remembered.homes.get(id)?.has(tenant.runs) === true;
  return tenant?.isArchived !== true && !isThere;
}

/** Judges how many are on the target that were moved there and are not proven, the next one included. */
export async function judgeUnavailable(
  of: Case,
  { what, id, fleet, plan, remembered, tenant }: MoveRequest,
): Promise<void> {
  if (tenant?.canRun === false) return;
  const all = [...plan.members, ...plan.newcomers];
  const unproven: number[] = [];
  for (const [other, { release, canRun }] of remembered.moved) {
    const raw = other === id || !canRun || release !== plan.release ? undefined : await readOne(of.scene, other);
    const isThere = raw?.canRun === true && !raw.isArchived && raw.runs === String(release);
    const isMember = all.some((member) => member.id === other && member.key !== undefined);
    if (isThere && isMember && !of.ledger.isProven(other, release)) unproven.push(other);
  }
  const limit = Math.max(1, shareOf(fleet.strategy.maxUnavailable, all.length));
  if (unproven.length + 1 > limit) {
    of.violate(`5: moves ${what} while ${unproven} are moved and not proven, and the limit is ${limit}`);
  }
}
