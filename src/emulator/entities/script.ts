import { z } from "zod";
import { minLength } from "../../inputs/string-schema.ts";
import { jsonObjectSchema } from "../rules/json.ts";
import { failureKinds } from "./run.ts";

const outcomeSchema = z.enum(["succeed", "fail"]);
export type Outcome = z.infer<typeof outcomeSchema>;

const ownRunScriptSchema = z.strictObject({
  /** Default 5. The platform ends a longer run after 600 seconds, as failed. */
  takes_seconds: z.number().min(0).optional(),
  /** How runs end: one outcome for all, or a list that is repeated. Default succeed. */
  outcome: z.union([outcomeSchema, z.array(outcomeSchema).check(minLength(1))]).optional(),
  /** The reason in the log of a failed run. */
  failure: z.string().optional(),
  /** What failed in a run that fails, as the API shows it: `Failed (Refresh)`. Default `Integration Issue`. */
  failed: z.enum(failureKinds).optional(),
  /** Lines in the log of every run. */
  log: z.array(z.string()).optional(),
  /** Merged shallowly into the tenant's metadata when a run succeeds. The metadata schema does not check it. */
  metadata: jsonObjectSchema.optional(),
  /** The `status.dynamic_configs` after a successful run of mode `init`. */
  dynamic_configs: jsonObjectSchema.optional(),
});

/**
 * What runs do on one release: its keys override those of the script around it. It is for the release with this `tag` and
 * `id`; an absent one matches all. `tenants` are the names of the tenants that it is for. Default: all.
 */
const releaseScriptSchema = ownRunScriptSchema.extend({
  tag: z.string().optional(),
  id: z.int().optional(),
  tenants: z.array(z.string()).optional(),
});

/**
 * What the runs of an integration do, in place of its code. A tenant may have a script too, whose keys override those of
 * the integration.
 */
export const runScriptSchema = ownRunScriptSchema.extend({
  /** For runs on certain releases. A run uses the first that matches the release that its tenant has when it starts. */
  releases: z.array(releaseScriptSchema).optional(),
});
export type RunScript = z.infer<typeof runScriptSchema>;

/**
 * The release that a build makes. A build uses the first script that has its `tag` and `branch`; an absent one matches
 * all. The other fields are those of the integration's newest release.
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
