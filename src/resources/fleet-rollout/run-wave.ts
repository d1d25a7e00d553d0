import pLimit from "p-limit";
import { ValidationError } from "../../api/index.ts";
import { frozenAt } from "./calendar.ts";
import {
  failedSince,
  failuresMaximum,
  goneUnproven,
  needsProof,
  provable,
  soakEnd,
  unavailableMaximum,
} from "./gate.ts";
import { configsMisfit, moveTenant, obstacleTo } from "./move.ts";
import { overriddenReason } from "./overridden.ts";
import { changedByHandReason, type Proving, prove, refusedSyncReason } from "./prove.ts";
import { describeRefusal } from "./refusal.ts";
import { releaseRefOf } from "./release-ref.ts";
import { isAffected, type Mark, marked, markOf, type Rollout, type RunningWave } from "./rollout.ts";
import {
  errorsMaximum,
  freshView,
  platformNow,
  type RolloutStepContext,
  secondsFrom,
  waitUntil,
} from "./rollout-step-context.ts";
import { type RolloutTenant, type RolloutView, releaseRunBy } from "./rollout-view.ts";
import { hasEnded, olderRunsOf } from "./run-status.ts";
import { stragglers } from "./waves.ts";

/** The start of the reason why a tenant is left that the platform refused to move. It is not tried again. */
export const refusedMove = "the platform refused to move it";

/**
 * Works on a wave that has started: moves its tenants, proves them and watches them, until its outcome is known or the time
 * to wait is over. The outcome is in the wave. A tenant that is on the release without a proof, as a step was killed, is
 * proven before anybody else moves.
 */
export async function runWave(step: RolloutStepContext, wave: RunningWave): Promise<void> {
  const view = await freshView(step);
  noticeChanges(step, wave, view);
  joinUnproven(step, wave, view);
  noteOlderRuns(step, wave, view);
  markFailedSince(step, wave, view);
  if (failIfTooMany(step, wave)) return;
  if (needsProof(step.inputs, wave, step.rollout, view)) reopenSkipped(step, wave, view);
  await moveAndProve(step, wave, view);
  if (failIfTooMany(step, wave) || failIfStuck(step, wave, view) || marked([wave], "open").length > 0) return;
  wave.provenAt ??= platformNow(step.context, step.rollout);
  await soak(step, wave);
}

/** Marks tenants that were changed by hand since they moved, or have left the rollout. */
function noticeChanges({ rollout }: RolloutStepContext, wave: RunningWave, view: RolloutView): void {
  for (const [id, mark] of wave.marks) {
    const tenant = view.tenants.get(id);
    const leave = (reason: string) => {
      wave.marks.set(id, "left");
      rollout.pending.delete(id);
      rollout.reasons.set(id, reason);
    };
    const hasMoved = mark === "proven" || mark === "skipped" || rollout.pending.has(id);
    if (tenant === undefined) {
      // a proof remains one; that a tenant disappears which was to give one may be because of the release
      if (mark !== "left" && mark !== "proven")
        leave(hasMoved || mark === "failed" ? goneUnproven : "it has left the rollout");
      continue;
    }
    if (hasMoved && tenant.runs !== String(rollout.release)) leave(changedByHandReason(tenant));
  }
}

/** Adds the tenants that are on the release without a proof and in no wave: a step that was killed has moved them. */
function joinUnproven({ rollout }: RolloutStepContext, wave: RunningWave, { tenants }: RolloutView): void {
  for (const { id, runs } of tenants.values()) {
    const isUnproven = runs === String(rollout.release) && isAffected(rollout, id);
    if (!isUnproven || markOf(rollout, id) !== undefined) continue;
    wave.marks.set(id, "open");
    wave.joined.add(id);
  }
}

/** Notes the runs of tenants that have not been synced yet, so that the soak does not take them for later ones. */
function noteOlderRuns({ rollout, inputs }: RolloutStepContext, wave: RunningWave, view: RolloutView): void {
  const words = [inputs.gate ?? {}, view.integration.runWords];
  for (const [id, mark] of wave.marks) {
    const tenant = view.tenants.get(id);
    if (tenant === undefined) continue;
    const isUnproven = mark === "open" && rollout.pending.get(id)?.trigger === undefined;
    if (!isUnproven && !hasEnded(tenant, rollout.olderFailures.get(id), ...words)) continue;
    const older = olderRunsOf(tenant, ...words);
    if (older !== undefined) rollout.olderFailures.set(id, older);
    else if (!isUnproven) rollout.olderFailures.delete(id);
  }
}

/** Marks the tenants as failed whose last run has failed, and began after they moved. */
function markFailedSince({ rollout, inputs }: RolloutStepContext, wave: RunningWave, view: RolloutView): void {
  for (const id of failedSince(inputs, wave, view, rollout)) {
    wave.marks.set(id, "failed");
    rollout.reasons.set(id, "a run of it failed after it moved");
  }
}

