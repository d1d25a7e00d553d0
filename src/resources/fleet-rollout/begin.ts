import type { EarlierPlan } from "../../operation/previewed-plan.ts";
import { presentIds, type RolloutPlan, readMembers } from "../tenant-fleet/rollout-plan.ts";
import { readIds } from "./ids.ts";
import { type ReleaseRef, readReleaseRefs } from "./release-ref.ts";
import { isAffected, type Mark, marked, markOf, type Rollout, readProgress } from "./rollout.ts";
import type { RolloutView } from "./rollout-view.ts";
import type { PastRollout, Progress } from "./schema.ts";
import { stragglers } from "./waves.ts";

/** Where a plan comes from, as a preview knows it too. */
export interface PlanOrigin {
  release: number;
  from?: string | undefined;
  earlier: readonly EarlierPlan[];
}

/** The outcomes that the state keeps. */
const historyMaximum = 20;

/**
 * The rollout of a plan: the stored one, or a new one that supersedes it. All that it takes from the stored one is decided
 * by what is stored alone, so that an `up` after a kill begins in the same way.
 *
 * @param clock the platform's time, ISO 8601.
 */
export function rolloutOf(plan: RolloutPlan, stored: Progress | undefined, clock: string): Rollout {
  const ids = idsOf(plan);
  if (stored === undefined || !isOf(plan, stored)) return begin(plan, stored, clock);
  const rollout = readProgress(stored, ids);
  const planned = readReleaseRefs(plan.before, ids);
  const newcomers = new Set(presentIds(readMembers(plan.newcomers)));
  // of those that the stored rollout had, it knows better: it may have proven them since
  for (const id of newcomers) if (!rollout.newcomers.has(id)) rollout.before.set(id, planned.get(id));
  return { ...rollout, newcomers, clock };
}

/**
 * Completes a rollout that has no stored progress: nothing was stored yet, or the state is lost. If its first step was killed, it
 * can only have moved tenants of the first wave. All others that are on the release were moved by somebody else, or by the rollout
 * whose state is lost. They are neither synced nor taken back. Those on the release of an earlier rollout return to it, unless
 * this one is the way back: that rollout may have finished.
 *
 * @param firstWave the tenants of the first wave that has anybody to move.
 * @returns the others that are on the release.
 */
export function takeAsFound(
  { before, release, direction }: Rollout,
  { tenants }: RolloutView,
  plan: RolloutPlan,
  firstWave: ReadonlySet<number>,
): number[] {
  const found: number[] = [];
  const earlier = direction === "back" ? [] : plan.earlier.map((one) => String(one.release));
  for (const { id, runs } of tenants.values()) {
    if (runs === undefined || before.get(id) === runs) continue;
    const isTarget = runs === String(release);
    if (isTarget ? firstWave.has(id) : runs !== plan.from && !earlier.includes(runs)) continue;
    before.set(id, runs);
    if (isTarget) found.push(id);
  }
  return found;
}

/**
 * The stored progress of a plan's fleet; `undefined` if it is of a fleet that was replaced, whose tenants are archived: the plans
 * of the new one begin anew.
 */
export function progressOf<Stored extends Progress>(plan: RolloutPlan, stored: Stored | undefined): Stored | undefined {
  if (stored === undefined || plan.number > stored.planNumber) return stored;
  const known = idsIn(stored);
  const ids = new Set(idsOf(plan));
  const isSame = known.length === 0 ? mayBeOf(plan, stored) : known.some((id) => ids.has(id));
  return isSame ? stored : undefined;
}

/** The ids of the tenants that a stored progress names. It need not name any until a wave has started. */
export function idsIn(stored: Progress): number[] {
  const { waves, newcomers } = readProgress(stored, []);
  const others = Object.values(stored.before.others).flatMap(readIds);
  return [...waves.flatMap(({ marks }) => [...marks.keys()]), ...newcomers, ...others];
}

/**
 * Whether a stored progress that names no tenant can be of a plan's fleet. The numbers of a fleet's plans never fall. A first plan
 * may be of a fleet that replaced the other. Then what the tenants ran before tells whether it has taken over those of the other:
 * new tenants were created on the release itself.
 */
