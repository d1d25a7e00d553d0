import { digest } from "../../json/digest.ts";
import { readIds, writeIds } from "../fleet-rollout/ids.ts";
import { type ReleaseRef, readReleaseRefs, writeReleaseRefs } from "../fleet-rollout/release-ref.ts";
import { type PlanMember, presentIds, type RolloutPlan, readMembers, writeMembers } from "./rollout-plan.ts";

const earlierMaximum = 20;

/** What a rollout takes the tenants to. */
export interface RolloutTarget {
  /** Id of the release. */
  release: number;
  /** The release in messages and in `approvals`: its tag, or its id if it has none. */
  label: string;
  attempt: number;
}

/** What a plan is made of. */
export interface PlanBasis {
  /** Name of the fleet. */
  fleet: string;
  target: RolloutTarget;
  /** The plan so far. */
  stored: RolloutPlan | undefined;
  /** The tenants of the rollout. */
  members: readonly { key: string; id: number }[];
  /** What the live tenants run; `undefined` where the platform does not show it. */
  runs: ReadonlyMap<number, ReleaseRef | undefined>;
  /** The ids of the tenants that the fleet has just created on the target, or on that of an earlier rollout. Default: none. */
  created?: ReadonlySet<number>;
  /** The keys of the tenants whose override is in force. Default: none. */
  overridden?: ReadonlySet<string>;
}

/** Whether a target needs a plan of its own. */
export function needsNewPlan(stored: RolloutPlan | undefined, { release, attempt }: RolloutTarget): boolean {
  return stored === undefined || stored.release !== release || stored.attempt !== attempt;
}

/**
 * The plan for a target: the stored one with those who came and went since, or a new one.
 *
 * @param from the release of tenants that come during a new rollout, if it has been decided before tenants were created.
 */
export function makePlan(basis: PlanBasis, from: ReleaseRef | undefined = fromOf(basis)): RolloutPlan {
  const { stored, target } = basis;
  const plan = stored === undefined || needsNewPlan(stored, target) ? newPlan(basis, from) : keptPlan(stored, basis);
  const { overridden: _, ...others } = plan;
  const overridden = overriddenIds(basis);
  return overridden === "" ? others : { ...others, overridden };
}

function overriddenIds({ members, overridden }: PlanBasis): string {
  const ids = members.flatMap(({ key, id }) => (overridden?.has(key) ? [id] : []));
  return writeIds(ids.sort((left, right) => left - right));
}

/** Tenants by rank. It depends on nothing but their keys and the rollout, and spreads large and small tenants evenly. */
export function ranked<Ranked extends { key: string }>(
  fleet: string,
  { release, attempt }: RolloutTarget,
  members: readonly Ranked[],
): Ranked[] {
  const withRank = members.map((member) => ({ member, rank: digest([fleet, member.key, release, attempt]) }));
  return withRank.sort((left, right) => (left.rank < right.rank ? -1 : 1)).map(({ member }) => member);
}

/**
 * The release or channel of tenants that come while the rollout is under way: the last that a rollout has finished, or what
 * most tenants ran before the first rollout.
 */
export function fromOf({ stored, target, members, runs }: PlanBasis): ReleaseRef | undefined {
  if (stored === undefined) return mostRun(members.map(({ id }) => runs.get(id)));
  if (!needsNewPlan(stored, target) || stored.from === String(target.release)) return stored.from;
  return isOver(stored, members, runs) ? String(stored.release) : stored.from;
}

/** The release or channel on which a tenant of the plan is created. */
export function releaseOfNewcomers(
  plan: RolloutPlan,
  { members, runs }: Pick<PlanBasis, "members" | "runs">,
): ReleaseRef {
  return plan.from === undefined || isOver(plan, members, runs) ? String(plan.release) : plan.from;
}

/** Whether each live tenant of a plan is on its release, or was changed by hand. It is if there are none. */
function isOver(plan: RolloutPlan, members: PlanBasis["members"], runs: PlanBasis["runs"]): boolean {
  const isMember = new Set(members.map(({ id }) => id));
  const live = listed(plan).filter(({ key, id }) => key !== undefined && isMember.has(id) && runs.has(id));
  const before = beforeOf(plan);
  // an earlier rollout that did not finish may have left tenants on its release
  const byRollouts = new Set(plan.earlier.map(({ release }) => String(release)));
  return live.every(({ id }) => {
    const [ref, former] = [runs.get(id), before.get(id)];
    if (ref === String(plan.release)) return true;
    return ref !== undefined && former !== undefined && ref !== former && !byRollouts.has(ref);
  });
}

