import { z } from "zod";
import { lookupFunction } from "./lookup-function.ts";

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

/** The lookup `getRunLog`. */
export const runLogLookup = lookupFunction("getRunLog", argsSchema, async ({ client }, { runId }) => ({
  runId,
  log: await client.runs.getLog(runId),
}));