function mayBeOf(plan: RolloutPlan, { planNumber, before }: Progress): boolean {
  if (plan.number !== 1) return plan.number === planNumber;
  const planned = readReleaseRefs(plan.before, idsOf(plan));
  const members = presentIds(readMembers(plan.members));
  const mayTell = members.length > 0 && before.most !== String(plan.release);
  if (planNumber !== 1 && !mayTell) return false;
  return members.every((id) => planned.get(id) === before.most);
}

/** Whether a stored progress is that of a plan. */
export function isOf(plan: RolloutPlan, { planNumber, release, attempt }: Progress): boolean {
  return planNumber === plan.number && release === plan.release && attempt === plan.attempt;
}

/** The ids of a plan's tenants, those that have left included. */
export function idsOf(plan: RolloutPlan): number[] {
  return [...listedIn(plan.members), ...listedIn(plan.newcomers)];
}

function listedIn(members: string): Set<number> {
  return new Set(readMembers(members).map(({ id }) => id));
}

function begin(plan: RolloutPlan, stored: Progress | undefined, clock: string): Rollout {
  const ids = idsOf(plan);
  const before = stored && readProgress(stored, ids);
  const superseded = supersededBy(plan, before);
  const finished = before === undefined ? releaseFrom(plan) : before.finished;
  // the plans of a fleet that was replaced count from 1 again
  const finishedPlan = before && before.planNumber < plan.number ? before.finishedPlan : undefined;
  const isBack = plan.release === finished && superseded.length > 0;
  const history = [...(before && isUnderWay(before) ? [outcomeOf(before, "superseded", clock)] : [])];
  const rollout: Rollout = {
    planNumber: plan.number,
    release: plan.release,
    label: plan.label,
    attempt: plan.attempt,
    direction: isBack ? "back" : "forward",
    phase: "progressing",
    status: "",
    remaining: "",
    waves: [],
    pending: new Map(),
    reasons: new Map(),
    olderFailures: new Map(),
    newcomers: new Set(presentIds(readMembers(plan.newcomers))),
    ...beforeOf(plan, before, { isBack, superseded }),
    superseded,
    ...(finished === undefined ? {} : { finished }),
    ...(finishedPlan === undefined ? {} : { finishedPlan }),
    approvedReleases: [],
    history: [...history, ...(before?.history ?? [])].slice(0, historyMaximum),
    clock,
  };
  if (isBack || !hasFailed(rollout)) return rollout;
  const failure = failedBefore(rollout);
  return { ...rollout, phase: "failed", status: failure, failure };
}

/**
 * A rollout's history with one more outcome.
 *
 * @param of the release that it is about. Default: the rollout's own.
 */
export function withOutcome(
  rollout: Rollout,
  outcome: PastRollout["outcome"],
  clock: string,
  reason?: string,
  of: Partial<Pick<PastRollout, "release" | "label" | "attempt">> = {},
): PastRollout[] {
  return [{ ...outcomeOf(rollout, outcome, clock, reason), ...of }, ...rollout.history].slice(0, historyMaximum);
}

function outcomeOf(rollout: Rollout, outcome: PastRollout["outcome"], at: string, reason?: string): PastRollout {
  const { release, label, attempt, waves } = rollout;
  const count = (mark: Mark) => marked(waves, mark).filter((id) => isAffected(rollout, id)).length;
  return {
    release,
    label,
    attempt,
    outcome,
    at,
    proven: count("proven"),
    skipped: count("skipped"),
    left: count("left"),
    failed: count("failed"),
    ...(reason === undefined ? {} : { reason }),
  };
}

/**
 * What each tenant ran when it was last proven or when a rollout with it finished; otherwise, what it ran when it joined. On
 * the way back, the proofs of unfinished rollouts do not count: the tenants return to what they ran before the first of them.
 * If a tenant had left and is back, what it ran before it left no longer counts, unless an unfinished rollout has moved it to
 * what it runs now.
 */
