import { isDeepStrictEqual } from "node:util";
import { ApiError, RequestError, type Tenant, ValidationError } from "../../api/index.ts";
import { shapeFailures } from "../../inputs/input-schema.ts";
import { defined } from "../../json/defined.ts";
import { valueAt } from "../../json/key-path.ts";
import { hasUnknown } from "../../json/unknown.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { timeNow } from "../../operation/platform-time.ts";
import { isArchived } from "../../operation/require-gone.ts";
import { explainedStatus, outcomeOf } from "../../operation/run-outcome.ts";
import { hangingReason } from "../../operation/run-record.ts";
import { tenantById } from "../../operation/tenant-by-id.ts";
import { canSync, type SyncReadiness } from "../../operation/tenant-connection.ts";
import { IncompleteError, type Lifecycle } from "../lifecycle.ts";
import { isOverridden, warnOfEnded } from "../tenant/override.ts";
import { type AwaitedOutcome, awaitOutcome, isRefusedSync, requestSync } from "./request.ts";
import { type SyncTriggerInputs, type SyncTriggerState, syncTriggerInputsSchema } from "./schema.ts";

/** Inputs whose change requests another sync. A change of the others only changes how the outcome is awaited. */
const retriggering = ["tenantId", "integrationId", "userName", "mode", "payload", "triggers"];

/** Whether inputs have changed that request another sync. */
export function isRetriggered(before: object, now: object): boolean {
  return retriggering.some((key) => !isDeepStrictEqual(valueAt(before, [key]), valueAt(now, [key])));
}

/** The lifecycle of a sync. The inputs are documented at `SyncTriggerArgs`. */
export function syncTriggerLifecycle(context: OperationContext): Lifecycle<SyncTriggerInputs, SyncTriggerState> {
  return {
    check: async (inputs) => {
      const failures = shapeFailures(syncTriggerInputsSchema, inputs);
      if (failures.length === 0) await warnOfEnded(context, inputs);
      return failures;
    },

    diff: async (_, state, inputs) => {
      if (hasUnknown(inputs)) return { isChanged: true };
      const now = syncTriggerInputsSchema.parse(inputs);
      const isChanged = !isDeepStrictEqual(inputsOf(state), now);
      // new words in the stack's config may have given the stored status another outcome, which an update stores
      const isOtherOutcome = !isChanged && outcomeBy(context, now, state) !== state.outcome;
      return { isChanged, isUnfinished: isOtherOutcome || (await isDue(context, state, now)) };
    },

    create: async (inputs) => {
      const state = await sync(context, inputs, undefined);
      return { id: idOf(state), state };
    },

    read: async (_, state) => ({ inputs: inputsOf(state), state }),

    update: async (id, state, inputs) => {
      if (isRetriggered(state, inputs)) return sync(context, inputs, id);
      if (await isDue(context, state, inputs)) {
        return (await resume(context, inputs, { id, state })) ?? sync(context, inputs, id);
      }
      return withLastOutcome(context, inputs, state);
    },

    delete: async () => {}, // a sync cannot be undone

    import: importSyncTrigger,
  };
}

/**
 * Whether an update has something to do: the sync failed, has an unknown outcome, or was skipped and can run now. It waits as
 * long as the tenant is overridden.
 */
async function isDue(context: OperationContext, state: SyncTriggerState, inputs: SyncTriggerInputs): Promise<boolean> {
  if (await mustWait(context, inputs)) return false;
  const outcome = outcomeBy(context, inputs, state);
  if (outcome === "unknown") return inputs.failOnError !== false || state.triggerId !== undefined;
  if (outcome !== "skipped") return inputs.failOnError !== false && outcome === "failed";
  if (inputs.whenUnconnected === "fail") return true;
  const { kind } = await readinessOf(context, state);
  return kind !== "cannot"; // if the platform does not report readiness, only another request shows whether the tenant can sync
}

/** Whether the tenant is overridden, or may be: a sync waits as long as it is not known whether the override has ended. */
function mustWait(context: OperationContext, { override }: SyncTriggerInputs): Promise<boolean> {
  return isOverridden(context, override, { paused: true });
}

/** The outcome of the last sync. Changed status words may give a stored status a new outcome without another sync. */
function outcomeBy(
  { runWords }: OperationContext,
  inputs: SyncTriggerInputs,
  { status, outcome }: SyncTriggerState,
): SyncTriggerState["outcome"] {
  if (status === undefined || (outcome !== "unknown" && outcome !== "failed")) return outcome;
  return outcomeOf(status, inputs, runWords) ?? "unknown";
}

/** The state with the inputs and the outcome of the last sync. */
function withLastOutcome(
  context: OperationContext,
  inputs: SyncTriggerInputs,
  state: SyncTriggerState,
): SyncTriggerState {
  const { triggerId, status, secondsWaited } = state;
  return {
    ...inputs,
    ...defined({ triggerId, status, secondsWaited }),
    outcome: outcomeBy(context, inputs, state),
  };
}

