import { ApiError, AuthenticationError, NotFoundError, ValidationError } from "../../api/index.ts";
import { whileBusy } from "../../operation/busy.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import { explainedStatus } from "../../operation/run-outcome.ts";
import { hangingReason } from "../../operation/run-record.ts";
import { type RequestedSync, type SyncProgress, syncProgress } from "../../operation/sync-progress.ts";
import { canSync } from "../../operation/tenant-connection.ts";
import { goneUnproven } from "./gate.ts";
import { overriddenReason } from "./overridden.ts";
import { describeRefusal } from "./refusal.ts";
import type { Mark, PendingSync, RunningWave } from "./rollout.ts";
import { platformNow, type RolloutStepContext, secondsFrom, waitUntil } from "./rollout-step-context.ts";
import { type RolloutTenant, releaseRunBy } from "./rollout-view.ts";
import { hasCurrentRun, olderRunsOf } from "./run-status.ts";

/** The default of the gate's `deadlineSeconds`: a day. */
const deadlineSecondsDefault = 86_400;
/** The start of the reason why a tenant is not proven whose sync the platform refused. */
export const refusedSyncReason = "the platform refused its sync";
/** How often a sync is requested at most, if the responses are lost. */
const requestAttempts = 3;

/** What the proofs of a wave's tenants share. */
export interface Proving {
  /** Whether all proofs must stop waiting. */
  isStopped(): boolean;
  /** Called when a tenant has failed. */
  noteFailure(): void;
}

/** The proof of one tenant. */
interface Proof extends Pick<Proving, "isStopped"> {
  step: RolloutStepContext;
  tenant: RolloutTenant;
  /** The sync that proves the tenant. The rollout stores it until the tenant is marked. */
  sync: PendingSync;
  /** Stores how the tenant stands, and why. */
  mark(to: Exclude<Mark, "open">, reason?: string): void;
}

/**
 * Proves a tenant that a read has shown on the release: requests a sync once no older run is under way, and waits for its
 * outcome. Only a success of this sync proves the tenant. If the wait time of the `up` ends first, the tenant stays open, and
 * the next `up` continues.
 *
 * An overridden tenant is not synced. The outcome of a sync that was requested before the override still counts.
 */
export async function prove(
  step: RolloutStepContext,
  wave: RunningWave,
  tenant: RolloutTenant,
  { isStopped, noteFailure }: Proving,
): Promise<void> {
  const { context, rollout } = step;
  const { id } = tenant;
  const mark: Proof["mark"] = (to, reason) => {
    wave.marks.set(id, to);
    if (to === "failed") noteFailure();
    // a proof begins the soak anew, and a refused sync does not: it may be refused with each up
    if (to === "proven") delete wave.provenAt;
    rollout.pending.delete(id);
    if (reason === undefined) rollout.reasons.delete(id);
    else rollout.reasons.set(id, reason);
  };
  const sync: PendingSync = rollout.pending.get(id) ?? { since: platformNow(context, rollout) };
  rollout.pending.set(id, sync);
  if (rollout.reasons.get(id) === overriddenReason) {
    sync.since = platformNow(context, rollout); // the time under the override does not count towards the deadline
    rollout.reasons.delete(id);
  }
  const proof: Proof = { step, tenant, sync, isStopped, mark };
  const trigger = sync.trigger ?? (await requestProof(proof));
  if (trigger !== undefined) await awaitOutcome(proof, trigger);
}

/**
 * Requests the sync that proves the tenant, once no older run of the tenant is under way.
 *
 * @returns the trigger of the sync; `undefined` if none was requested. Then the tenant is marked, or stays open.
 */
async function requestProof(proof: Proof): Promise<string | undefined> {
  const { step, tenant, sync, isStopped, mark } = proof;
  if (tenant.isOverridden) {
    leaveAsOverridden(proof);
    return undefined;
  }
  const ready = await readyToSync(step, tenant, isStopped);
  if (ready === undefined) {
    failIfLate(proof, "an older run of it was under way all the time");
    return undefined;
  }
  if (ready.kind !== "ready") {
    mark(ready.kind, ready.reason);
    return undefined;
  }
  const request = await requestSync(step, ready.tenant);
  if (request.kind === "refused") mark(request.mark, request.reason);
  if (request.kind === "unknown") noteFailedRequest(proof, request.error, "its sync could not be requested");
  if (request.kind !== "accepted") return undefined;
  delete sync.failingSince;
  sync.trigger = request.trigger;
  sync.since = platformNow(step.context, step.rollout); // from now on, the deadline counts from the request
  return request.trigger;
}

