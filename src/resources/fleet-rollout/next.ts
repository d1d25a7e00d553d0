import { shortList } from "../../json/short-list.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { timeNow } from "../../operation/platform-time.ts";
import type { PlanMember } from "../tenant-fleet/rollout-plan.ts";
import { missingApproval } from "./approvals.ts";
import { canGoBack } from "./begin.ts";
import { describeTime, frozenAt, openingAt } from "./calendar.ts";
import { failedSince, goneUnproven, needsProof, provable, soakEnd } from "./gate.ts";
import { obstacleTo } from "./move.ts";
import { areAllOverridden, countOverridden, describeOverridden, lateToTakeBack } from "./overridden.ts";
import { isAffected, marked, markOf, pausedBack, type Rollout, type RunningWave } from "./rollout.ts";
import { describeMember, type RolloutView } from "./rollout-view.ts";
import { refusedMove } from "./run-wave.ts";
import type { FleetRolloutInputs, Progress, Wave } from "./schema.ts";
import { plannedWaves, type StartedMembers, waveName } from "./waves.ts";
import { leftByWayBack } from "./way-back.ts";

/** What can be done now. */
export type Next =
  | { kind: "rest"; phase: Progress["phase"]; status: string }
  /** Take tenants back to what they ran before: all, or only those that were overridden when the others were. */
  | { kind: "back"; only?: readonly number[] }
  /** Start a wave. It is done at once if it has no tenants, or if all of them ran the release before the rollout. */
  | { kind: "start"; name: string; members: readonly number[]; isDone: boolean }
  /** Go on with a wave. */
  | { kind: "go on"; wave: RunningWave }
  /** All waves have passed. */
  | { kind: "finish" }
  /** Move those that are behind after the end. */
  | { kind: "stragglers"; members: readonly number[] };

interface Situation {
  context: OperationContext;
  inputs: FleetRolloutInputs;
  rollout: Rollout;
  view: RolloutView;
  /** How long this `up` may wait. */
  waitSeconds: number;
  /** Whether this `up` has worked on a wave: then it does not try again to prove those whose sync was refused. Default: no. */
  hasWorked?: boolean;
}

/**
 * What can be done now, by what is stored, what the platform shows, and the strategy. Changes nothing.
 *
 * A way back comes first, and a failed rollout moves nobody forward. Then a wave that has started goes on. Without one, the next
 * wave starts, or after the end those move that are behind. A pause, a freeze, or a time that is not known holds all of these.
 */
export async function nextOf(situation: Situation): Promise<Next> {
  const { rollout, view } = situation;
  const back = lateBack(situation) ?? afterFailure(situation) ?? onWayBack(situation);
  if (back !== undefined) return back;
  const running = waveUnderWay(rollout);
  const stand = standOf(situation, running);
  if (running !== undefined) return held(situation, stand) ?? nextOfWave(situation, running, stand);
  if (rollout.phase !== "done") return held(situation, stand) ?? nextWave(situation, stand);
  const members = await behind(situation);
  if (members.length > 0) {
    return held(situation, stand) ?? closedNow(situation, "done", stand) ?? { kind: "stragglers", members };
  }
  return rest("done", rollout.direction === "back" ? takenBackStatus(rollout) : endStatus(rollout, view));
}

function lateBack({ inputs, rollout, view }: Situation): Next | undefined {
  const only = lateToTakeBack(rollout, view);
  return only.length > 0 && inputs.paused !== true ? { kind: "back", only } : undefined;
}

function afterFailure({ inputs, rollout }: Situation): Next | undefined {
  const { failure, direction } = rollout;
  if (failure === undefined) return undefined;
  const goesBack = inputs.onFailure === "rollback" && direction === "forward" && canGoBack(rollout);
  if (!goesBack) return rest("failed", failure);
  return inputs.paused === true ? rest("failed", `${failure}${pausedBack}`) : { kind: "back" };
}

