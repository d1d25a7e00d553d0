import * as z from "zod";
import { id, integer, link, text, time } from "./fields.ts";

/** The fields of every payload (specification, "Payloads", common fields). */
const commonFields = {
  /** The namespace in which the event occurred. */
  environment: text,
  /** The organization that owns the resource. */
  account_id: integer,
  account_name: text,
  /** ISO 8601, UTC. */
  timestamp: time,
};

const tenantFields = {
  tenant_id: integer,
  tenant_name: text,
  integration_id: integer,
  integration_name: text,
};

/** An integration was created. */
export const integrationCreatedSchema = payload({
  event_type: z.literal("new_integration_created"),
  ...commonFields,
  integration_id: id,
  /** The display name. */
  integration_name: text,
});

/**
 * A tenant was created. If reconciliation found the event, `timestamp` is the tenant's `created_date`, or the time at which
 * the receiver first saw the tenant if the platform provides no date.
 */
export const tenantCreatedSchema = payload({
  event_type: z.literal("new_tenant_created"),
  ...commonFields,
  ...tenantFields,
  tenant_id: id,
});

/** A tenant was archived. If reconciliation found the event, `timestamp` is the time at which the receiver first saw it. */
export const tenantArchivedSchema = payload({
  event_type: z.literal("tenant_archived"),
  ...commonFields,
  ...tenantFields,
  tenant_id: id,
});

/** A partner changed an integration. */
export const partnerIntegrationUpdatedSchema = payload({
  event_type: z.literal("partner_integration_updated"),
  ...commonFields,
  integration_id: id,
  integration_name: text,
  /** The organization that made the change. */
  partner_id: integer,
  partner_name: text,
});

/** A run failed. */
export const runFailedSchema = payload({
  event_type: z.literal("run_failed"),
  ...commonFields,
  run_id: id,
  /** For example `failed`. The specification does not list the values. */
  run_status: text,
  /** URL of the run in the management console. */
  admin_link: link,
  api_link: link,
  api_status_link: link,
  api_triggers_link: link,
  ...tenantFields,
});

/**
 * The five events (specification, "Event types"), discriminated by `event_type`. Only the field that identifies the event is
 * required, because an event must be handled even if the platform changes a part of its payload. An integer that was sent as
 * a decimal string is read as an integer. Any other field with a wrong type is undefined.
 */
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

/** A value of `event_type` that the specification defines. */
export type EventType = PlatformEvent["event_type"];

/** The values of `event_type` that the specification defines. */
export const eventTypes: readonly string[] = eventSchema.options.map(({ shape }) => shape.event_type.value);

/** The fields that the specification defines for an event. Undefined for an unknown `event_type`. */
export function fieldsOf(eventType: string | undefined) {
  return eventSchema.options.find(({ shape }) => shape.event_type.value === eventType)?.shape;
}

/** Keeps fields that the specification does not define. The type omits them, so that the compiler finds misspelt ones. */
function payload<Shape extends z.core.$ZodShape>(shape: Shape): z.ZodObject<Shape, z.core.$strip>;
function payload(shape: z.core.$ZodShape): z.ZodObject {
  return z.looseObject(shape);
}
