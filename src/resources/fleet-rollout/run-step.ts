import { defined } from "../../json/defined.ts";
import { shortList } from "../../json/short-list.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import { declaredApproval } from "./approvals.ts";
import { withOutcome } from "./begin.ts";
import { describeFailure, describeRollout, failureReason, nextAfterFailure } from "./failure.ts";
import { failuresMaximum } from "./gate.ts";
import { endStatus, type Next, nextOf, standOf } from "./next.ts";
import { describeOverridden, overriddenInStatus, overriddenReason } from "./overridden.ts";
import { isAffected, keepRelease, marked, type Rollout, type RunningWave } from "./rollout.ts";
import { freshView, platformNow, type RolloutStepContext, seenView } from "./rollout-step-context.ts";
import { describeMember, type RolloutView } from "./rollout-view.ts";
import { runWave } from "./run-wave.ts";
import { stragglers } from "./waves.ts";
import { leftByWayBack, type TakenBack, takeAllBack, takeBack } from "./way-back.ts";

/**
 * Does what can be done now, until the outcome of one wave is known or the time to wait is over. The progress is in the
 * step's rollout.
 *
 * @param start the tenants as just read.
 * @returns the error message if a wave has failed.
 */
export async function runStep(step: RolloutStepContext, start: RolloutView): Promise<string | undefined> {
  const { context, inputs, rollout, time } = step;
  let view = start;
  let hasWorked = false;
  for (;;) {
    const waitSeconds = time.leftMilliseconds() / 1000;
    const next = await nextOf({ context, inputs, rollout, view, waitSeconds: hasWorked ? 0 : waitSeconds, hasWorked });
    if (next.kind === "rest") {
      Object.assign(rollout, { phase: next.phase, status: next.status });
      return undefined;
    }
    if (next.kind === "finish") {
      finish(step, view);
      hasWorked = true; // those that are behind move with the next up, whose preview says so
      continue;
    }
    if (next.kind === "start" && next.isDone) {
      const { name, members } = next;
      const isLive = (id: number) => view.tenants.has(id);
      if (!members.some(isLive))
        context.note(`${describeRollout(inputs, rollout)}: ${name} has no tenants, and is done`);
      const marks = new Map(members.map((id) => [id, isLive(id) ? "skipped" : "left"] as const));
      rollout.waves.push({ ...newWave(step, name), marks, outcome: "passed" });
      continue;
    }
    if (hasWorked) {
      rollout.phase = rollout.phase === "done" ? "done" : "progressing";
      rollout.status = statusOf(step, view, next.kind === "go on" ? next.wave : undefined);
      return undefined;
    }
    hasWorked = true;
    if (next.kind === "back") {
      if (next.only === undefined) await endWayBack(step, await takeAllBack(step));
      else await endLateWayBack(step, next.only, await takeBack(step, next.only));
      return undefined;
    }
    if (rollout.direction === "back") {
      // after a way back, those that are behind move
      Object.assign(rollout, { direction: "forward", reasons: reasonsToStore(rollout.reasons) });
    }
    const wave = next.kind === "go on" ? next.wave : waveOf(step, next);
    const approval = declaredApproval(rollout, inputs.approvals, wave.name);
    if (next.kind === "start" && approval !== undefined) {
      context.note(`${describeRollout(inputs, rollout)}: ${wave.name} starts, approved by ${approval.reference}`);
    }
    const leftBefore = new Set(marked([wave], "left"));
    await runWave(step, wave);
    view = await seenView(step);
    warnOfLeft(
      step,
      view,
      marked([wave], "left").filter((id) => !leftBefore.has(id)),
    );
    if (wave.outcome === "passed" && wave.name === stragglers) {
      keepRelease(rollout, [wave]);
      rollout.waves = rollout.waves.filter((other) => other !== wave);
    }
    if (wave.outcome === "failed") return fail(step, await freshView(step).catch(() => seenView(step)), wave);
    view = await seenView(step);
  }
}

