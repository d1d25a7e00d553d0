import { z } from "zod";
import { keyNouns } from "../../inputs/describe-issues.ts";
import { lenient } from "../../inputs/lenient.ts";
import { nonEmptyString } from "../../inputs/string-schema.ts";
import { overriddenSchema, storedOverrideSchema } from "../../settings/override.ts";
import { isOneWay, releaseWays } from "../../settings/release.ts";
import { storedSettingsShape } from "../../settings/table.ts";
import { syncTriggerInputsSchema, syncTriggerStateSchema } from "../sync-trigger/schema.ts";
import { keptHistoryShape } from "../tenant/observed-tenant.ts";
import { tenantInputsSchema, tenantStateSchema } from "../tenant/schema.ts";
import { rolloutPlanSchema } from "./rollout-plan.ts";

const { adopt, forceArchive, integration, logicalName, override, schemaViolations, secretPaths } =
  tenantInputsSchema.shape;
const {
  tenantId: _,
  integrationId: __,
  userName: ___,
  secretPaths: ____,
  override: _____,
  ...syncShape
} = syncTriggerInputsSchema.shape;
const { triggerId, status, outcome, secondsWaited } = syncTriggerStateSchema.shape;
const { tenantId, declaredName } = tenantStateSchema.shape;

/** A tenant's sync: the inputs of a `SyncTrigger` without its target. All are optional, as the fleet has defaults. */
const syncSchema = z.strictObject(syncShape).partial();
const syncStateSchema = z.object({
  ...syncSchema.shape,
  triggerId,
  status,
  outcome: outcome.optional(),
  secondsWaited,
});

/** The maximum number of tenants that an update may archive or change: a number, or a percentage of the stored tenants. */
const notALimit = 'must be a whole number such as 5, or a percentage such as "20%"';
const limit = z
  .union([z.int(notALimit).nonnegative(notALimit), z.string().regex(/^\d+(\.\d+)?%$/, notALimit)], notALimit)
  .optional();

/** Former keys of a tenant or a fleet. */
export const aliasesSchema = z.array(nonEmptyString(), "must be a list of former keys").optional();

/** Whether a tenant stays on the platform when it is removed, like Pulumi's option of this name. */
export const retainOnDeleteSchema = z.boolean("must be true or false").optional();

/** True if the stored value is invalid, because archiving cannot be undone. */
const retainIfUnreadable = retainOnDeleteSchema.catch(true);

/** The inputs of a fleet's tenant: those of a `Tenant` without the integration, and its sync. */
export const fleetEntrySchema = tenantInputsSchema.omit({ integration: true, logicalName: true }).extend({
  name: tenantInputsSchema.shape.name.optional(),
  aliases: aliasesSchema,
  retainOnDelete: retainOnDeleteSchema,
  sync: syncSchema.optional(),
});

const limitsSchema = z.strictObject(
  { archive: limit, change: limit },
  'must be an object such as { archive: 5, change: "20%" }',
);

const targetMessage = "must be { tag } or { id }: no wave can hold tenants that follow a channel";
/** What a fleet declares of its rollout. */
export const rolloutTargetSchema = z.strictObject(
  {
    release: z
      .strictObject({ id: releaseWays.id, tag: releaseWays.tag }, targetMessage)
      .refine(isOneWay, { error: targetMessage }),
    attempt: z.int("must be a whole number").positive("must be 1 or more").optional(),
    exclude: z.array(nonEmptyString(), "must be a list of the keys of tenants").optional(),
  },
  "must be an object such as { release: { tag: v1.3.0 } }",
);

/** The inputs of a fleet without its tenants. */
export const fleetShape = {
  integration,
  name: nonEmptyString(),
  adopt,
  forceArchive,
  retainOnDelete: retainOnDeleteSchema,
  override,
  schemaViolations,
  limits: limitsSchema.optional(),
  sync: syncSchema.optional(),
  syncConcurrency: z.int("must be a whole number").positive("must be more than 0").optional(),
  /** What a `FleetRollout` moves. Without it, the fleet manages the releases of its tenants itself. */
  rollout: rolloutTargetSchema.optional(),
};

/** The inputs of a `TenantFleet`, as the engine sends them. */
export const tenantFleetInputsSchema = z.strictObject({
  ...fleetShape,
  tenants: z.record(z.string(), fleetEntrySchema, "must be an object of tenants by key"),
  logicalName,
  secretPaths,
});

keyNouns
  .add(tenantFleetInputsSchema, { noun: "an input of a TenantFleet" })
  .add(fleetEntrySchema, { noun: "a setting of a fleet's tenant" })
  .add(limitsSchema, { noun: "a limit of a fleet" })
  .add(rolloutTargetSchema, { noun: "a setting of a fleet's rollout" })
  .add(syncSchema, { noun: "a setting of a sync" });

/** The state of a fleet's tenant. */
const entryStateSchema = z.object({
  ...fleetEntrySchema.shape,
  ...storedSettingsShape,
  name: storedSettingsShape.name.optional(),
  /** Also the fleet's override if the tenant runs although it is in force: see `storedOverrideSchema`. */
  override: storedOverrideSchema.optional(),
  sync: syncStateSchema.optional(),
  tenantId,
  ...keptHistoryShape,
  declaredName,
  overridden: overriddenSchema.optional(),
});

/** The state of a `TenantFleet`: its inputs as last observed, the tenants' ids, and the outcomes of their last syncs. */
export const tenantFleetStateSchema = z.object({
  ...fleetShape,
  integrationId: z.int(),
  tenants: z.record(z.string(), entryStateSchema),
  /** The ids of the tenants by key, once more, as an output that has nothing of the inputs. */
  tenantIds: z.record(z.string(), z.int()).optional(),
  /** What the rollout moves. It is stored before anything is moved, and refreshes do not change it. */
  rolloutPlan: rolloutPlanSchema.optional(),
  logicalName,
  secretPaths,
});

/** The state of a `TenantFleet` for its deletion, which needs only the tenants' ids. Other invalid properties are omitted. */
export const tenantFleetDeletionSchema = z.object({
  ...lenient(tenantFleetStateSchema.shape),
  integration: integration.catch(""),
  name: fleetShape.name.catch(""),
  retainOnDelete: retainIfUnreadable,
  tenants: z.record(z.string(), z.object({ ...lenient(entryStateSchema.shape), retainOnDelete: retainIfUnreadable })),
});

export type FleetEntry = z.infer<typeof fleetEntrySchema>;
export type FleetSync = z.infer<typeof syncSchema>;
export type TenantFleetInputs = z.infer<typeof tenantFleetInputsSchema>;
export type TenantFleetState = z.infer<typeof tenantFleetStateSchema>;
export type FleetEntryState = TenantFleetState["tenants"][string];
