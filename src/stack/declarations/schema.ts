import { z } from "zod";
import { keyNouns } from "../../inputs/describe-issues.ts";
import { lenient } from "../../inputs/lenient.ts";
import { nonEmptyString } from "../../inputs/string-schema.ts";
import {
  declaredPlatformSchema,
  domainSchema,
  reconciliationSchema,
  restApiSchema,
  subscriptionSchema,
  webhookReceiverSchema,
} from "../../receiver/schema.ts";
import { buildInputsSchema } from "../../resources/build/schema.ts";
import { providerChoices } from "../../resources/pulumi/type-token.ts";
import { syncTriggerInputsSchema } from "../../resources/sync-trigger/schema.ts";
import { tenantInputsSchema } from "../../resources/tenant/schema.ts";
import { aliasesSchema, fleetShape, retainOnDeleteSchema } from "../../resources/tenant-fleet/schema.ts";
import { resolversSchema } from "../../secrets/resolvers-schema.ts";
import { isOneWay, releaseMessage, releaseWays } from "../../settings/release.ts";
import { settingEntries, settingsShape } from "../../settings/table.ts";
import { overridesSchema } from "./overrides-schema.ts";
import { rolloutSchema } from "./rollout-schema.ts";
import { tenantsFromSchema } from "./tenants-from.ts";

const { integration, name, adopt, forceArchive, schemaViolations } = tenantInputsSchema.shape;
const { tag, branch, adopt: adoptRelease, timeoutSeconds } = buildInputsSchema.shape;
const { mode, payload, wait, whenUnconnected, succeededStatuses, failedStatuses, failOnError } =
  syncTriggerInputsSchema.shape;

/** The release of a tenant: as `Tenant` takes it, or the key of a build of the stack. */
const releaseSchema = z
  .strictObject(
    { ...releaseWays, build: z.string("must be the key of a build").optional() },
    releaseMessage("{ build }"),
  )
  .refine(isOneWay, { error: "must have exactly one of id, tag, channel and build" });

/** The settings of a tenant on the platform, except its name. */
const { name: _, ...namelessShape } = settingsShape;
const settingsExceptNameShape = { ...namelessShape, release: releaseSchema.optional() };

const syncSettings = settingEntries.filter(([, { triggersSync }]) => triggersSync).map(([setting]) => setting);

/** The sync of a tenant, and which changes make it due. */
const syncSchema = z.strictObject(
  {
    mode,
    /** Settings: when one of them changes, the sync runs again. */
    on: z
      .array(
        z.enum(syncSettings, `must be one of ${syncSettings.join(", ")}`),
        "must be a list of settings, such as [configs, release]",
      )
      .optional(),
    /** Any string: when it changes, the sync runs again. */
    when: z.string("must be a string").optional(),
    payload,
    wait,
    timeoutSeconds,
    whenUnconnected,
    succeededStatuses,
    failedStatuses,
    failOnError,
  },
  "must be an object such as { mode: normal, on: [configs] }",
);

const tenantMessage = "must be an object of tenant settings, such as { paused: false }";

/** The value of `integration-platform:tenantDefaults`: defaults for each of the `tenants`. */
const tenantDefaultsSchema = z.strictObject(
  {
    integration: integration.optional(),
    ...settingsExceptNameShape,
    adopt,
    forceArchive,
    schemaViolations,
    /** Whether the tenant stays on the platform when it is removed here. */
    retainOnDelete: retainOnDeleteSchema,
    sync: syncSchema.optional(),
  },
  tenantMessage,
);

/** A tenant under `integration-platform:tenants`, merged with the defaults. Its key is the name of the resource. */
export const tenantEntrySchema = tenantDefaultsSchema.extend({
  /** The tenant's name. Default: the key. */
  name: name.optional(),
  /** Keys that this tenant had before: a new key keeps the tenant, and nothing is archived. */
  aliases: aliasesSchema,
  /** The groups whose settings it has, beneath its own and above the defaults. If several have a setting, the first one wins. */
  groups: z
    .union([z.string(), z.array(z.string())], "must be the name of a group, or a list such as [gold, eu]")
    .optional(),
});