/**
 * Opens tenants again for the proofs that the wave lacks: all that run the release, and of those that have to move
 * only as many as are missing and may be unproven. One whose sync was refused is not counted on, as it may be refused again.
 */
function reopenSkipped({ rollout, inputs }: RolloutStepContext, wave: RunningWave, view: RolloutView): void {
  let missing = (inputs.gate?.minTenants ?? 1) - marked([wave], "proven", "open").length;
  let room = unavailableMaximum(inputs, view) - occupied(rollout, view);
  for (const id of provable(wave, view, rollout)) {
    const hasMoved = view.tenants.get(id)?.runs === String(rollout.release); // so its proof needs no room
    if (!hasMoved && (missing <= 0 || room <= 0)) continue;
    if (!rollout.reasons.get(id)?.startsWith(refusedSyncReason)) missing -= 1;
    if (!hasMoved) room -= 1;
    wave.marks.set(id, "open");
  }
}

async function moveAndProve(step: RolloutStepContext, wave: RunningWave, view: RolloutView): Promise<void> {
  const { context, rollout, inputs } = step;
  const target = String(rollout.release);
  let failed = marked([wave], "failed").length; // counted on, as a wave may have thousands of tenants
  const proving: Proving = {
    isStopped: () =>
      step.errors.length >= errorsMaximum ||
      context.signal.aborted ||
      !frozenAt(inputs, new Date(rollout.clock)).isOpen ||
      (failed > 0 && failed > failuresMaximum(inputs, wave, rollout)),
    noteFailure: () => {
      failed += 1;
    },
  };
  const open = marked([wave], "open").flatMap((id) => view.tenants.get(id) ?? []);

  const arrived = open.filter(({ runs }) => runs === target);
  for (const { id } of arrived) if (!isAffected(rollout, id)) wave.marks.set(id, "skipped");
  const unproven = arrived.filter(({ id }) => isAffected(rollout, id));
  await pLimit(unavailableMaximum(inputs, view)).map(unproven, (tenant) =>
    prove(step, wave, tenant, proving).catch((error: unknown) => step.errors.push(error)),
  );
  if (proving.isStopped()) return;

  const toMove = await movable(
    step,
    wave,
    view,
    open.filter(({ runs }) => runs !== target),
  );
  let budget = unavailableMaximum(inputs, view) - occupied(rollout, view);
  if (toMove.length === 0 || budget <= 0) return;
  const limit = pLimit(budget);
  const atOnce = budget;
  let started = 0;
  await limit.map(toMove, async (tenant) => {
    // the first ones begin at once, even where there is no time to wait
    started += 1;
    if (proving.isStopped() || budget <= 0 || (started > limit.concurrency && step.time.leftMilliseconds() === 0))
      return;
    // the first ones were just read, unless others were proven since; the rest may have been changed by hand, or archived
    const isJustRead = unproven.length === 0 && started <= atOnce;
    const now = isJustRead ? tenant : await readAgain(step, wave, view, tenant);
    const moved = now && (await move(step, wave, view, now));
    // the others go on, so that what they do is in the state
    if (moved !== undefined) await prove(step, wave, moved, proving).catch((error: unknown) => step.errors.push(error));
    const mark = wave.marks.get(tenant.id);
    if (mark !== "failed" && mark !== "open") return;
    budget -= 1; // it is on the release and not proven, and so is the next one's place taken
    limit.concurrency = Math.max(1, budget);
  });
}

/** How many tenants are on the release without a proof, those that failed included. */
function occupied(rollout: Rollout, { tenants }: RolloutView): number {
  const isUnproven = (mark: Mark | undefined) => mark === "open" || mark === "failed" || mark === undefined;
  return [...tenants.values()].filter(
    ({ id, runs }) => runs === String(rollout.release) && isAffected(rollout, id) && isUnproven(markOf(rollout, id)),
  ).length;
}

/** The tenants that can move now. The others are left, each with a reason. */
async function movable(
  { context, inputs, rollout }: RolloutStepContext,
  wave: RunningWave,
  view: RolloutView,
  tenants: readonly RolloutTenant[],
): Promise<RolloutTenant[]> {
  const found: RolloutTenant[] = [];
  for (const tenant of tenants) {
    const { id, runs } = tenant;
    noteTakenBack(rollout, tenant);
    // after the end, nobody is taken back
    const before = wave.name === stragglers ? undefined : rollout.before.get(id);
    const reason =
      (tenant.isOverridden ? overriddenReason : undefined) ??
      misplaced(tenant, rollout, wave) ??
      (await obstacleTo(context, view, tenant, [before ?? runs, String(rollout.release)], inputs.gate));
    if (reason === undefined) {
      found.push(tenant);
      continue;
    }
    wave.marks.set(id, "left");
    rollout.reasons.set(id, reason);
  }
  return found;
}

/** Notes that a tenant was taken back from an unfinished rollout: by a way back that was not completed, or by hand. */
function noteTakenBack({ before, origins }: Rollout, { id, runs }: RolloutTenant): void {
  if (runs === undefined || runs !== origins.get(id)) return;
  before.set(id, runs);
  origins.delete(id);
}