function onWayBack({ inputs, rollout: { direction, phase, label } }: Situation): Next | undefined {
  if (direction !== "back" || phase === "done") return undefined;
  return inputs.paused === true ? rest("waiting", `paused on the way back to ${label}`) : { kind: "back" };
}

/** The rest if nothing may be done, whatever is next. */
function held({ context, inputs, rollout }: Situation, stand: string): Next | undefined {
  const isDone = rollout.phase === "done";
  if (inputs.paused === true) return rest(isDone ? "done" : "waiting", `${stand}, paused`);
  const phase = isDone ? "done" : "progressing";
  if (!timeNow(context.client).isBelieved) return rest(phase, `${stand}, ${unknownTime}`);
  const frozen = frozenAt(inputs, new Date(rollout.clock));
  return frozen.isOpen ? undefined : rest(phase, `${stand}, ${frozen.reason ?? "frozen"}`);
}

/** The start of the next wave, or why it waits; the end if nobody is left. */
function nextWave(situation: Situation, stand: string): Next {
  const { inputs, rollout, view } = situation;
  const waves = wavesToGo(situation);
  const wave = waves[rollout.waves.length];
  const members = nextMembers(situation, waves);
  const isRest = rollout.waves.length >= inputs.waves.length;
  if (wave === undefined || (isRest && !members.some((id) => view.tenants.has(id)))) return { kind: "finish" };
  const isDone = members.every((id) => !view.tenants.has(id) || wasAlreadyOnRelease(rollout, view, id));
  const start: Next = { kind: "start", name: waveName(wave), members, isDone };
  const missing = missingFrom(view, wave);
  if (missing.length > 0) {
    return rest("waiting", `${stand}, starts once the fleet has ${shortList(missing)}: run up for the whole stack`);
  }
  if (isDone) return start;
  if ([...view.tenants.values()].every(({ runs }) => runs === undefined)) {
    return rest("waiting", `${stand}: the platform does not show what its tenants run, so nobody can be proven`);
  }
  const approval =
    wave.approval === "required" ? missingApproval(rollout, inputs.approvals, wave.name ?? "") : undefined;
  if (approval !== undefined) return rest("waiting", `${stand}, waiting for ${approval}`);
  const closed = closedNow(situation, "progressing", stand);
  if (closed !== undefined) return closed;
  return areAllOverridden(rollout, view, members)
    ? rest("waiting", `${stand}, starts once a tenant of the wave is no longer overridden`)
    : start;
}

/**
 * Whether a way back has led to a release that a rollout has finished. Then that release is the tenants' setting, as after that
 * end. What the way back could not do comes first.
 */
function isBackOnFinished({ release, superseded, history }: Rollout): boolean {
  const hasFinished = history.some((past) => past.release === release && past.outcome === "finished");
  return superseded.length === 0 && hasFinished;
}

/** Why a rollout rests that a warning explains: see `warnOfDoubt`. */
const unknownTime = "goes on once it is known what time it is";

/** The status after a way back: its outcome. The stored status may be that of a later pause or freeze, which may be over. */
function takenBackStatus({ history, status }: Pick<Rollout, "history" | "status">): string {
  return history.find(({ outcome }) => outcome === "rolled back")?.reason ?? status;
}

/** The status of a rollout that has finished. */
export function endStatus(rollout: Rollout, view: RolloutView): string {
  const [moved, overridden] = [countMoved(rollout, view), countOverridden(rollout, view)];
  const others = [...view.tenants.values()].filter(
    ({ runs, isOverridden }) => runs !== String(rollout.release) && !isOverridden,
  );
  const parts = [
    `all waves have passed, ${moved} of ${view.tenants.size} on ${rollout.label}`,
    ...(others.length === 0
      ? []
      : [`${others.length === 1 ? "1 tenant is" : `${others.length} tenants are`} on another release`]),
    ...(overridden === 0 ? [] : [describeOverridden(overridden)]),
  ];
  return parts.join("; ");
}

function rest(phase: Progress["phase"], status: string): Next {
  return { kind: "rest", phase, status };
}