/** A group under `integration-platform:groups`: settings that several of the `tenants` share. */
const tenantGroupSchema = z.strictObject(tenantDefaultsSchema.shape, tenantMessage);

const fleetTenantSyncSchema = syncSchema.partial();

/** A tenant of a fleet, merged with the fleet's defaults. Its sync overrides parts of the fleet's. */
export const fleetTenantSchema = tenantEntrySchema.omit({ integration: true }).extend({
  sync: fleetTenantSyncSchema.optional(),
});

/** A group under the `groups` of a fleet: settings that several of its tenants share. */
const fleetGroupSchema = fleetTenantSchema.omit({ name: true, aliases: true, groups: true });

const groupsMessage = "must be an object of groups by name, such as { gold: { configs: {} } }";

/** Tenants by key, before each is merged with its defaults and checked. */
export const tenantsSchema = z.record(
  z.string(),
  z.looseObject({}, tenantMessage),
  "must be an object of tenants by key, such as { acme: {} }",
);

const fleetMessage = "must be an object of fleet settings, such as { integration, tenants }";

/** A fleet under `integration-platform:fleets`. Its key is the name of the resource. */
export const fleetSchema = z.strictObject(
  {
    integration,
    /** Defaults for each tenant of the fleet. */
    defaults: z.strictObject(settingsExceptNameShape, tenantMessage).optional(),
    /** By name: settings that the tenants have that name the group. */
    groups: z.record(z.string(), fleetGroupSchema, groupsMessage).optional(),
    tenants: tenantsSchema.optional(),
    /** Files of tenants, or folders with a file for each, and what may be declared there. */
    tenantsFrom: tenantsFromSchema(Object.keys(fleetTenantSchema.shape)).optional(),
    adopt: fleetShape.adopt,
    forceArchive: fleetShape.forceArchive,
    schemaViolations: fleetShape.schemaViolations,
    retainOnDelete: fleetShape.retainOnDelete,
    limits: fleetShape.limits,
    sync: syncSchema.optional(),
    syncConcurrency: fleetShape.syncConcurrency,
    /** How the defaults' `release` goes from tenant to tenant. */
    rollout: rolloutSchema.optional(),
    /** What pauses the fleet's tenants for a while, whatever they declare. */
    overrides: overridesSchema,
    aliases: aliasesSchema,
  },
  fleetMessage,
);

// For entries that do not fit their schemas: these drop what does not fit, so that the other checks see the rest.
export const readableTenantEntrySchema = z.object(lenient(tenantEntrySchema.shape));
export const readableFleetTenantSchema = z.object(lenient(fleetTenantSchema.shape));
export const readableFleetSchema = z.object({
  ...lenient(fleetSchema.shape),
  integration: integration.optional().catch(undefined),
});

/** A build under `integration-platform:builds`. Its key is the name of the resource. */
const buildEntrySchema = z.strictObject(
  { integration, tag, branch, adopt: adoptRelease, timeoutSeconds },
  "must be an object such as { integration, tag }",
);

/** Status words of a connector or a run. */
const statusWordsSchema = z.union([z.string(), z.array(z.string())], "must be a list of status words").optional();

const hostMessage = "must be a list of host names, such as [platform.example.com], without http://";
const hostSchema = z.string(hostMessage).regex(/^[^/\s]+$/, hostMessage);