/** What each tenant of a plan ran before. */
export function beforeOf(plan: RolloutPlan): Map<number, ReleaseRef | undefined> {
  return readReleaseRefs(
    plan.before,
    listed(plan).map(({ id }) => id),
  );
}

function newPlan(
  { fleet, target, stored, members, runs, created = new Set() }: PlanBasis,
  from: ReleaseRef | undefined,
): RolloutPlan {
  // after the end of a rollout, what its tenants run is what the next one finds
  const unfinished = stored !== undefined && isOver(stored, members, runs) ? undefined : stored;
  const handedOn = unfinished && beforeOf(unfinished);
  const isHandedOn = new Set(unfinished && presentIds(listed(unfinished)));
  const before = members.map(({ id }) => [id, isHandedOn.has(id) ? handedOn?.get(id) : runs.get(id)] as const);
  const wasRanked = new Set(stored && presentIds(readMembers(stored.members)));
  const { release, label, attempt } = target;
  return {
    number: (stored?.number ?? 0) + 1,
    release,
    label,
    attempt,
    ...(from === undefined ? {} : { from }),
    members: writeMembers(ranked(fleet, target, members)),
    newcomers: "",
    before: writeReleaseRefs(byId(before)),
    joined: writeIds(stored ? members.map(({ id }) => id).filter((id) => !wasRanked.has(id)) : []),
    created: writeIds(stored ? created : []),
    earlier: stored ? [earlierOf(stored), ...stored.earlier].slice(0, earlierMaximum) : [],
  };
}

function earlierOf({ number, release, label, joined, created }: RolloutPlan): RolloutPlan["earlier"][number] {
  return { number, release, label, joined, ...(created === undefined ? {} : { created }) };
}

/** The stored plan, in which nobody else moves up when a tenant comes or goes. */
function keptPlan(stored: RolloutPlan, { members, runs, created = new Set() }: PlanBasis): RolloutPlan {
  const keyOf = new Map(members.map(({ key, id }) => [id, key]));
  // a tenant that has left and is back comes as a newcomer: the wave in which it was may be over
  const renewed = ({ key, id }: PlanMember) => ({ key: key === undefined ? undefined : keyOf.get(id), id });
  const [kept, came] = [readMembers(stored.members).map(renewed), readMembers(stored.newcomers).map(renewed)];
  const isListed = new Set([...kept, ...came].flatMap(({ key, id }) => (key === undefined ? [] : [id])));
  const joined = members.filter(({ id }) => !isListed.has(id));
  const known = beforeOf(stored);
  // one that has left and is back may run a release of a rollout, which is not what it ran before
  const byRollouts = new Set([stored, ...stored.earlier].map(({ release }) => String(release)));
  const isMoved = (id: number) => known.has(id) && byRollouts.has(runs.get(id) ?? "");
  const before = [...known, ...joined.map(({ id }) => [id, isMoved(id) ? known.get(id) : runs.get(id)] as const)];
  return {
    ...stored,
    members: writeMembers(kept),
    newcomers: writeMembers([...came, ...joined]),
    ...(stored.created === undefined ? {} : { created: writeIds(new Set([...readIds(stored.created), ...created])) }),
    before: joined.length === 0 ? stored.before : writeReleaseRefs(byId(before)),
  };
}

/** What tenants ran, in the order of their ids, which does not depend on the ranking. */
function byId(refs: readonly (readonly [number, ReleaseRef | undefined])[]): Map<number, ReleaseRef | undefined> {
  return new Map([...new Map(refs)].sort(([left], [right]) => left - right));
}

function listed({ members, newcomers }: RolloutPlan): PlanMember[] {
  return [...readMembers(members), ...readMembers(newcomers)];
}

/** What most tenants run, among those of which it is known. */
function mostRun(refs: readonly (ReleaseRef | undefined)[]): ReleaseRef | undefined {
  return writeReleaseRefs(new Map(refs.map((ref, index) => [index, ref]))).most;
}
