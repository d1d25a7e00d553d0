import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { NotFoundError } from "../api/index.ts";
import { syncTriggerInputsSchema } from "../resources/sync-trigger/schema.ts";
import { verdictOf } from "../resources/sync-trigger/verdict.ts";
import { filledText } from "../text-schema.ts";
import { type InputsOf, lookup } from "./lookup.ts";

const { succeededStatuses, failedStatuses } = syncTriggerInputsSchema.shape;
const argsSchema = z.strictObject({
  triggerId: filledText(),
  succeededStatuses,
  failedStatuses,
});

/** Which trigger, and status words besides the usual ones, as with a `SyncTrigger`. */
export type GetTriggerStatusArgs = z.infer<typeof argsSchema>;

/** The status of a trigger's run (specification, TriggerStatus). */
export interface GetTriggerStatusResult {
  triggerId: string;
  /** The platform's word; absent while it has none: triggers are debounced, and one that nobody knows looks the same. */
  status?: string;
  /** What the word means; `unknown` where the run is not over, or the word is in no list. */
  verdict: "succeeded" | "failed" | "unknown";
}

const one = lookup("getTriggerStatus", argsSchema, async ({ client }, args): Promise<GetTriggerStatusResult> => {
  const { triggerId } = args;
  try {
    const { status } = await client.runs.getTriggerStatus(triggerId);
    return { triggerId, status, verdict: verdictOf(status, args) ?? "unknown" };
  } catch (error) {
    if (error instanceof NotFoundError) return { triggerId, verdict: "unknown" };
    throw error;
  }
});

/** Looks up what became of a sync, at this moment: nothing is waited for. */
export function getTriggerStatus(args: GetTriggerStatusArgs): Promise<GetTriggerStatusResult> {
  return one.now(args);
}

/** {@link getTriggerStatus} with arguments that may come from resources. */
export function getTriggerStatusOutput(args: InputsOf<GetTriggerStatusArgs>): pulumi.Output<GetTriggerStatusResult> {
  return one.later(args);
}