function beforeOf(
  plan: RolloutPlan,
  before: Rollout | undefined,
  { isBack, superseded }: { isBack: boolean; superseded: readonly number[] },
): Pick<Rollout, "before" | "origins"> {
  const planned = readReleaseRefs(plan.before, idsOf(plan));
  if (before === undefined) return { before: planned, origins: new Map() };
  const since = plan.earlier.filter(({ number }) => number > before.planNumber);
  const joined = new Set([...listedIn(plan.newcomers), ...[plan, ...since].flatMap((one) => readIds(one.joined))]);
  const targets = [before.release, ...before.superseded, ...since.map(({ release }) => release)];
  const unfinished = new Set<ReleaseRef | undefined>(
    [...superseded, plan.release].filter((release) => targets.includes(release)).map(String),
  );
  const isMoved = (id: number, ref: ReleaseRef | undefined) => markOf(before, id) !== undefined && unfinished.has(ref);
  const origins: Rollout["origins"] = new Map();
  const found = [...planned].map(([id, ref]): [number, ReleaseRef | undefined] => {
    if (joined.has(id) && !before.newcomers.has(id) && !isMoved(id, ref)) return [id, ref];
    const isProven = markOf(before, id) === "proven" && before.direction === "forward";
    const known = before.before.get(id);
    const origin = before.origins.get(id) ?? known;
    if (isBack) return [id, origin];
    const now = isProven ? String(before.release) : known;
    if (origin !== undefined && origin !== now) origins.set(id, origin);
    return [id, now];
  });
  return { before: new Map(found), origins };
}

/** The targets of the rollouts that did not come to an end before this one. */
export function supersededBy(plan: PlanOrigin, before: Rollout | undefined): number[] {
  const since = plan.earlier.filter(({ number }) => before === undefined || number > before.planNumber);
  const releases = [...since.map(({ release }) => release), ...(before === undefined ? [] : unfinishedOf(before))];
  // without a stored rollout, the plan tells which one has finished
  const finished = before === undefined ? releaseFrom(plan) : undefined;
  return [...new Set(releases)].filter((release) => release !== plan.release && release !== finished);
}

/** The releases to which an unfinished rollout and those before it may have moved tenants. */
function unfinishedOf(rollout: Rollout): number[] {
  const { direction, phase, release, finished, superseded } = rollout;
  // after the way back, there are only those from which overridden tenants have not been taken yet
  if (direction === "back") return phase === "failed" ? [release, ...superseded] : superseded;
  return finished === release ? [] : [release, ...superseded];
}

function isUnderWay({ phase, direction }: Rollout): boolean {
  return direction === "forward" && (phase === "progressing" || phase === "waiting");
}

/** The release that counts as the last finished one before the first rollout. */
function releaseFrom({ from }: Pick<PlanOrigin, "from">): number | undefined {
  return from !== undefined && /^\d+$/.test(from) ? Number(from) : undefined;
}

/** Whether the release has failed in this attempt, and has not finished in another since. */
export function hasFailed({ history, release, attempt }: Pick<Rollout, "history" | "release" | "attempt">): boolean {
  const outcomes = history.filter((past) => past.release === release);
  const last = outcomes.find(({ outcome }) => outcome === "finished" || outcome === "failed");
  const isFailed = outcomes.some((past) => past.outcome === "failed" && past.attempt === attempt);
  return isFailed && last?.outcome === "failed";
}

/**
 * Whether a failure may take tenants back. Not if it is among those that were behind after the end, nor if the release finished in an
 * earlier attempt. The first rollout may be to a release that most tenants run: it counts as finished, and is yet to be proven.
 */
export function canGoBack({
  finished,
  release,
  history,
  waves,
}: Pick<Rollout, "finished" | "release" | "history" | "waves">): boolean {
  if (finished !== release) return true;
  const hasFinished = history.some((past) => past.release === release && past.outcome === "finished");
  return !hasFinished && !waves.some(({ name }) => name === stragglers);
}

/** The status of an attempt that has failed before. */
export function failedBefore({ label, attempt }: Pick<Rollout, "label" | "attempt">): string {
  return `attempt ${attempt} of ${label} has failed before; nobody moves. Raise attempt to try it again`;
}
