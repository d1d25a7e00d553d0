import pLimit from "p-limit";
import { ValidationError } from "../../api/index.ts";
import { frozenAt } from "./calendar.ts";
import { failedSince, failuresMaximum, needsProof, provable, soakEnd, stragglers, unavailableMaximum } from "./gate.ts";
import { configsMisfit, moveTenant, obstacleTo } from "./move.ts";
import { overriddenReason } from "./overridden.ts";
import { changedByHand, type Proving, prove } from "./prove.ts";
import { releaseRefOf } from "./release-ref.ts";
import { isAffected, type Mark, marked, markOf, type Rollout, type RunningWave } from "./rollout.ts";
import { errorsMaximum, freshScene, type Run, secondsFrom, tellTime, waitUntil } from "./run.ts";
import { failedRunOf } from "./run-words.ts";
import { type RolloutTenant, type Scene, whatRuns } from "./scene.ts";

/** The start of the reason why a tenant is left that the platform refused to move. It is not tried again. */
export const refusedMove = "the platform refused to move it";

/**
 * Works on a wave that has started: moves its tenants, proves them and watches them, until its outcome is known or the time
 * to wait is over. The outcome is in the wave. A tenant that is on the release without a proof, as a step was killed, is
 * proven before anybody else moves.
 */
export async function runWave(run: Run, wave: RunningWave): Promise<void> {
  const scene = await freshScene(run);
  noticeChanges(run, wave, scene);
  joinUnproven(run, wave, scene);
  noteOlderFailures(run, wave, scene);
  if (needsProof(run.inputs, wave, run.rollout, scene)) reopenSkipped(run, wave, scene);
  await moveAndProve(run, wave, scene);
  if (failIfTooMany(run, wave) || failIfStuck(run, wave, scene) || marked([wave], "open").length > 0) return;
  wave.provenAt ??= tellTime(run.context, run.rollout);
  await soak(run, wave);
}

/** Marks tenants that were changed by hand since they moved, or have left the rollout. */
function noticeChanges({ rollout }: Run, wave: RunningWave, scene: Scene): void {
  for (const [id, mark] of wave.marks) {
    const tenant = scene.tenants.get(id);
    const leave = (reason: string) => {
      wave.marks.set(id, "left");
      rollout.pending.delete(id);
      rollout.reasons.set(id, reason);
    };
    if (tenant === undefined) {
      if (mark !== "left") leave("it has left the rollout");
      continue;
    }
    const hasMoved = mark === "proven" || mark === "skipped" || rollout.pending.has(id);
    if (hasMoved && tenant.runs !== String(rollout.release)) leave(changedByHand(tenant));
  }
}

/** Adds the tenants that are on the release without a proof and in no wave: a step that was killed has moved them. */
function joinUnproven({ rollout }: Run, wave: RunningWave, { tenants }: Scene): void {
  for (const { id, runs } of tenants.values()) {
    const isUnproven = runs === String(rollout.release) && isAffected(rollout, id);
    if (!isUnproven || markOf(rollout, id) !== undefined) continue;
    wave.marks.set(id, "open");
    wave.joined.add(id);
  }
}

/** Notes the failed runs of tenants that have not been synced yet, so that the soak does not take them for later ones. */
function noteOlderFailures({ rollout, inputs }: Run, wave: RunningWave, { tenants }: Scene): void {
  for (const id of marked([wave], "open")) {
    const tenant = tenants.get(id);
    const failed = tenant && failedRunOf(tenant, inputs.gate ?? {});
    if (failed !== undefined && rollout.pending.get(id)?.trigger === undefined) rollout.olderFailures.set(id, failed);
  }
}

/** Opens as many tenants again as the wave lacks proofs, and as may be unproven. */
function reopenSkipped({ rollout, inputs }: Run, wave: RunningWave, scene: Scene): void {
  const missing = (inputs.gate?.minTenants ?? 1) - marked([wave], "proven", "open").length;
  const room = unavailableMaximum(inputs, scene) - occupied(rollout, scene);
  for (const id of provable(wave, scene, rollout).slice(0, Math.max(0, Math.min(missing, room)))) {
    wave.marks.set(id, "open");
    delete wave.provenAt;
  }
}