async function sync(
  context: OperationContext,
  inputs: SyncTriggerInputs,
  id: string | undefined,
): Promise<SyncTriggerState> {
  if (await mustWait(context, inputs)) return { ...inputs, outcome: "skipped" };
  const readiness = await readinessOf(context, inputs);
  if (readiness.kind === "cannot") return skip(context, inputs, readiness);
  await refuseArchived(context, inputs);
  const requestedAt = timeNow(context.client).at;
  const triggerId = await requestSync(context, inputs).catch((error: unknown) => {
    if (readiness.kind !== "unknown" || inputs.whenUnconnected === "fail" || !isRefusedSync(error)) throw error;
    context.warn(
      `${describe(inputs)} is skipped: the platform refused it: ${error.message}. Perhaps tenant "${readiness.tenant.name}" ` +
        `is not connected; ${readiness.reason}. The next up requests it again`,
    );
    return undefined;
  });
  if (triggerId === undefined) return { ...inputs, outcome: "skipped" };
  if (inputs.wait === false) return { ...inputs, triggerId, outcome: "requested" };
  const requested = { triggerId, tenantId: inputs.tenantId, requestedAt };
  const { result, seen } = await awaitOutcome(context, requested, inputs, readiness.isPaused).catch(
    (error: unknown) => {
      throw new IncompleteError(id ?? triggerId, { ...inputs, triggerId, outcome: "unknown" as const }, error);
    },
  );
  return conclude(context, id ?? triggerId, { ...inputs, triggerId, ...result }, seen);
}

/**
 * Asks for the outcome of the last sync, if it is unknown. It waits on if an interruption or an error ended the wait, and asks
 * once if the wait ended with the timeout.
 *
 * @returns `undefined` if another sync is to be requested.
 */
async function resume(
  context: OperationContext,
  inputs: SyncTriggerInputs,
  { id, state }: { id: string; state: SyncTriggerState },
): Promise<SyncTriggerState | undefined> {
  const { triggerId, secondsWaited } = state;
  if (triggerId === undefined || outcomeBy(context, inputs, state) !== "unknown") return undefined;
  if (inputs.wait === false) return { ...inputs, triggerId, outcome: "requested" };
  const wasWholeWait = secondsWaited !== undefined;
  const timeoutSeconds = wasWholeWait ? 0 : inputs.timeoutSeconds;
  const { isPaused } = await readinessOf(context, inputs);
  const requested = { triggerId, tenantId: inputs.tenantId };
  const awaited = await awaitOutcome(context, requested, { ...inputs, timeoutSeconds }, isPaused).catch(
    (error: unknown) => {
      // the platform may know an old trigger no longer
      const isForgotten = error instanceof ValidationError || error instanceof RequestError;
      if (isForgotten) return "forgotten";
      if (wasWholeWait && error instanceof ApiError) return undefined;
      throw new IncompleteError(id, withLastOutcome(context, inputs, state), error);
    },
  );
  if (awaited === "forgotten") return inputs.failOnError === false ? { ...inputs, outcome: "unknown" } : undefined;
  const result = awaited?.result;
  if (wasWholeWait && result?.outcome !== "succeeded" && inputs.failOnError !== false) return undefined;
  if (result === undefined) return inputs.failOnError === false ? withLastOutcome(context, inputs, state) : undefined;
  const waited = (secondsWaited ?? 0) + (result.secondsWaited ?? 0);
  return conclude(context, id, { ...inputs, triggerId, ...result, secondsWaited: waited }, awaited?.seen);
}

/** The state after a wait for the outcome. Throws if the outcome must fail the `up`. */
async function conclude(
  context: OperationContext,
  id: string,
  state: SyncTriggerState,
  seen: AwaitedOutcome["seen"] = {},
): Promise<SyncTriggerState> {
  const { outcome, secondsWaited, failOnError } = state;
  if (outcome === "requested") {
    context.warn(
      `${describe(state)} is requested, but its run did not begin within ${secondsWaited} s, and the tenant is paused. Perhaps ` +
        "the platform begins it once the tenant is resumed. No up waits for it",
    );
    return state;
  }
  if (outcome === "succeeded" || failOnError === false) return state;
  throw new IncompleteError(id, state, new Error(await describeFailure(context, state, seen)));
}

/** Records the sync of an unconnected tenant as skipped, with a warning if the platform does not name the connector. */
function skip(
  context: OperationContext,
  inputs: SyncTriggerInputs,
  { tenant, reason, isReported }: { tenant: Tenant; reason: string; isReported: boolean },
): SyncTriggerState {
  const unconnected = `tenant "${tenant.name}" is not connected, or not with all of its connectors (${reason})`;
  if (inputs.whenUnconnected !== "fail") {
    if (!isReported)
      context.warn(
        `${describe(inputs)} is skipped: ${unconnected}. An up requests it once the platform shows a connection`,
      );
    return { ...inputs, outcome: "skipped" };
  }
  throw new Error(
    `${describe(inputs)}: ${unconnected}, so it cannot sync. ` +
      'Run up again after its customer has connected it, or set whenUnconnected: "skip" to skip the sync',
  );
}

