import * as z from "zod";

/** What every payload has (specification, "Payloads", common fields). */
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
  /** For people. */
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
  /** For example `failed`; the specification does not list the words. */
  run_status: z.string(),
  /** The run in the management console. */
  admin_link: z.string(),
  api_link: z.string(),
  api_status_link: z.string(),
  api_triggers_link: z.string(),
  ...tenantFields,
});

/** The five events (specification, "Event types"), told apart by `event_type`. */
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

/** The values of `event_type` that the specification knows. */
export const eventTypes: readonly string[] = eventSchema.options.map(({ shape }) => shape.event_type.value);

/** Fields that the specification does not know pass through; the type hides them, so that a misspelt one is found. */
function payload<Shape extends z.core.$ZodShape>(shape: Shape): z.ZodObject<Shape, z.core.$strip>;
function payload(shape: z.core.$ZodShape): z.ZodObject {
  return z.looseObject(shape);
}
