import { ApiError, NotFoundError, ValidationError } from "../../api/index.ts";
import { outcomeOf } from "../../operation/run-outcome.ts";
import { canSync } from "../../operation/tenant-connection.ts";
import { overriddenReason } from "./overridden.ts";
import type { PendingSync, RunningWave } from "./rollout.ts";
import { type Run, secondsFrom, tellTime, waitUntil } from "./run.ts";
import { failedRunOf, hasCurrentRun } from "./run-words.ts";
import { type RolloutTenant, whatRuns } from "./scene.ts";

const deadlineSecondsDefault = 86_400;
const requestAttempts = 3;

/** What the proofs of a wave have in common. */
export interface Proving {
  /** Whether no proof waits any longer. */
  isStopped(): boolean;
  /** A tenant has failed. */
  noteFailure(): void;
}

/**
 * Proves a tenant that a read has shown on the release: asks for a sync once no older run is under way, and waits for its
 * outcome. Only a success of this sync proves the tenant. It stays open if the time to wait is over before. An overridden
 * tenant is not synced; what has become of a sync that was asked for before the override still counts.
 */
export async function prove(
  run: Run,
  wave: RunningWave,
  tenant: RolloutTenant,
  { isStopped, noteFailure }: Proving,
): Promise<void> {
  const { rollout } = run;
  const { id } = tenant;
  const mark = (now: "proven" | "skipped" | "left" | "failed", reason?: string) => {
    wave.marks.set(id, now);
    if (now === "failed") noteFailure();
    rollout.pending.delete(id);
    if (reason === undefined) rollout.reasons.delete(id);
    else rollout.reasons.set(id, reason);
  };
  const sync: PendingSync = rollout.pending.get(id) ?? { since: tellTime(run.context, rollout) };
  rollout.pending.set(id, sync);
  const setAside = () => {
    mark("left", overriddenReason);
    rollout.pending.set(id, { since: sync.since }); // its proof is still to come
  };
  if (rollout.reasons.get(id) === overriddenReason) {
    sync.since = tellTime(run.context, rollout); // its deadline does not pass while it is overridden
    rollout.reasons.delete(id);
  }
  if (sync.trigger === undefined) {
    if (tenant.isOverridden) return setAside();
    const ready = await readyToSync(run, tenant, isStopped);
    if (ready === undefined) return failIfLate(run, sync, mark, "an older run of it was under way all the time");
    if (ready.kind !== "ready") return mark(ready.kind, ready.reason);
    const asked = await askForSync(run, ready.tenant);
    if (asked.kind === "refused") return mark(asked.mark, asked.reason);
    if (asked.kind === "unknown") return;
    sync.trigger = asked.trigger;
    sync.since = tellTime(run.context, rollout); // nobody could ask before
  }
  const { trigger } = sync;
  let word: string | undefined;
  let lost: unknown;
  const gate = run.inputs.gate ?? {};
  await waitUntil(
    run,
    async () => {
      ({ word, lost } = await statusOf(run, trigger));
      const isLate = tellTime(run.context, rollout) > deadlineOf(run, sync);
      return isLate || (word !== undefined && outcomeOf(word, gate) !== undefined);
    },
    { pauses: { first: 0.25, longest: 10 }, isStopped: () => tenant.isOverridden || isStopped() },
  );
  const outcome = word === undefined ? undefined : outcomeOf(word, gate);
  const source = `GET /v2/runs/triggers/${trigger}/status`;
  if (outcome === "succeeded") return mark("proven");
  if (outcome === "failed") return mark("failed", `its sync ended with "${word}" (${source})`);
  if (lost !== undefined && rollout.clock <= deadlineOf(run, sync)) {
    run.errors.push(lost); // it may have succeeded
    return;
  }
  if (tenant.isOverridden) return setAside();
  const said = word === undefined ? "no status" : `the status "${word}", which is in no list of statuses,`;
  failIfLate(run, sync, mark, `its sync had ${said} (${source})`);
}

type Ready =
  | { kind: "ready"; tenant: RolloutTenant }
  | { kind: "skipped"; reason: undefined }
  | { kind: "left"; reason: string };

/** The tenant once it can be synced, or why it is not; `undefined` if the time to wait is over before. */
async function readyToSync(run: Run, seen: RolloutTenant, isStopped: () => boolean): Promise<Ready | undefined> {
  const { integration, rollout, inputs } = run;
  const words = inputs.gate ?? {};
  let now = seen;
  let ready: Ready | undefined;
  await waitUntil(
    run,
    async () => {
      if (now !== seen || hasCurrentRun(now, words)) {
        const tenant = await integration.tenants.fetchFresh(seen.id);
        if (tenant === undefined) ready = { kind: "left", reason: "it is no longer among the live tenants" };
        else now = { ...seen, tenant, runs: whatRuns(tenant, rollout) };
      }
      if (ready !== undefined) return true;
      if (now.runs !== String(rollout.release)) ready = { kind: "left", reason: changedByHand(now) };
      else if (now.tenant.paused || canSync(now.tenant, integration).kind === "cannot") {
        ready = { kind: "skipped", reason: undefined };
      } else if (!hasCurrentRun(now, words)) ready = { kind: "ready", tenant: now };
      return ready !== undefined;
    },
    { pauses: { first: 0.5, longest: 10 }, isStopped },
  );
  const failed = failedRunOf(now, words);
  if (failed !== undefined) rollout.olderFailures.set(now.id, failed);
  return ready;
}

type Asked =
  | { kind: "asked"; trigger: string }
  | { kind: "refused"; mark: "skipped" | "failed"; reason: string }
  | { kind: "unknown" };

/** Asks for the gate's sync. If the response is lost, the sync is asked for anew, as its trigger is not known. */
async function askForSync(
  { context, inputs, integration, errors }: Run,
  { id, tenant }: RolloutTenant,
): Promise<Asked> {
  const mode = inputs.gate?.sync ?? "normal";
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { kind: "asked", trigger: (await context.client.tenants.sync(id, { mode })).trigger_id };
    } catch (error) {
      if (error instanceof ValidationError || error instanceof NotFoundError) {
        // the platform may not tell whether a tenant is connected: then only this refusal shows that it is not
        const isUnconnected = canSync(tenant, integration).kind === "unknown";
        const reason = `the platform refused its sync: ${error.message}`;
        return { kind: "refused", mark: isUnconnected ? "skipped" : "failed", reason };
      }
      if (error instanceof ApiError && error.mayHaveBeenApplied && attempt < requestAttempts) continue;
      errors.push(error);
      return { kind: "unknown" };
    }
  }
}

/** The word for the status of a trigger; `undefined` if there is none yet. */
async function statusOf({ context }: Run, trigger: string): Promise<{ word?: string; lost?: unknown }> {
  try {
    return { word: (await context.client.runs.getTriggerStatus(trigger)).status };
  } catch (error) {
    return error instanceof NotFoundError ? {} : { lost: error };
  }
}

function failIfLate(run: Run, sync: PendingSync, mark: (now: "failed", reason: string) => void, what: string): void {
  if (tellTime(run.context, run.rollout) <= deadlineOf(run, sync)) return;
  mark("failed", `${what} until its deadline`);
}

function deadlineOf({ inputs }: Run, { since }: PendingSync): string {
  return secondsFrom(since, inputs.gate?.deadlineSeconds ?? deadlineSecondsDefault);
}

/** The reason why a tenant that runs something else is left. */
export function changedByHand({ runs }: Pick<RolloutTenant, "runs">): string {
  return `it was changed by hand: it runs ${runs ?? "a release that the platform does not show"}`;
}