/** The waves of the strategy. If it was shortened below those that have started, one wave more has all others. */
function wavesToGo({ inputs, rollout }: Situation): readonly Wave[] {
  if (rollout.waves.length < inputs.waves.length) return inputs.waves;
  const { tenants: _, ...last }: Wave = inputs.waves.at(-1) ?? {};
  return [...rollout.waves.map(() => ({ percent: 0 })), { name: "the rest", ...last, percent: 100 }];
}

/** Whether a tenant ran the release before the rollout, so that there is nothing to do. */
export function wasAlreadyOnRelease({ release, before }: Rollout, { tenants }: RolloutView, id: number): boolean {
  return tenants.get(id)?.runs === String(release) && before.get(id) === String(release);
}

/** The tenants of the next wave, also those that were archived or have left: they keep their places in it. */
function nextMembers({ rollout, view }: Situation, waves: readonly Wave[]): number[] {
  const [members = []] = plannedWaves(waves, view, startedWaves(rollout, view));
  return members.map(({ id }) => id);
}

/**
 * The keys that a wave names and the fleet's plan lacks: a new tenant, or a new key, that no update of the fleet has stored yet, as
 * `up --target` of the rollout runs without one.
 */
function missingFrom({ ranked, newcomers }: RolloutView, { tenants = [] }: Wave): string[] {
  const planned = new Set([...ranked, ...newcomers].map(({ key }) => key));
  return tenants.filter((key) => !planned.has(key));
}

/** The tenants of the first wave that has anybody to move, as a rollout begins. */
export function firstToMove({ waves }: FleetRolloutInputs, rollout: Rollout, view: RolloutView): number[] {
  const hasToMove = (id: number) => view.tenants.has(id) && rollout.before.get(id) !== String(rollout.release);
  const planned = plannedWaves(waves, view, []).map((members) => members.map(({ id }) => id));
  return planned.find((ids) => ids.some(hasToMove)) ?? [];
}

/** The waves that have started, with the tenants as the plan has them. */
export function startedWaves({ waves }: Rollout, { ranked, newcomers }: RolloutView): StartedMembers<PlanMember>[] {
  // a tenant that has left and is back is both among the ranked ones, without its key, and among the newcomers
  const byId = Map.groupBy([...ranked, ...newcomers], ({ id }) => id);
  const membersOf = (ids: Iterable<number>) => [...ids].flatMap((id) => byId.get(id) ?? []);
  return waves.map(({ marks, joined }) => ({ members: membersOf(marks.keys()), joined: new Set(membersOf(joined)) }));
}

/** The rest until a window opens; `undefined` if one is open. */
function closedNow(
  { inputs, rollout }: Pick<Situation, "inputs" | "rollout">,
  phase: Progress["phase"],
  stand: string,
): Next | undefined {
  const now = new Date(rollout.clock);
  const { isOpen, reason, opensAt } = openingAt(inputs, now);
  if (isOpen) return undefined;
  const until = opensAt === undefined ? "" : ` until ${describeTime(opensAt, now, inputs.timeZone)}`;
  return rest(phase, `${stand}, ${reason ?? "closed"}${until}`);
}

