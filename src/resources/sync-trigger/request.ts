import { ApiError, NotFoundError, ValidationError } from "../../api/index.ts";
import { whileBusy } from "../../operation/busy.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { poll } from "../../operation/poll.ts";
import { type RequestedSync, type SyncProgress, syncProgress } from "../../operation/sync-progress.ts";
import type { SyncTriggerInputs, SyncTriggerState } from "./schema.ts";

/** The default timeout of a sync, in seconds. A sync may wait for the current run to end, so it has time for two runs. */
const timeoutSecondsDefault = 25 * 60;

/** How long the sync of a paused tenant may have no status. A platform may begin its run only once the tenant is resumed. */
const pausedSeconds = 60;

/** Requests a sync. Returns the trigger's id, which is all that is known about the run. */
export async function requestSync(context: OperationContext, inputs: SyncTriggerInputs): Promise<string> {
  const { client } = context;
  const { tenantId, integrationId, userName, mode, payload } = inputs;
  const body = payload === undefined ? {} : { body: payload };
  const what = tenantId === undefined ? `the sync of integration ${integrationId}` : `tenant ${tenantId}`;
  const trigger = await whileBusy(context, { what, mayRun: true }, () =>
    tenantId === undefined
      ? client.integrations.sync(integrationId ?? 0, { mode, userName: userName ?? "", ...body })
      : client.tenants.sync(tenantId, { mode, ...body }),
  );
  return trigger.trigger_id;
}

/** Whether the platform refused the sync of a tenant, perhaps as it is not connected (specification, Tenants: sync). */
export function isRefusedSync(error: unknown): error is ValidationError | NotFoundError {
  return error instanceof ValidationError || error instanceof NotFoundError;
}

/** The result of a wait: what the state of a sync stores, and what only messages tell. */
export interface AwaitedOutcome {
  result: Pick<SyncTriggerState, "status" | "outcome" | "secondsWaited">;
  seen: Pick<SyncProgress, "run" | "stop">;
}

/**
 * Waits until the run of a trigger has ended. A 404 means that there is no status yet, as triggers are debounced
 * (specification, States and transitions). An unknown status never counts as success; the waiting continues unless the platform
 * shows that the run has ended, or that it hangs.
 *
 * @param isPaused whether the tenant was paused when the sync was requested. Without a status, the sync then stays requested. Default false.
 * @throws ApiError for a refused request. For one that may succeed later, only if it still fails when the time is over.
 */
export async function awaitOutcome(
  context: OperationContext,
  sync: RequestedSync,
  inputs: SyncTriggerInputs,
  isPaused = false,
): Promise<AwaitedOutcome> {
  const start = performance.now();
  const isNotBegun = () => isPaused && performance.now() - start > pausedSeconds * 1000;
  const { failure, ...last } = await poll<SyncProgress & { failure?: ApiError }>({
    ask: async () => {
      try {
        return await syncProgress(context, sync, inputs);
      } catch (error) {
        if (error instanceof ApiError && mayPass(error)) return { failure: error };
        throw error;
      }
    },
    isDone: ({ status, outcome, stop, failure: error }) =>
      status === undefined ? error === undefined && isNotBegun() : outcome !== undefined || stop !== undefined,
    deadlineSeconds: inputs.timeoutSeconds ?? timeoutSecondsDefault,
    pauses: { first: 0.5, longest: 10 },
    signal: context.signal,
  });
  if (failure !== undefined) throw failure;
  const secondsWaited = Math.round((performance.now() - start) / 1000);
  const { status, outcome = "unknown", ...seen } = last;
  if (status === undefined && isPaused) return { result: { outcome: "requested", secondsWaited }, seen };
  return { result: { ...(status === undefined ? {} : { status }), outcome, secondsWaited }, seen };
}

/** Whether a later request may succeed: the platform, or the way to it, failed. Its own 404 is a {@link NotFoundError}. */
function mayPass({ status }: ApiError): boolean {
  return status === undefined || status === 404 || status === 429 || status >= 500;
}
