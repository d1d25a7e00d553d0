import type * as pulumi from "@pulumi/pulumi";
import { type GetTriggerStatusArgs, type GetTriggerStatusResult, triggerStatusLookup } from "../triggers.ts";
import { type InputsOf, programLookup } from "./program-lookup.ts";

const one = programLookup(triggerStatusLookup);

/** Looks up the current status of a trigger's run, without waiting for its end (specification, TriggerStatus). */
export function getTriggerStatus(args: GetTriggerStatusArgs): Promise<GetTriggerStatusResult> {
  return one.now(args);
}

/** {@link getTriggerStatus} with arguments that may come from resources. */
export function getTriggerStatusOutput(args: InputsOf<GetTriggerStatusArgs>): pulumi.Output<GetTriggerStatusResult> {
  return one.later(args);
}