function newWave({ context, rollout }: RolloutStepContext, name: string): RunningWave {
  return { name, joined: new Set(), startedAt: platformNow(context, rollout), marks: new Map() };
}

/** The wave that starts now. */
function waveOf(step: RolloutStepContext, next: Extract<Next, { kind: "start" | "stragglers" }>): RunningWave {
  const wave = newWave(step, next.kind === "start" ? next.name : stragglers);
  for (const id of next.members) wave.marks.set(id, "open");
  step.rollout.waves.push(wave);
  return wave;
}

function statusOf(
  { inputs, rollout }: RolloutStepContext,
  view: RolloutView,
  running: RunningWave | undefined,
): string {
  const stand = standOf({ inputs, rollout, view }, running);
  if (running === undefined && rollout.phase === "done") return `${stand}; the others move with the next up`;
  if (running === undefined) return `${stand}, starts with the next up`;
  const open = marked([running], "open").length;
  return open === 0 ? stand : `${stand}, ${open} not proven yet`;
}

function fail(step: RolloutStepContext, view: RolloutView, wave: RunningWave): string {
  const { context, inputs, rollout } = step;
  const reason = failureReason(wave, failuresMaximum(inputs, wave, rollout));
  const failure = `failed in ${reason} (${failedKeys(view, wave)}). ${nextAfterFailure(rollout)}`;
  Object.assign(rollout, {
    phase: "failed",
    status: failure,
    failure,
    history: withOutcome(rollout, "failed", platformNow(context, rollout), reason),
  });
  return describeFailure(inputs, rollout, view, wave, reason);
}

function failedKeys(view: RolloutView, wave: RunningWave): string {
  const failed = marked([wave], "failed").map((id) => describeMember(view, id));
  return shortList(failed, { maximum: 5 });
}

/** The release is the tenants' setting now, and those that are behind are moved without waves. */
function finish({ context, rollout }: RolloutStepContext, view: RolloutView): void {
  const { release, waves } = rollout;
  const isAnyMoved = waves.some(({ marks }) => [...marks.keys()].some((id) => isAffected(rollout, id)));
  const history = isAnyMoved ? withOutcome(rollout, "finished", platformNow(context, rollout)) : rollout.history;
  keepRelease(rollout, waves);
  Object.assign(rollout, {
    phase: "done",
    status: endStatus(rollout, view),
    finished: release,
    finishedPlan: rollout.planNumber,
    origins: new Map(),
    history,
  });
}

/** What a person must do after the end, as the API cannot; empty if there is nothing. */
export async function remainingOf(
  integration: Pick<IntegrationScope, "record" | "releases">,
  { phase, direction, release, label }: Rollout,
): Promise<string> {
  const { default_release_id: byDefault } = integration.record;
  const isEnd = phase === "done" && direction === "forward";
  if (!isEnd || typeof byDefault !== "number" || byDefault === release) return "";
  const other = await labelOf(integration, byDefault);
  return `the integration's default release is still ${other}. The API cannot change it: set it to ${label} in the console`;
}

/** A release in messages: its tag, or its id. */
async function labelOf({ releases }: Pick<IntegrationScope, "releases">, release: number): Promise<string> {
  const known = (await releases.all()).find(({ id }) => id === release);
  return known?.tag || String(release);
}

