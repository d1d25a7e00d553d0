import * as z from "zod";

/**
 * An integer that identifies what an event is about. An integer that was sent as a decimal string is read as an integer.
 * Integers beyond 2^53 are invalid: JavaScript would round them, and two events could look like the same.
 */
const id = z.union([
  z.int(),
  z
    .string()
    .regex(/^-?\d{1,16}$/)
    .transform(Number)
    .pipe(z.int()),
]);

/** Any other field. It is undefined if it is missing or has another type: the rest of the event must not suffer from it. */
export const integer = optional(id);
const text = optional(z.string());
/** ISO 8601. Undefined only if it is no string. */
const time = optional(z.string());
/** A URL. Undefined only if it is no string. */
const link = optional(z.string());

function optional<Field extends z.ZodType>(field: Field) {
  return field.optional().catch(undefined);
}

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

/** What the specification says about a field. */
interface SpecifiedType {
  readonly schema: z.ZodType;
  readonly name: string;
}

const specifiedInteger = { schema: z.int(), name: "integer" };

const specifiedTypes = new Map<z.core.$ZodType, SpecifiedType>([
  [id, specifiedInteger],
  [integer, specifiedInteger],
  [text, { schema: z.string(), name: "string" }],
  [time, { schema: z.iso.datetime({ offset: true }), name: "ISO 8601 time" }],
  [link, { schema: z.url(), name: "URL" }],
]);

/** How the fields of a payload deviate from the specification. Names fields and types, but never a value. */
export function deviationsOf(payload: Readonly<Record<string, unknown>>, shape: z.core.$ZodShape): string[] {
  return Object.entries(shape).flatMap(([name, field]) => {
    const specified = specifiedTypes.get(field);
    if (specified === undefined || specified.schema.safeParse(payload[name]).success) return [];
    return [`${name}: expected ${specified.name}, got ${kindOf(payload[name])}`];
  });
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