/** The tenant as it is now; `undefined` if it cannot move any more. */
async function readAgain(
  step: RolloutStepContext,
  wave: RunningWave,
  view: RolloutView,
  seen: RolloutTenant,
): Promise<RolloutTenant | undefined> {
  try {
    const tenant = await step.integration.tenants.fetchFresh(seen.id);
    if (tenant === undefined) {
      wave.marks.set(seen.id, "left");
      step.rollout.reasons.set(seen.id, "it is no longer among the live tenants");
      return undefined;
    }
    const now = { ...seen, tenant, runs: releaseRunBy(tenant, step.rollout) };
    return (await movable(step, wave, view, [now]))[0];
  } catch (error) {
    step.errors.push(error);
    return undefined;
  }
}

/** Why a tenant is not where the rollout expects it. After the end, a tenant is moved from wherever it is. */
function misplaced({ id, runs }: RolloutTenant, rollout: Rollout, wave: RunningWave): string | undefined {
  if (runs === undefined) return "the platform does not show what it runs";
  if (wave.name === stragglers || runs === rollout.before.get(id)) return undefined;
  // the end of an earlier rollout may have moved it without a proof
  if ([rollout.finished, ...rollout.superseded].some((release) => String(release) === runs)) return undefined;
  return `it runs ${runs}, which is neither what it ran before nor the release`;
}

/** Moves a tenant; `undefined` if it has not moved, or no read shows that it has. */
async function move(
  { context, integration, rollout, errors, sightings }: RolloutStepContext,
  wave: RunningWave,
  view: RolloutView,
  { id, key, tenant }: RolloutTenant,
): Promise<RolloutTenant | undefined> {
  try {
    const after = await moveTenant(context, integration, tenant, String(rollout.release));
    const runs = releaseRefOf(after);
    sightings.live.set(id, after);
    delete wave.provenAt; // so that a soak follows, whatever becomes of its proof
    if (runs === String(rollout.release)) return { id, key, tenant: after, runs, isOverridden: false };
    throw new Error(`no read shows that ${key} (${id}) runs release ${rollout.label}, although the platform took it`);
  } catch (error) {
    if (!(error instanceof ValidationError)) {
      errors.push(error);
      return undefined;
    }
    const misfit = await configsMisfit(context, view.integration, tenant, String(rollout.release));
    wave.marks.set(id, "left");
    rollout.reasons.set(id, misfit ?? `${refusedMove}: ${describeRefusal(error)}`);
    return undefined;
  }
}

/** Watches a wave whose tenants are all proven, skipped, left or failed, until its soak is over or there is no time left. */
async function soak(step: RolloutStepContext, wave: RunningWave): Promise<void> {
  const { rollout, inputs } = step;
  let isOver = false;
  let isProven = false;
  const pauses = { first: 1, longest: 10 };
  await waitUntil(
    step,
    async () => {
      const view = await freshView(step);
      noticeChanges(step, wave, view);
      noteOlderRuns(step, wave, view);
      markFailedSince(step, wave, view);
      if (failIfTooMany(step, wave)) return true;
      isProven = !needsProof(inputs, wave, rollout, view);
      const end = soakEnd(inputs, wave);
      isOver = platformNow(step.context, rollout) >= end;
      // a soak that takes longer than this up may wait is watched by later ones
      return isOver || secondsFrom(rollout.clock, step.time.leftMilliseconds() / 1000) < end;
    },
    { pauses },
  );
  if (isOver && isProven) wave.outcome = "passed";
}

/** Whether the wave has failed: too many of its tenants have, or those that have leave no room for another. */
function failIfTooMany({ rollout, inputs }: RolloutStepContext, wave: RunningWave): boolean {
  if (marked([wave], "failed").length > failuresMaximum(inputs, wave, rollout)) wave.outcome = "failed";
  return wave.outcome === "failed";
}

/** Whether the wave has failed because tenants that failed take all the places of those that may be unproven. */
function failIfStuck({ rollout, inputs }: RolloutStepContext, wave: RunningWave, view: RolloutView): boolean {
  const open = marked([wave], "open");
  const isWaiting = open.some((id) => !rollout.pending.has(id));
  const isBehind = (id: number) => view.tenants.get(id)?.runs !== String(rollout.release);
  const lacksRoom =
    open.length === 0 && needsProof(inputs, wave, rollout, view) && provable(wave, view, rollout).some(isBehind);
  // of earlier waves, only those that still take a place
  const takesPlace = (id: number) => view.tenants.get(id)?.runs === String(rollout.release) && isAffected(rollout, id);
  const failed = marked(rollout.waves, "failed").filter(
    (id) => wave.marks.get(id) === "failed" || takesPlace(id),
  ).length;
  if ((isWaiting || lacksRoom) && failed >= unavailableMaximum(inputs, view)) wave.outcome = "failed";
  return wave.outcome === "failed";
}