async function moveAndProve(run: Run, wave: RunningWave, scene: Scene): Promise<void> {
  const { context, rollout, inputs } = run;
  const target = String(rollout.release);
  let failed = marked([wave], "failed").length; // counted on, as a wave may have thousands of tenants
  const proving: Proving = {
    isStopped: () =>
      run.errors.length >= errorsMaximum ||
      context.signal.aborted ||
      !frozenAt(inputs, new Date(rollout.clock)).isOpen ||
      (failed > 0 && failed > failuresMaximum(inputs, wave, rollout)),
    noteFailure: () => {
      failed += 1;
    },
  };
  const open = marked([wave], "open").flatMap((id) => scene.tenants.get(id) ?? []);

  const arrived = open.filter(({ runs }) => runs === target);
  for (const { id } of arrived) if (!isAffected(rollout, id)) wave.marks.set(id, "skipped");
  const unproven = arrived.filter(({ id }) => isAffected(rollout, id));
  await pLimit(unavailableMaximum(inputs, scene)).map(unproven, (tenant) =>
    prove(run, wave, tenant, proving).catch((error: unknown) => run.errors.push(error)),
  );
  if (proving.isStopped()) return;

  const toMove = await movable(
    run,
    wave,
    scene,
    open.filter(({ runs }) => runs !== target),
  );
  let budget = unavailableMaximum(inputs, scene) - occupied(rollout, scene);
  if (toMove.length === 0 || budget <= 0) return;
  const limit = pLimit(budget);
  const atOnce = budget;
  let started = 0;
  await limit.map(toMove, async (tenant) => {
    // the first ones begin at once, even where there is no time to wait
    started += 1;
    if (proving.isStopped() || budget <= 0 || (started > limit.concurrency && run.time.leftMilliseconds() === 0))
      return;
    // the first ones were just read; the others may have been changed by hand, or archived, since
    const now = started <= atOnce ? tenant : await readAgain(run, wave, scene, tenant);
    const moved = now && (await move(run, wave, scene, now));
    // the others go on, so that what they do is in the state
    if (moved !== undefined) await prove(run, wave, moved, proving).catch((error: unknown) => run.errors.push(error));
    const mark = wave.marks.get(tenant.id);
    if (mark !== "failed" && mark !== "open") return;
    budget -= 1; // it is on the release and not proven, and so is the next one's place taken
    limit.concurrency = Math.max(1, budget);
  });
}

/** How many tenants are on the release without a proof, those that failed included. */
function occupied(rollout: Rollout, { tenants }: Scene): number {
  const isUnproven = (mark: Mark | undefined) => mark === "open" || mark === "failed" || mark === undefined;
  return [...tenants.values()].filter(
    ({ id, runs }) => runs === String(rollout.release) && isAffected(rollout, id) && isUnproven(markOf(rollout, id)),
  ).length;
}

/** The tenants that can move now. The others are left, each with a reason. */
async function movable(
  { context, inputs, rollout }: Run,
  wave: RunningWave,
  scene: Scene,
  tenants: readonly RolloutTenant[],
): Promise<RolloutTenant[]> {
  const found: RolloutTenant[] = [];
  for (const tenant of tenants) {
    const { id, runs } = tenant;
    const before = rollout.before.get(id);
    const reason =
      (tenant.isOverridden ? overriddenReason : undefined) ??
      misplaced(tenant, rollout, wave) ??
      (await obstacleTo(context, scene, tenant, [before ?? runs, String(rollout.release)], inputs.gate));
    if (reason === undefined) {
      found.push(tenant);
      continue;
    }
    wave.marks.set(id, "left");
    rollout.reasons.set(id, reason);
  }
  return found;
}

