import { z } from "zod";
import { webhookReceiverSchema } from "../receiver/schema.ts";
import { buildInputsSchema } from "../resources/build/schema.ts";
import { freeFormSchema } from "../resources/input-schema.ts";
import { syncTriggerInputsSchema } from "../resources/sync-trigger/schema.ts";
import { isOneWay, releaseWays, tenantInputsSchema } from "../resources/tenant/schema.ts";
import { fleetShape, formerlySchema } from "../resources/tenant-fleet/schema.ts";

const { integration, name, schedule, paused, adopt, forceArchive, onRemove } = tenantInputsSchema.shape;
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
    onRemove,
    sync: syncSchema.optional(),
  },
  "must be an object of tenant settings",
);

/** What stands under a key of `integration-platform:tenants`. The key is the name of the resource. */
export const tenantEntrySchema = tenantDefaultsSchema.extend({
  /** The tenant's name; default: the key. */
  name: name.optional(),
  /** A key that this one had before: renames it without archiving anything. */
  formerly: formerlySchema,
});

/** A tenant of a fleet, whose sync says what its fleet's does not. */
export const fleetTenantSchema = tenantEntrySchema.omit({ integration: true }).extend({
  sync: syncSchema.partial().optional(),
});
export const fleetTenantsSchema = z.record(z.string(), fleetTenantSchema, "must be an object of tenants by name");

/** What stands under a key of `integration-platform:fleets`. The key is the name of the resource. */
export const fleetSchema = z.strictObject(
  {
    integration,
    /** Merged under every tenant of the fleet. */
    defaults: fleetTenantSchema
      .pick({ schedule: true, release: true, paused: true, configs: true, metadata: true })
      .optional(),
    tenants: fleetTenantsSchema.optional(),
    /** Paths of files of tenants, or of folders with a file for each; relative to the folder of Pulumi.yaml. */
    tenantsFrom: z.union([z.string(), z.array(z.string())], "must be a path, or a list of paths").optional(),
    adopt: fleetShape.adopt,
    forceArchive: fleetShape.forceArchive,
    onRemove: fleetShape.onRemove,
    limits: fleetShape.limits,
    sync: syncSchema.optional(),
    syncsAtOnce: fleetShape.syncsAtOnce,
    formerly: formerlySchema,
  },
  "must be { integration, tenants }",
);

/** Words for the status of a connector. */
const connectorWordsSchema = z.union([z.string(), z.array(z.string())], "must be a list of status words").optional();

/** The whole config namespace `integration-platform`. */
export const stackSchema = z.strictObject({
  baseUrl: z.string("must be a URL").optional(),
  apiKey: z.string("must be a text").optional(),
  allowInsecureHttp: z.union([z.string(), z.array(z.string())], "must be a list of host names").optional(),
  connectedStatuses: connectorWordsSchema,
  notConnectedStatuses: connectorWordsSchema,
  /** Settings that may stand in clear although the schema calls them secrets: `configs.api_token`. */
  allowPlaintextSecrets: z.union([z.string(), z.array(z.string())], "must be a list of settings").optional(),
  builds: z.record(z.string(), buildEntrySchema, "must be an object of builds by name").optional(),
  tenantDefaults: tenantDefaultsSchema.optional(),
  tenants: z.record(z.string(), tenantEntrySchema, "must be an object of tenants by name").optional(),
  fleets: z.record(z.string(), fleetSchema, "must be an object of fleets by name").optional(),
  webhookReceiver: webhookReceiverSchema.optional(),
});

export type BuildEntry = z.infer<typeof buildEntrySchema>;
export type SyncEntry = z.infer<typeof syncSchema>;
export type TenantDefaults = z.infer<typeof tenantDefaultsSchema>;
export type TenantEntry = z.infer<typeof tenantEntrySchema>;
export type FleetConfig = z.infer<typeof fleetSchema>;
export type StackConfig = z.infer<typeof stackSchema>;