function nextOfWave(situation: Situation, wave: RunningWave, stand: string): Next {
  const { inputs, rollout, view, waitSeconds, hasWorked = false } = situation;
  const goOn: Next = { kind: "go on", wave };
  if (marked([wave], "open").length > 0 || wave.provenAt === undefined) return goOn;
  if (failedSince(inputs, wave, view, rollout).length > 0) return goOn;
  const end = soakEnd(inputs, wave);
  const now = new Date(rollout.clock);
  if (Date.parse(end) > now.getTime() + waitSeconds * 1000) {
    return rest("progressing", `${stand}, soaking until ${describeTime(new Date(end), now, inputs.timeZone)}`);
  }
  const isBehind = (id: number) => view.tenants.get(id)?.runs !== String(rollout.release);
  const canBeProven = provable(wave, view, rollout).some((id) => !hasWorked || isBehind(id));
  if (rollout.clock < end || !needsProof(inputs, wave, rollout, view) || canBeProven) return goOn;
  const [proven, minimum] = [marked([wave], "proven").length, inputs.gate?.minTenants ?? 1];
  const what = `only ${proven} of its tenants ${proven === 1 ? "is" : "are"} proven, and gate.minTenants is ${minimum}`;
  const unproven = marked([wave], "left", "skipped").flatMap((id) => {
    const reason = rollout.reasons.get(id);
    const isShown = view.tenants.has(id) || reason === goneUnproven;
    const what = wave.marks.get(id) === "left" ? "was left" : "is not proven";
    return reason === undefined || !isShown ? [] : [`${describeMember(view, id)} ${what}: ${reason}`];
  });
  const reasons = unproven.length === 0 ? "" : ` (${unproven.slice(0, 5).join("; ")})`;
  const next = "Connect or resume one of its tenants, exclude those that were left, or lower gate.minTenants";
  return rest("waiting", `${stand}: ${what}${reasons}. ${next}`);
}

/**
 * The tenants that are behind after the end and can move, as no override is in force, and those that a killed step has moved
 * without a proof.
 */
async function behind({ context, inputs, rollout, view }: Situation): Promise<number[]> {
  if (rollout.direction === "back" && !isBackOnFinished(rollout)) return [];
  const target = String(rollout.release);
  const found: number[] = [];
  for (const tenant of view.tenants.values()) {
    if (tenant.isOverridden) continue;
    const reason = rollout.reasons.get(tenant.id) ?? "";
    // an earlier version stored the reasons of a way back as they are
    const isOfWayBack = reason.startsWith(leftByWayBack) || (rollout.direction === "back" && reason !== "");
    const isLeft = isOfWayBack || reason.startsWith(refusedMove);
    if (tenant.runs === undefined || isLeft) continue;
    if (tenant.runs === target) {
      if (isAffected(rollout, tenant.id) && markOf(rollout, tenant.id) !== "failed") found.push(tenant.id);
      continue;
    }
    if ((await obstacleTo(context, view, tenant, [tenant.runs, target], inputs.gate)) === undefined) {
      found.push(tenant.id);
    }
  }
  return found;
}

/** The status of a rollout whose step an error has ended. */
export function interruptedStatus(situation: Pick<Situation, "inputs" | "rollout" | "view">): string {
  const { rollout } = situation;
  const { failure, phase, direction, label } = rollout;
  if (failure !== undefined) return failure;
  if (direction === "back" && phase !== "done") return `on the way back to ${label}`;
  return standOf(situation, waveUnderWay(rollout));
}

/** The wave that has started and has no outcome yet. */
function waveUnderWay({ waves }: Rollout): RunningWave | undefined {
  return waves.find(({ outcome }) => outcome === undefined);
}

/** The status without what comes next, such as `wave 3 of 5 (10%), 41 of 300 on v1.3.0`. A way back has ended. */
export function standOf(
  { inputs, rollout, view }: Pick<Situation, "inputs" | "rollout" | "view">,
  running?: RunningWave,
): string {
  const { waves, label } = rollout;
  const index = running === undefined ? waves.length : waves.indexOf(running);
  const next = rollout.phase === "done" ? undefined : inputs.waves[index];
  const name = running?.name ?? (next && waveName(next));
  const isBack = rollout.direction === "back";
  const place =
    next === undefined || name === undefined
      ? (name ?? (isBack ? takenBackStatus(rollout) : "all waves have passed"))
      : `wave ${index + 1} of ${inputs.waves.length} (${name})`;
  const overridden = countOverridden(rollout, view);
  const rest = overridden === 0 ? "" : ` (${describeOverridden(overridden)})`;
  return `${place}, ${countMoved(rollout, view)} of ${view.tenants.size} on ${label}${rest}`;
}

/** How many tenants are on the rollout's release. */
export function countMoved({ release }: Pick<Rollout, "release">, { tenants }: RolloutView): number {
  return [...tenants.values()].filter(({ runs }) => runs === String(release)).length;
}
