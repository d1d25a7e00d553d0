import { z } from "zod";
import { minLength } from "../../text-schema.ts";
import { jsonObjectSchema } from "./json.ts";

const outcomeSchema = z.enum(["succeed", "fail"]);
export type Outcome = z.infer<typeof outcomeSchema>;

/**
 * What an integration's code does in a run, in place of code. A tenant may have one of its own, whose keys count more
 * than the integration's.
 */
export const runScriptSchema = z.strictObject({
  /** Default 5. A run of more than 600 is ended there, as failed. */
  takes_seconds: z.number().min(0).optional(),
  /** How runs end: all alike, or by turns, beginning anew after the last. Default succeed. */
  outcome: z.union([outcomeSchema, z.array(outcomeSchema).check(minLength(1))]).optional(),
  /** What the log of a failed run says about it. */
  failure: z.string().optional(),
  /** Lines of every run's log. */
  log: z.array(z.string()).optional(),
  /** Merged shallowly into the tenant's metadata when a run succeeds; it is not held to the metadata schema. */
  metadata: jsonObjectSchema.optional(),
  /** `status.dynamic_configs` after a run of mode `init` has succeeded. */
  dynamic_configs: jsonObjectSchema.optional(),
});
export type RunScript = z.infer<typeof runScriptSchema>;

/**
 * What a build brings about: the first script whose `tag` and `branch` are those of the build, an absent one fitting
 * all. What it does not say is as in the integration's newest release.
 */
export const buildScriptSchema = z.strictObject({
  tag: z.string().optional(),
  branch: z.string().optional(),
  config_schema: jsonObjectSchema.nullish(),
  metadata_schema: jsonObjectSchema.nullish(),
  config_version: z.string().optional(),
  run_command: z.string().nullish(),
});
export type BuildScript = z.infer<typeof buildScriptSchema>;