/** The config namespace `integration-platform`. Tenants and fleets are merged first, and then checked with their own schemas. */
export const stackSchema = z.strictObject({
  baseUrl: z.string("must be a URL such as https://platform.example.com").optional(),
  apiKey: z.string("must be a string").optional(),
  allowInsecureHttp: z.union([hostSchema, z.array(hostSchema)], hostMessage).optional(),
  connectedStatuses: statusWordsSchema,
  notConnectedStatuses: statusWordsSchema,
  succeededStatuses: statusWordsSchema,
  failedStatuses: statusWordsSchema,
  /** Who runs the code of the resources: docs/guides/native.md. */
  provider: z.enum(providerChoices, "must be dynamic or native").optional(),
  /** Own resolvers of secrets, by scheme: paths of modules, relative to the folder of Pulumi.yaml. */
  resolvers: resolversSchema.optional(),
  /** Settings that may be plaintext although the release's schema marks them as secrets: `configs.api_token`. */
  allowPlaintextSecrets: z.union([z.string(), z.array(z.string())], "must be a list of settings").optional(),
  /** Whether an `up` may archive all tenants of the state because the stack declares none. Pulumi has booleans as strings. */
  allowNoTenants: z.union([z.boolean(), z.enum(["true", "false"])], "must be true or false").optional(),
  builds: z.record(z.string(), buildEntrySchema, "must be an object of builds by key").optional(),
  tenantDefaults: tenantDefaultsSchema.optional(),
  /** By name: settings that the `tenants` have that name the group. */
  groups: z.record(z.string(), tenantGroupSchema, groupsMessage).optional(),
  tenants: tenantsSchema.optional(),
  fleets: z.record(z.string(), z.looseObject({}, fleetMessage), "must be an object of fleets by key").optional(),
  /** What pauses tenants for a while, whatever they declare. */
  overrides: overridesSchema,
  /** What a config or metadata value is that violates the schema of its release. */
  schemaViolations,
  /** Names of the tenants that `integration-platform try` may use besides those that begin with `test-`. */
  testTenants: z.array(nonEmptyString(), "must be a list of names of tenants, such as [acme-test]").optional(),
  /** What must be proven before `integration-platform promote` changes this stack's file. */
  promoteRequires: nonEmptyString("must be a condition, such as syncs >= 10 and failures == 0").optional(),
  /** The profile of the platform: a JSON file, relative to the folder of Pulumi.yaml. */
  platform: nonEmptyString("must be the path of a profile, such as platform.production.json").optional(),
  webhookReceiver: webhookReceiverSchema.optional(),
});

keyNouns
  .add(stackSchema, { noun: "a setting of the stack" })
  .add(tenantDefaultsSchema, { noun: "a setting of tenantDefaults" })
  .add(tenantEntrySchema, { noun: "a setting of a tenant" })
  .add(fleetTenantSchema, { noun: "a setting of a tenant" })
  .add(tenantGroupSchema, { noun: "a setting of a group" })
  .add(fleetGroupSchema, { noun: "a setting of a group" })
  .add(fleetSchema, { noun: "a setting of a fleet" })
  .add(fleetSchema.shape.defaults.unwrap(), { noun: "a setting of a fleet's defaults" })
  .add(releaseSchema, { noun: "a release selector" })
  .add(syncSchema, { noun: "a setting of a sync" })
  .add(fleetTenantSyncSchema, { noun: "a setting of a sync" })
  .add(buildEntrySchema, { noun: "a setting of a build" })
  .add(webhookReceiverSchema, { noun: "a setting of the webhook receiver" })
  .add(declaredPlatformSchema, { noun: "a setting of the receiver's platform" })
  .add(reconciliationSchema, { noun: "a setting of the reconciliation" })
  .add(restApiSchema, { noun: "a setting of the REST API" })
  .add(domainSchema, { noun: "a setting of the domain" })
  .add(subscriptionSchema, { noun: "a setting of a subscription" });

export type BuildEntry = z.infer<typeof buildEntrySchema>;
export type SyncEntry = z.infer<typeof syncSchema>;
export type TenantDefaults = z.infer<typeof tenantDefaultsSchema>;
export type TenantEntry = z.infer<typeof tenantEntrySchema>;
export type FleetTenantEntry = z.infer<typeof fleetTenantSchema>;
export type FleetEntry = z.infer<typeof readableFleetSchema>;
export type StackSettings = z.infer<typeof stackSchema>;