type Readiness = { isPaused: boolean } & (
  | { kind: "can" }
  | ({ tenant: Tenant } & Exclude<SyncReadiness, { kind: "can" }>)
);

/** Whether the tenant can sync. An unknown tenant counts as ready, as the platform's response to the request decides. */
async function readinessOf(context: OperationContext, { tenantId }: SyncTriggerInputs): Promise<Readiness> {
  if (tenantId === undefined) return { kind: "can", isPaused: false };
  const found = await tenantById(context, tenantId);
  if (found === undefined) return { kind: "can", isPaused: false };
  const { tenant } = found;
  const readiness = { ...canSync(tenant, found.integration), isPaused: tenant.paused };
  return readiness.kind === "can" ? readiness : { tenant, ...readiness };
}

/** Throws if the tenant is archived: a platform may sync it nevertheless. A tenant that no list shows may be a new one. */
async function refuseArchived(context: OperationContext, inputs: SyncTriggerInputs): Promise<void> {
  const { tenantId } = inputs;
  if (tenantId === undefined || (await tenantById(context, tenantId)) !== undefined) return;
  if (!isArchived(await context.snapshot.tenantsOf().archived(tenantId))) return;
  throw new Error(`${describe(inputs)}: tenant ${tenantId} is archived. Correct tenantId, or remove the resource`);
}

async function describeFailure(
  context: OperationContext,
  state: SyncTriggerState,
  { run, stop }: AwaitedOutcome["seen"],
): Promise<string> {
  const trigger = `trigger ${state.triggerId}, GET /v2/runs/triggers/${state.triggerId}/status`;
  const seconds = `after ${state.secondsWaited} s`;
  const runId = run?.id ?? (await runIdOf(context, state));
  const unless = run === undefined ? ", unless the tenant has had another run since" : "";
  const log =
    runId === undefined
      ? "Its run cannot be known from the API: see the tenant's runs in the console"
      : `Its log${unless}: GET /v2/runs/${runId}/log`;
  const status = explainedStatus(state.status ?? "");
  if (state.outcome === "failed") {
    return `${describe(state)} failed with status ${status} ${seconds} (${trigger}). ${log}. The next up tries again`;
  }
  if (stop === "hanging") return `${describe(state)} hangs: ${hangingReason(run)} (${trigger}). ${log}`;
  const word =
    state.status === undefined
      ? `no status yet ${seconds} (${trigger})`
      : `the status ${status}, which is in no list of statuses, ${seconds} (${trigger}). ` +
        "If the word means success, add it to succeededStatuses, here or in the stack's config";
  return `${describe(state)} has ${stop === "ended" ? "ended: it has " : ""}${word}. ${log}. The next up tries again`;
}

/** The id of the run, guessed as the tenant's current or last run, because the API does not report a trigger's run. */
async function runIdOf(
  context: OperationContext,
  { tenantId, outcome }: SyncTriggerState,
): Promise<string | number | undefined> {
  if (tenantId === undefined) return undefined;
  // ignore errors here, because the known outcome of the sync must not be lost
  const tenant = await context.snapshot
    .tenantsOf()
    .fetchFresh(tenantId)
    .catch(() => undefined);
  if (tenant === undefined) return undefined;
  const { last_run: last, current_run: current } = tenant.status ?? {};
  const id = outcome === "unknown" ? (current?.id ?? last?.id) : last?.id;
  return typeof id === "number" || typeof id === "string" ? id : undefined;
}

function describe({ mode, tenantId, integrationId, userName }: SyncTriggerInputs): string {
  const target = tenantId === undefined ? `user "${userName}" of integration ${integrationId}` : `tenant ${tenantId}`;
  return `the ${mode} sync of ${target}`;
}

function idOf({ triggerId, tenantId, integrationId, userName }: SyncTriggerState): string {
  return triggerId ?? `skipped-${tenantId ?? `${integrationId}-${userName}`}`;
}

function inputsOf({ triggerId, status, outcome, secondsWaited, ...inputs }: SyncTriggerState): SyncTriggerInputs {
  return inputs;
}

/** Refuses to import a sync: the platform shows the status of a trigger, and nothing else of it (specification, Runs). */
async function importSyncTrigger(id: string): Promise<never> {
  throw new Error(
    `a SyncTrigger cannot be imported (id "${id}"): the platform reports the status of a trigger, but not its tenant, mode ` +
      "and payload. To request a sync, declare a SyncTrigger without an import. To read the status of this trigger, call " +
      "getTriggerStatus with its id",
  );
}
