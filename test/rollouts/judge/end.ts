import type { Fleet } from "../declared.ts";
import type { RawTenant } from "../raw-tenant.ts";
import { type Case, nothing } from "./case.ts";
import { type Plan, type Rollout, type Stored, tenantsOf } from "./exported.ts";
import type { Remembered } from "./memory.ts";

/** A rollout after an `up`. */
interface Ended {
  readonly fleet: Fleet;
  readonly plan: Plan;
  readonly rollout: Rollout;
  readonly remembered: Remembered;
  /** The tenants after the command. */
  readonly raw: ReadonlyMap<number, RawTenant>;
}

/** Judges what an `up` has stored of a fleet's rollout. */
export function judgeEnd(
  of: Case,
  fleet: Fleet,
  after: Stored,
  raw: ReadonlyMap<number, RawTenant>,
  hasRun: boolean,
): void {
  const { plan, rollout } = after;
  if (plan === undefined || rollout === undefined) return;
  const before = of.before.get(fleet.name) ?? nothing;
  const remembered = of.memory.update(fleet, after);
  for (const id of of.failed.get(fleet.name) ?? []) remembered.failed.add(id);
  if (rollout.planNumber !== plan.number) return;
  const ended: Ended = { fleet, plan, rollout, remembered, raw };
  const wasSame = before.rollout?.planNumber === rollout.planNumber;
  judgeWaves(of, ended, wasSame ? (before.rollout?.startedWaves ?? []) : []);
  const isDone = hasRun && rollout.phase === "done";
  const isEnd = isDone && !(wasSame && before.rollout?.phase === "done");
  if (isDone && rollout.direction === "forward") rememberFinished(ended);
  if (isEnd && rollout.direction === "forward") judgeFinished(of, ended);
  if (isEnd && rollout.direction === "back") judgeTakenBack(of, ended);
}

/** Judges that a refresh or preview has left the plan of a fleet as it was. */
export function judgeUnchangedPlan(of: Case, { name }: Fleet, after: Stored): void {
  if (JSON.stringify(of.before.get(name)?.plan) !== JSON.stringify(after.plan))
    of.violate(`a refresh or preview changed the plan of ${name}`);
}

/** @param started the waves that had started before the command. */
function judgeWaves(of: Case, ended: Ended, started: Rollout["startedWaves"]): void {
  const { fleet, rollout, remembered } = ended;
  const isBehind = (id: number) => of.raw.get(id)?.runs !== String(rollout.release);
  const hasWork = (id: number) => of.raw.get(id)?.isArchived === false && isBehind(id);
  const begun = rollout.startedWaves
    .slice(started.length)
    .filter((wave) => [...wave.open, ...wave.proven, ...wave.failed, ...wave.skipped.filter(hasWork)].length > 0);
  if (begun.length > 1) of.violate(`2: ${fleet.name}: ${begun.length} waves began in one up`);
  if (begun.length > 0 && started.some(({ outcome }) => outcome === undefined))
    of.violate(`2: ${fleet.name}: a wave began before the outcome of the last one was stored`);
  for (const [index, wave] of rollout.startedWaves.entries()) {
    const twice = tenantsOf(wave).filter((id, place, all) => all.indexOf(id) !== place);
    if (twice.length > 0) of.violate(`1: ${fleet.name}: ${twice} are twice in wave ${wave.name}`);
    const wasProven = new Set(started[index]?.proven);
    for (const id of wave.proven) {
      if (!wasProven.has(id) && !of.ledger.isProven(id, rollout.release))
        of.violate(`3, 4: ${fleet.name}: tenant ${id} counts as proven on ${rollout.release} without a sync`);
      remembered.homes.set(id, new Set([...(remembered.homes.get(id) ?? []), String(rollout.release)]));
    }
    const had = started[index] === undefined ? [] : tenantsOf(started[index]);
    const came = tenantsOf(wave).filter((id) => !had.includes(id) && isBehind(id));
    if (rollout.direction === "forward") judgeMembership(of, ended, index, came);
  }
}

/**
 * A tenant that the rollout began with is in the wave that it was in from the start.
 *
 * @param came Those of the wave that came to it now. One that is on the release already, by hand or by a rollout before,
 * is not among them: it is proven with the wave that comes first.
 */
function judgeMembership(
  of: Case,
  { fleet, plan, rollout, remembered }: Ended,
  index: number,
  came: readonly number[],
): void {
  const { assigned } = remembered;
  if (assigned === undefined || rollout.startedWaves[index]?.name === "stragglers") return;
  const present = new Set(plan.members.flatMap(({ key, id }) => (key === undefined ? [] : [id])));
  for (const id of came) {
    const expected = assigned.get(id);
    const isJoined = expected === undefined || !present.has(id);
    if (!isJoined && expected !== index)
      of.violate(`9: ${fleet.name}: tenant ${id} is in wave ${index + 1}, and belongs to ${expected + 1}`);
  }
}

function judgeFinished(of: Case, ended: Ended): void {
  const { fleet, rollout, remembered } = ended;
  for (const { id, key, tenant } of liveTenants(ended)) {
    const isNamed = of.scene.messages.some((message) => message.includes(String(id)) || message.includes(key));
    const isAnnounced = rollout.status.includes("the others move with the next up");
    const isKnown = Object.hasOwn(rollout.reasons, String(id)) || isNamed || isAnnounced;
    if (tenant.runs !== String(rollout.release) && !isKnown)
      of.violate(`11: ${fleet.name}: all is done, and ${key} (${id}) is left behind on ${tenant.runs}, unnamed`);
  }
  remembered.targets.clear();
}

/** Notes which tenants are at home on the release of a finished rollout. Those left behind get there with a later `up`. */
function rememberFinished(ended: Ended): void {
  const { rollout, remembered } = ended;
  for (const { id, tenant } of liveTenants(ended)) {
    if (tenant.runs === String(rollout.release)) remembered.homes.set(id, new Set([tenant.runs]));
    if (remembered.moved.get(id)?.release === rollout.release) remembered.moved.delete(id);
  }
}

function judgeTakenBack(of: Case, ended: Ended): void {
  const { fleet, rollout, remembered } = ended;
  for (const { id, key, tenant } of liveTenants(ended)) {
    if (!remembered.moved.has(id) || remembered.byHand.has(id)) continue;
    const home = remembered.homes.get(id) ?? new Set();
    const isKnown = Object.hasOwn(rollout.reasons, String(id));
    if (!home.has(tenant.runs ?? "") && !isKnown)
      of.violate(`10: ${fleet.name}: all is back, and ${key} (${id}) runs ${tenant.runs}, not ${[...home]}`);
  }
  remembered.moved.clear();
  remembered.byHand.clear();
  remembered.targets.clear();
}

/** The tenants of the plan that are declared and not archived. */
function liveTenants({ plan, raw }: Ended): { id: number; key: string; tenant: RawTenant }[] {
  return [...plan.members, ...plan.newcomers].flatMap(({ id, key }) => {
    const tenant = raw.get(id);
    return key === undefined || tenant === undefined || tenant.isArchived ? [] : [{ id, key, tenant }];
  });
}
