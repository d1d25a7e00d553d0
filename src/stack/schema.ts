import { z } from "zod";
import { buildInputsSchema } from "../resources/build/schema.ts";
import { freeFormSchema } from "../resources/input-schema.ts";
import { syncTriggerInputsSchema } from "../resources/sync-trigger/schema.ts";
import { isOneWay, releaseWays, tenantInputsSchema } from "../resources/tenant/schema.ts";

const { integration, name, schedule, paused, adopt, forceArchive } = tenantInputsSchema.shape;
const { tag, branch, adopt: adoptRelease, timeoutSeconds } = buildInputsSchema.shape;
const { mode, payload, wait, whenUnconnected, succeededStatuses, failedStatuses, failOnError } =
  syncTriggerInputsSchema.shape;

/** A tenant's release as a stack names it: also by the key of one of its builds. */
const releaseSchema = z
  .strictObject({ ...releaseWays, build: z.string().optional() }, "must be { id }, { tag }, { channel } or { build }")
  .refine(isOneWay, { error: "give the release one way only: { id }, { tag }, { channel } or { build }" });

/** A tenant's sync, and what makes it due again. */
const syncSchema = z.strictObject(
  {
    mode,
    on: z
      .array(z.enum(["configs", "release", "metadata", "schedule"], "must be configs, release, metadata or schedule"))
      .optional(),
    /** Any text: the sync runs again when it changes. */
    when: z.string("must be a text").optional(),
    payload,
    wait,
    timeoutSeconds,
    whenUnconnected,
    succeededStatuses,
    failedStatuses,
    failOnError,
  },
  "must be { mode, on }",
);

/** What stands under a key of `integration-platform:builds`. */
export const buildEntrySchema = z.strictObject(
  { integration, tag, branch, adopt: adoptRelease, timeoutSeconds },
  "must be { integration, tag }",
);

/** What stands under `integration-platform:tenantDefaults`, and is merged under every tenant. */
export const tenantDefaultsSchema = z.strictObject(
  {
    integration: integration.optional(),
    schedule,
    release: releaseSchema.optional(),
    paused,
    configs: freeFormSchema.optional(),
    metadata: freeFormSchema.optional(),
    adopt,
    forceArchive,
    sync: syncSchema.optional(),
  },
  "must be an object of tenant settings",
);

/** What stands under a key of `integration-platform:tenants`. The key is the name of the resource. */
export const tenantEntrySchema = tenantDefaultsSchema.extend({
  /** The tenant's name; default: the key. */
  name: name.optional(),
  /** A key that this one had before: renames it without archiving anything. */
  formerly: z
    .union([z.string().min(1), z.array(z.string().min(1))], "must be a former key, or a list of them")
    .optional(),
});

/** The whole config namespace `integration-platform`. */
export const stackSchema = z.strictObject({
  baseUrl: z.string("must be a URL").optional(),
  apiKey: z.string("must be a text").optional(),
  allowInsecureHttp: z.union([z.string(), z.array(z.string())], "must be a list of host names").optional(),
  builds: z.record(z.string(), buildEntrySchema, "must be an object of builds by name").optional(),
  tenantDefaults: tenantDefaultsSchema.optional(),
  tenants: z.record(z.string(), tenantEntrySchema, "must be an object of tenants by name").optional(),
});

export type BuildEntry = z.infer<typeof buildEntrySchema>;
export type SyncEntry = z.infer<typeof syncSchema>;
export type TenantDefaults = z.infer<typeof tenantDefaultsSchema>;
export type TenantEntry = z.infer<typeof tenantEntrySchema>;
export type StackConfig = z.infer<typeof stackSchema>;
