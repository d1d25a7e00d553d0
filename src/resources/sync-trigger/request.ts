import { NotFoundError } from "../../api/index.ts";
import type { Platform } from "../platform.ts";
import { poll } from "../poll.ts";
import type { SyncTriggerInputs, SyncTriggerState } from "./schema.ts";
import { verdictOf } from "./verdict.ts";

/** How long a sync may take, in seconds: a run is bundled behind the one that is going on, and each has its time. */
const timeoutSecondsDefault = 25 * 60;

/** Asks for a sync. The handle it returns is all that is known of the run. */
export async function requestSync({ client }: Platform, inputs: SyncTriggerInputs): Promise<string> {
  const { tenantId, integrationId, userName, mode, payload } = inputs;
  const body = payload === undefined ? {} : { body: payload };
  if (tenantId !== undefined) return (await client.tenants.sync(tenantId, { mode, ...body })).trigger_id;
  const trigger = await client.integrations.sync(integrationId ?? 0, { mode, userName: userName ?? "", ...body });
  return trigger.trigger_id;
}

/**
 * Waits until the run of a trigger is over. 404 means that there is no status yet, as triggers are debounced
 * (specification, States and transitions). A word that nobody knows is never taken for success: it is waited on.
 */
export async function awaitVerdict(
  { client }: Platform,
  triggerId: string,
  inputs: SyncTriggerInputs,
): Promise<Pick<SyncTriggerState, "status" | "verdict" | "secondsWaited">> {
  const start = performance.now();
  const status = await poll({
    ask: async () => {
      try {
        return (await client.runs.getTriggerStatus(triggerId)).status;
      } catch (error) {
        if (error instanceof NotFoundError) return undefined;
        throw error;
      }
    },
    isDone: (word) => word !== undefined && verdictOf(word, inputs) !== undefined,
    deadlineSeconds: inputs.timeoutSeconds ?? timeoutSecondsDefault,
    pauses: { first: 0.5, longest: 10 },
  });
  const secondsWaited = Math.round((performance.now() - start) / 1000);
  const verdict = (status === undefined ? undefined : verdictOf(status, inputs)) ?? "unknown";
  return { ...(status === undefined ? {} : { status }), verdict, secondsWaited };
}