/**
 * Notes that a request for the proof failed. If it has been so for as long as a sync may take, the tenant has failed. Neither
 * an interruption nor a refused API key says anything about the tenant.
 *
 * @param what what could not be done, for the reason.
 */
function noteFailedRequest({ step, sync, mark }: Proof, error: unknown, what: string): void {
  const saysNothing = !(error instanceof ApiError) || error instanceof AuthenticationError;
  const now = platformNow(step.context, step.rollout);
  if (!saysNothing) sync.failingSince ??= now;
  const isLate = now > deadlineOf(step, { since: sync.failingSince ?? now });
  if (isLate && !saysNothing) mark("failed", `${what} until its deadline`);
  else step.errors.push(error);
}

/** Waits for the outcome of the requested sync, and marks the tenant by it. Without an outcome, the tenant stays open. */
async function awaitOutcome(proof: Proof, trigger: string): Promise<void> {
  const { step, tenant, sync, isStopped, mark } = proof;
  const { context, rollout } = step;
  let progress: SyncProgress = {};
  let statusError: unknown;
  const requested = { triggerId: trigger, tenantId: tenant.id, requestedAt: new Date(sync.since) };
  await waitUntil(
    step,
    async () => {
      ({ progress, statusError } = await progressOf(step, requested));
      const isLate = platformNow(context, rollout) > deadlineOf(step, sync);
      return isLate || progress.outcome !== undefined || progress.stop !== undefined;
    },
    { pauses: { first: 0.25, longest: 10 }, isStopped: () => tenant.isOverridden || isStopped() },
  );
  const { status, outcome, run, stop } = progress;
  const source = run?.id === undefined ? `GET /v2/runs/triggers/${trigger}/status` : `GET /v2/runs/${run.id}/log`;
  if (outcome === "succeeded") return mark("proven");
  if (outcome === "failed") return mark("failed", `its sync ended with ${explainedStatus(status ?? "")} (${source})`);
  if (stop === "hanging") return mark("failed", `its sync hangs: ${hangingReason(run)} (${source})`);
  if (stop === "ended") {
    const setting = "if the word means success, add it to succeededStatuses of the gate or of the stack's config";
    return mark(
      "failed",
      `its sync ended with ${explainedStatus(status ?? "")}, which is in no list of statuses: ${setting} (${source})`,
    );
  }
  if (statusError !== undefined && tenant.isOverridden) return leaveAsOverridden(proof);
  if (statusError !== undefined)
    return noteFailedRequest(proof, statusError, `the status of its sync could not be read (${source})`);
  delete sync.failingSince;
  if (tenant.isOverridden) return leaveAsOverridden(proof);
  const shown = status === undefined ? "no status" : `the status "${status}", which is in no list of statuses,`;
  failIfLate(proof, `its sync had ${shown} (${source})`);
}

function leaveAsOverridden({ step, tenant, sync, mark }: Proof): void {
  mark("left", overriddenReason);
  step.rollout.pending.set(tenant.id, { since: sync.since }); // the tenant is proven after the override
}

type Ready =
  | { kind: "ready"; tenant: RolloutTenant }
  | { kind: "skipped"; reason: undefined }
  | { kind: "left"; reason: string };

/**
 * Waits until no older run of the tenant is under way. Resolves to the tenant as it is then, or to the reason why it is not
 * synced; to `undefined` if the wait time of the `up` ends first.
 */