/** The tenant as it is now; `undefined` if it cannot move any more. */
async function readAgain(
  run: Run,
  wave: RunningWave,
  scene: Scene,
  seen: RolloutTenant,
): Promise<RolloutTenant | undefined> {
  try {
    const tenant = await run.integration.tenants.fetchFresh(seen.id);
    if (tenant === undefined) {
      wave.marks.set(seen.id, "left");
      run.rollout.reasons.set(seen.id, "it is no longer among the live tenants");
      return undefined;
    }
    const now = { ...seen, tenant, runs: whatRuns(tenant, run.rollout) };
    return (await movable(run, wave, scene, [now]))[0];
  } catch (error) {
    run.errors.push(error);
    return undefined;
  }
}

/** Why a tenant is not where the rollout expects it. After the end, a tenant is moved from wherever it is. */
function misplaced({ id, runs }: RolloutTenant, rollout: Rollout, wave: RunningWave): string | undefined {
  if (runs === undefined) return "the platform does not show what it runs";
  if (wave.name === stragglers || runs === rollout.before.get(id)) return undefined;
  if (rollout.superseded.some((release) => String(release) === runs)) return undefined;
  return `it runs ${runs}, which is neither what it ran before nor the release`;
}

/** Moves a tenant; `undefined` if it has not moved, or no read shows that it has. */
async function move(
  { context, integration, rollout, errors }: Run,
  wave: RunningWave,
  scene: Scene,
  { id, key, tenant }: RolloutTenant,
): Promise<RolloutTenant | undefined> {
  try {
    const after = await moveTenant(context, integration, tenant, String(rollout.release));
    const runs = releaseRefOf(after);
    if (runs === String(rollout.release)) return { id, key, tenant: after, runs, isOverridden: false };
    throw new Error(`no read shows that ${key} (${id}) runs release ${rollout.label}, although the platform took it`);
  } catch (error) {
    if (!(error instanceof ValidationError)) {
      errors.push(error);
      return undefined;
    }
    const misfit = await configsMisfit(context, scene.integration, tenant, String(rollout.release));
    wave.marks.set(id, "left");
    rollout.reasons.set(id, misfit ?? `${refusedMove}: ${error.message}`);
    return undefined;
  }
}

/** Watches a wave whose tenants are all proven, skipped, left or failed, until its soak is over or there is no time left. */
async function soak(run: Run, wave: RunningWave): Promise<void> {
  const { rollout, inputs } = run;
  let isOver = false;
  let isProven = false;
  const pauses = { first: 1, longest: 10 };
  await waitUntil(
    run,
    async () => {
      const scene = await freshScene(run);
      noticeChanges(run, wave, scene);
      for (const id of failedSince(inputs, wave, scene, rollout)) {
        wave.marks.set(id, "failed");
        rollout.reasons.set(id, "a run of it failed after it moved");
      }
      if (failIfTooMany(run, wave)) return true;
      isProven = !needsProof(inputs, wave, rollout, scene);
      const end = soakEnd(inputs, wave);
      isOver = tellTime(run.context, rollout) >= end;
      // a soak that takes longer than this up may wait is watched by later ones
      return isOver || secondsFrom(rollout.clock, run.time.leftMilliseconds() / 1000) < end;
    },
    { pauses },
  );
  if (isOver && isProven) wave.outcome = "passed";
}

/** Whether the wave has failed: too many of its tenants have, or those that have leave no room for another. */
function failIfTooMany({ rollout, inputs }: Run, wave: RunningWave): boolean {
  if (marked([wave], "failed").length > failuresMaximum(inputs, wave, rollout)) wave.outcome = "failed";
  return wave.outcome === "failed";
}

/** Whether the wave has failed because tenants that failed take all the places of those that may be unproven. */
function failIfStuck({ rollout, inputs }: Run, wave: RunningWave, scene: Scene): boolean {
  const isWaiting = marked([wave], "open").some((id) => !rollout.pending.has(id));
  const failed = marked(rollout.waves, "failed").filter((id) => scene.tenants.has(id)).length;
  if (isWaiting && failed >= unavailableMaximum(inputs, scene)) wave.outcome = "failed";
  return wave.outcome === "failed";
}
