import type * as pulumi from "@pulumi/pulumi";
import { type GetRunLogArgs, type GetRunLogResult, runLogLookup } from "../runs.ts";
import { type InputsOf, programLookup } from "./program-lookup.ts";

const one = programLookup(runLogLookup);

/** Downloads the log of a run (specification, Runs). It is an error if the run or its log does not exist. */
export function getRunLog(args: GetRunLogArgs): Promise<GetRunLogResult> {
  return one.now(args);
}

/** {@link getRunLog} with arguments that may come from resources. */
export function getRunLogOutput(args: InputsOf<GetRunLogArgs>): pulumi.Output<GetRunLogResult> {
  return one.later(args);
}