async function readyToSync(
  step: RolloutStepContext,
  seen: RolloutTenant,
  isStopped: () => boolean,
): Promise<Ready | undefined> {
  const { integration, rollout, inputs } = step;
  const { runWords } = integration;
  const gate = inputs.gate ?? {};
  let now = seen;
  let ready: Ready | undefined;
  await waitUntil(
    step,
    async () => {
      // the caller has just read the tenant: without a run, the first question needs no other read
      if (now !== seen || hasCurrentRun(now, gate, runWords)) {
        const tenant = await integration.tenants.fetchFresh(seen.id);
        if (tenant === undefined) ready = { kind: "left", reason: goneUnproven };
        else now = { ...seen, tenant, runs: releaseRunBy(tenant, rollout) };
      }
      if (ready !== undefined) return true;
      if (now.runs !== String(rollout.release)) ready = { kind: "left", reason: changedByHandReason(now) };
      else if (now.tenant.paused || canSync(now.tenant, integration).kind === "cannot") {
        ready = { kind: "skipped", reason: undefined };
      } else if (!hasCurrentRun(now, gate, runWords)) ready = { kind: "ready", tenant: now };
      return ready !== undefined;
    },
    { pauses: { first: 0.5, longest: 10 }, isStopped },
  );
  const older = olderRunsOf(now, gate, runWords);
  if (older !== undefined) rollout.olderFailures.set(now.id, older);
  return ready;
}

/** The result of the request for a sync. `unknown`: it failed for another reason than a refusal, so the tenant stays open. */
type SyncRequest =
  | { kind: "accepted"; trigger: string }
  | { kind: "refused"; mark: "skipped" | "left" | "failed"; reason: string }
  | { kind: "unknown"; error: unknown };

/** Requests the gate's sync. A lost response loses the id of the trigger too, so the sync is then requested again. */
async function requestSync(
  { context, inputs, integration }: RolloutStepContext,
  { id }: RolloutTenant,
): Promise<SyncRequest> {
  const mode = inputs.gate?.sync ?? "normal";
  for (let attempt = 1; ; attempt += 1) {
    try {
      const busy = { what: `tenant ${id}`, mayRun: true };
      const trigger = await whileBusy(context, busy, () => context.client.tenants.sync(id, { mode }));
      return { kind: "accepted", trigger: trigger.trigger_id };
    } catch (error) {
      if (error instanceof ValidationError || error instanceof NotFoundError) {
        return await refusedSync(integration, id, error).catch((unread: unknown) => ({
          kind: "unknown",
          error: unread,
        }));
      }
      if (error instanceof ApiError && error.mayHaveBeenApplied && attempt < requestAttempts) continue;
      return { kind: "unknown", error };
    }
  }
}

/** What a refusal means. Somebody may have paused, disconnected or archived the tenant since it was read. */
async function refusedSync(
  integration: IntegrationScope,
  id: number,
  error: ValidationError | NotFoundError,
): Promise<SyncRequest> {
  const now = await integration.tenants.fetchFresh(id);
  if (now === undefined) return { kind: "refused", mark: "left", reason: goneUnproven };
  // if the platform does not report whether a tenant is connected, this refusal is the only sign that it is not
  const mayBeUnable = now.paused || canSync(now, integration).kind !== "can";
  const reason = `${refusedSyncReason}: ${describeRefusal(error)}`;
  return { kind: "refused", mark: mayBeUnable ? "skipped" : "failed", reason };
}

/** How a sync stands, or the error of the request. */
async function progressOf(
  { context, inputs }: RolloutStepContext,
  sync: RequestedSync,
): Promise<{ progress: SyncProgress; statusError?: unknown }> {
  try {
    return { progress: await syncProgress(context, sync, inputs.gate ?? {}) };
  } catch (statusError) {
    return { progress: {}, statusError };
  }
}

/**
 * Marks the tenant as failed if its deadline has passed. Otherwise it stays open.
 *
 * @param what what happened until the deadline, for the reason.
 */
function failIfLate({ step, sync, mark }: Proof, what: string): void {
  if (platformNow(step.context, step.rollout) <= deadlineOf(step, sync)) return;
  mark("failed", `${what} until its deadline`);
}

/** The time after which the tenant has failed, ISO 8601, UTC: such times can be compared as strings. */
function deadlineOf({ inputs }: RolloutStepContext, { since }: PendingSync): string {
  return secondsFrom(since, inputs.gate?.deadlineSeconds ?? deadlineSecondsDefault);
}

/** The reason why a tenant that runs something else is left. */
export function changedByHandReason({ runs }: Pick<RolloutTenant, "runs">): string {
  return `it was changed by hand: it runs ${runs ?? "a release that the platform does not show"}`;
}
