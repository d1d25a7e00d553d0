import { z } from "zod";
import { tenantInputsSchema, tenantStateSchema } from "../tenant/schema.ts";

const { adopt, forceArchive, integration, secretPaths } = tenantInputsSchema.shape;
const onRemove = z.enum(["archive", "forget"], 'must be "archive" or "forget"').optional();

/** How many tenants an update may touch: a number, or a share of the tenants there are. */
const limit = z
  .union([z.int().nonnegative(), z.string().regex(/^\d+(\.\d+)?%$/)], {
    error: 'must be a number, or a share such as "20%"',
  })
  .optional();

/** A tenant of a fleet: what `Tenant` takes but for the integration, which is the fleet's. */
export const fleetEntrySchema = tenantInputsSchema
  .omit({ integration: true, secretPaths: true })
  .extend({ name: tenantInputsSchema.shape.name.optional(), onRemove });

const fleetShape = {
  integration,
  adopt,
  forceArchive,
  onRemove,
  limits: z.strictObject({ archive: limit, change: limit }).optional(),
  secretPaths,
};

/** The inputs of a `TenantFleet`, as the engine hands them over. */
export const tenantFleetInputsSchema = z.strictObject({
  ...fleetShape,
  tenants: z.record(z.string(), fleetEntrySchema, "must be an object of tenants by name"),
});

/** What is stored of a `TenantFleet`: its inputs as last observed, and the tenants' ids. */
export const tenantFleetStateSchema = z.object({
  ...fleetShape,
  integrationId: z.int(),
  tenants: z.record(z.string(), z.object({ ...fleetEntrySchema.shape, tenantId: tenantStateSchema.shape.tenantId })),
});

export type FleetEntry = z.infer<typeof fleetEntrySchema>;
export type TenantFleetInputs = z.infer<typeof tenantFleetInputsSchema>;
export type TenantFleetState = z.infer<typeof tenantFleetStateSchema>;
export type FleetEntryState = TenantFleetState["tenants"][string];
