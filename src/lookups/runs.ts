import { z } from "zod";
import { NotFoundError } from "../api/index.ts";
import { nonEmptyString } from "../inputs/string-schema.ts";
import { outcomeOf } from "../operation/run-outcome.ts";
import { syncTriggerInputsSchema } from "../resources/sync-trigger/schema.ts";
import { hideCredentials } from "../settings/hide-credentials.ts";
import { lookupFunction } from "./lookup-function.ts";

const runArgsSchema = z.strictObject({
  /** Id of the run. */
  runId: z.int("must be the id of a run").positive("must be the id of a run"),
});

/** The id of a run. A tenant's `lastRun` has it, if the platform sends it. */
export type GetRunLogArgs = z.infer<typeof runArgsSchema>;

/** The log of a run (specification, Runs). */
export interface GetRunLogResult {
  /** Id of the run. */
  runId: number;
  /** The whole log, with what looks like a credential hidden: a program's outputs are in the state. */
  log: string;
}

/** The lookup `getRunLog`. */
export const runLogLookup = lookupFunction("getRunLog", runArgsSchema, async ({ client }, { runId }) => ({
  runId,
  log: hideCredentials(await client.runs.getLog(runId)),
}));

const { succeededStatuses, failedStatuses } = syncTriggerInputsSchema.shape;
const triggerArgsSchema = z.strictObject({
  /** Id of the trigger. */
  triggerId: nonEmptyString(),
  /** Statuses that mean success, in addition to the built-in ones. */
  succeededStatuses,
  /** Statuses that mean failure, in addition to the built-in ones. They take precedence over all others. */
  failedStatuses,
});

/** The id of a trigger, and statuses in addition to the built-in ones, as in `SyncTriggerArgs`. */
export type GetTriggerStatusArgs = z.infer<typeof triggerArgsSchema>;

/** The status of a trigger's run (specification, TriggerStatus). */
export interface GetTriggerStatusResult {
  /** Id of the trigger. */
  triggerId: string;
  /** The platform's status. Absent for a trigger without a status yet, as triggers are debounced, and for an unknown id. */
  status?: string;
  /** The meaning of the status; `unknown` if the run has not ended or the status is in no list. */
  outcome: "succeeded" | "failed" | "unknown";
}

/** The lookup `getTriggerStatus`. */
export const triggerStatusLookup = lookupFunction(
  "getTriggerStatus",
  triggerArgsSchema,
  async ({ client, runWords }, args): Promise<GetTriggerStatusResult> => {
    const { triggerId } = args;
    try {
      const { status } = await client.runs.getTriggerStatus(triggerId);
      return { triggerId, status: hideCredentials(status), outcome: outcomeOf(status, args, runWords) ?? "unknown" };
    } catch (error) {
      if (error instanceof NotFoundError) return { triggerId, outcome: "unknown" };
      throw error;
    }
  },
);
