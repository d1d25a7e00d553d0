import { z } from "zod";
import { filledText, minLength } from "../../text-schema.ts";
import { lenient } from "../state-schema.ts";
import { syncTriggerInputsSchema, syncTriggerStateSchema } from "../sync-trigger/schema.ts";
import { tenantInputsSchema, tenantStateSchema, unreadableMeansForget } from "../tenant/schema.ts";

const { adopt, forceArchive, integration, logicalName, onRemove, secretPaths } = tenantInputsSchema.shape;
const {
  tenantId: _,
  integrationId: __,
  userName: ___,
  secretPaths: ____,
  ...syncShape
} = syncTriggerInputsSchema.shape;
const { triggerId, status, verdict, secondsWaited } = syncTriggerStateSchema.shape;
const { name, schedule, release, tenantId } = tenantStateSchema.shape;

/** A tenant's sync: what `SyncTrigger` takes but for its target. The fleet may say what the tenant does not. */
const syncSchema = z.strictObject(syncShape).partial();
const syncStateSchema = z.object({
  ...syncSchema.shape,
  triggerId,
  status,
  verdict: verdict.optional(),
  secondsWaited,
});

/** How many tenants an update may touch: a number, or a share of the tenants there are. */
const notALimit = 'must be a number, or a share such as "20%"';
const limit = z
  .union([z.int(notALimit).nonnegative(notALimit), z.string().regex(/^\d+(\.\d+)?%$/, notALimit)], notALimit)
  .optional();

/** A former key of the tenant, or several. */
export const formerlySchema = z
  .union(
    [z.string().check(minLength(1)), z.array(z.string().check(minLength(1)))],
    "must be a former key, or a list of them",
  )
  .optional();

/** A tenant of a fleet: what `Tenant` takes but for the integration, which is the fleet's, and its sync. */
export const fleetEntrySchema = tenantInputsSchema.omit({ integration: true, logicalName: true }).extend({
  name: tenantInputsSchema.shape.name.optional(),
  formerly: formerlySchema,
  sync: syncSchema.optional(),
});

/** What is declared of a fleet besides its tenants. */
export const fleetShape = {
  integration,
  name: filledText(),
  adopt,
  forceArchive,
  onRemove,
  limits: z.strictObject({ archive: limit, change: limit }, "must be { archive, change }").optional(),
  sync: syncSchema.optional(),
  syncsAtOnce: z.int("must be a whole number").positive("must be more than 0").optional(),
};

/** The inputs of a `TenantFleet`, as the engine hands them over. */
export const tenantFleetInputsSchema = z.strictObject({
  ...fleetShape,
  tenants: z.record(z.string(), fleetEntrySchema, "must be an object of tenants by name"),
  logicalName,
  secretPaths,
});

/** What is stored of a tenant of a fleet. */
const entryStateSchema = z.object({
  ...fleetEntrySchema.shape,
  name: name.optional(),
  schedule,
  release,
  sync: syncStateSchema.optional(),
  tenantId,
  unreadablePaths: tenantStateSchema.shape.unreadablePaths,
  declaredName: tenantStateSchema.shape.declaredName,
});

/** What is stored of a `TenantFleet`: its inputs as last observed, the tenants' ids, and how their last syncs went. */
export const tenantFleetStateSchema = z.object({
  ...fleetShape,
  integrationId: z.int(),
  tenants: z.record(z.string(), entryStateSchema),
  logicalName,
  secretPaths,
});

/** What deleting a stored `TenantFleet` needs: the tenants' ids. The rest is left out where it cannot be read. */
export const tenantFleetDeletionSchema = z.object({
  ...lenient(tenantFleetStateSchema.shape),
  integration: integration.catch(""),
  name: fleetShape.name.catch(""),
  onRemove: unreadableMeansForget,
  tenants: z.record(z.string(), z.object({ ...lenient(entryStateSchema.shape), onRemove: unreadableMeansForget })),
});

export type FleetEntry = z.infer<typeof fleetEntrySchema>;
export type FleetSync = z.infer<typeof syncSchema>;
export type TenantFleetInputs = z.infer<typeof tenantFleetInputsSchema>;
export type TenantFleetState = z.infer<typeof tenantFleetStateSchema>;
export type FleetEntryState = TenantFleetState["tenants"][string];
