import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { type InputsOf, lookup } from "./lookup.ts";

const argsSchema = z.strictObject({
  /** Id of the run. */
  runId: z.int("must be the id of a run").positive("must be the id of a run"),
});

/** The id of a run. A tenant's `lastRun` has it, if the platform sends it. */
export type GetRunLogArgs = z.infer<typeof argsSchema>;

/** The log of a run (specification, Runs). */
export interface GetRunLogResult {
  /** Id of the run. */
  runId: number;
  /** The whole log. */
  log: string;
}

const one = lookup("getRunLog", argsSchema, async ({ client }, { runId }) => ({
  runId,
  log: await client.runs.getLog(runId),
}));

/** Downloads the log of a run (specification, Runs). It is an error if the run or its log does not exist. */
export function getRunLog(args: GetRunLogArgs): Promise<GetRunLogResult> {
  return one.now(args);
}

/** {@link getRunLog} with arguments that may come from resources. */
export function getRunLogOutput(args: InputsOf<GetRunLogArgs>): pulumi.Output<GetRunLogResult> {
  return one.later(args);
}