async function endWayBack(step: RolloutStepContext, { taken, left, returnsTo }: TakenBack): Promise<void> {
  const { context, rollout, errors } = step;
  const count = taken.length === 1 ? "1 tenant runs again what it" : `${taken.length} tenants run again what they`;
  const what = `taken back: ${count} ran before${describeLeft(left)}`;
  rollout.reasons = reasonsToStore(left);
  if (errors.length > 0) {
    rollout.status = `on the way back, ${what}`;
    return;
  }
  const isFailed = rollout.failure !== undefined;
  const failure = isFailed ? `${rollout.failure}; ${what}` : undefined;
  const [undone = rollout.release] = rollout.direction === "back" ? rollout.superseded : [];
  const past = rollout.history.find(({ release }) => release === undone);
  const of = {
    release: undone,
    label: await labelOf(step.integration, undone),
    attempt: past?.attempt ?? rollout.attempt,
  };
  const history = withOutcome(rollout, "rolled back", platformNow(context, rollout), what, of);
  Object.assign(rollout, {
    direction: "back",
    phase: isFailed ? "failed" : "done",
    status: failure ?? what,
    ...defined({ failure }),
    waves: [],
    pending: new Map(),
    before: new Map([...rollout.before, ...returnsTo]),
    superseded: isFailed || isAnyOverridden(left) ? rollout.superseded : [],
    history,
  });
  await warnOfNotTakenBack(step, left);
}

/** The reasons of a way back. Those that it has left for another reason than an override are not moved after it either. */
function reasonsToStore(left: ReadonlyMap<number, string>): Map<number, string> {
  const isComplete = (reason: string) => reason === overriddenReason || reason.startsWith(leftByWayBack);
  return new Map([...left].map(([id, reason]) => [id, isComplete(reason) ? reason : leftByWayBack + reason]));
}

/** Ends the way back of tenants that were overridden when the others were taken back. */
async function endLateWayBack(
  step: RolloutStepContext,
  ids: readonly number[],
  { taken, left }: TakenBack,
): Promise<void> {
  const { rollout, errors } = step;
  for (const id of errors.length > 0 ? taken : ids) rollout.reasons.delete(id); // the next up goes on with the others
  for (const [id, reason] of reasonsToStore(left)) rollout.reasons.set(id, reason);
  const withLate = (text: string) => {
    const [before] = text.split(overriddenInStatus);
    const more = taken.length === 0 ? "" : `; ${taken.length} more taken back`;
    return `${before}${more}${describeLeft(rollout.reasons)}`;
  };
  rollout.status = withLate(rollout.status);
  if (rollout.failure !== undefined) rollout.failure = withLate(rollout.failure);
  rollout.history = rollout.history.map((past, index) =>
    index === 0 && past.reason !== undefined ? { ...past, reason: withLate(past.reason) } : past,
  );
  if (rollout.phase === "done" && !isAnyOverridden(rollout.reasons)) rollout.superseded = [];
  await warnOfNotTakenBack(step, left);
}

async function warnOfNotTakenBack(step: RolloutStepContext, left: ReadonlyMap<number, string>): Promise<void> {
  const { context, inputs, rollout } = step;
  const view = await seenView(step);
  for (const [id, reason] of left) {
    if (reason === overriddenReason) continue; // the status counts them
    context.warn(`${describeRollout(inputs, rollout)}: ${describeMember(view, id)} is left as it is: ${reason}`);
  }
}

/** The end of a status: how many tenants the way back has left. */
function describeLeft(left: ReadonlyMap<number, string>): string {
  const overridden = [...left.values()].filter((reason) => reason === overriddenReason).length;
  const others = left.size - overridden;
  const counts = [
    ...(others === 0 ? [] : [`; ${others} left as they are`]),
    ...(overridden === 0 ? [] : [`; ${describeOverridden(overridden)}`]),
  ];
  return counts.join("");
}

function isAnyOverridden(left: ReadonlyMap<number, string>): boolean {
  return [...left.values()].includes(overriddenReason);
}

function warnOfLeft({ context, inputs, rollout }: RolloutStepContext, view: RolloutView, ids: readonly number[]): void {
  for (const id of ids) {
    const reason = rollout.reasons.get(id) ?? "it did not move";
    if (reason === overriddenReason) continue; // the status counts them
    context.warn(`${describeRollout(inputs, rollout)}: ${describeMember(view, id)} is left: ${reason}`);
  }
}
