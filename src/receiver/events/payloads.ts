import * as z from "zod";

/** The fields of every payload (specification, "Payloads", common fields). */
const commonFields = {
  /** The namespace in which the event occurred. */
  environment: z.string(),
  /** The organization that owns the resource. */
  account_id: z.int(),
  account_name: z.string(),
  /** ISO 8601, UTC. */
  timestamp: z.string(),
};

const tenantFields = {
  tenant_id: z.int(),
  tenant_name: z.string(),
  integration_id: z.int(),
  integration_name: z.string(),
};

/** An integration was created. */
export const integrationCreatedSchema = payload({
  event_type: z.literal("new_integration_created"),
  ...commonFields,
  integration_id: z.int(),
  /** The display name. */
  integration_name: z.string(),
});

/** A tenant was created. */
export const tenantCreatedSchema = payload({
  event_type: z.literal("new_tenant_created"),
  ...commonFields,
  ...tenantFields,
});

/** A tenant was archived. */
export const tenantArchivedSchema = payload({
  event_type: z.literal("tenant_archived"),
  ...commonFields,
  ...tenantFields,
});

/** A partner changed an integration. */
export const partnerIntegrationUpdatedSchema = payload({
  event_type: z.literal("partner_integration_updated"),
  ...commonFields,
  integration_id: z.int(),
  integration_name: z.string(),
  /** The organization that made the change. */
  partner_id: z.int(),
  partner_name: z.string(),
});

/** A run failed. */
export const runFailedSchema = payload({
  event_type: z.literal("run_failed"),
  ...commonFields,
  run_id: z.int(),
  /** For example `failed`. The specification does not list the values. */
  run_status: z.string(),
  /** URL of the run in the management console. */
  admin_link: z.string(),
  api_link: z.string(),
  api_status_link: z.string(),
  api_triggers_link: z.string(),
  ...tenantFields,
});

/** The five events (specification, "Event types"), discriminated by `event_type`. */
export const eventSchema = z.discriminatedUnion("event_type", [
  integrationCreatedSchema,
  tenantCreatedSchema,
  tenantArchivedSchema,
  partnerIntegrationUpdatedSchema,
  runFailedSchema,
]);

export type IntegrationCreated = z.infer<typeof integrationCreatedSchema>;
export type TenantCreated = z.infer<typeof tenantCreatedSchema>;
export type TenantArchived = z.infer<typeof tenantArchivedSchema>;
export type PartnerIntegrationUpdated = z.infer<typeof partnerIntegrationUpdatedSchema>;
export type RunFailed = z.infer<typeof runFailedSchema>;
export type PlatformEvent = z.infer<typeof eventSchema>;

/** The values of `event_type` that the specification defines. */
export const eventTypes: readonly string[] = eventSchema.options.map(({ shape }) => shape.event_type.value);

/** Keeps fields that the specification does not define. The type omits them, so that the compiler finds misspelt ones. */
function payload<Shape extends z.core.$ZodShape>(shape: Shape): z.ZodObject<Shape, z.core.$strip>;
function payload(shape: z.core.$ZodShape): z.ZodObject {
  return z.looseObject(shape);
}
