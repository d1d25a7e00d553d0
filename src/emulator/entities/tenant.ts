import { z } from "zod";
import { jsonObjectSchema } from "./json.ts";
import { runScriptSchema } from "./script.ts";

/** Specification, "Tenant": ConnectorStatus. Its words are not documented; the emulator says "connected" and "disconnected". */
export const connectorStatusSchema = z.looseObject({
  name: z.string(),
  status: z.string(),
  last_change: z.string().nullish(),
});

export type ConnectorStatus = z.infer<typeof connectorStatusSchema>;

/** Specification, "Tenant": TenantAuthStatus. */
export const authStatusSchema = z.looseObject({
  connected: z.boolean().optional(),
  connectors: z.array(connectorStatusSchema).nullish(),
});
export type AuthStatus = z.infer<typeof authStatusSchema>;

/** Specification, "Tenant": TenantStatus. */
export const tenantStatusSchema = z.looseObject({
  last_run: jsonObjectSchema.nullish(),
  current_run: jsonObjectSchema.nullish(),
  last_successful_run: jsonObjectSchema.nullish(),
  dynamic_configs: jsonObjectSchema.nullish(),
  auth: authStatusSchema.nullish(),
});
export type TenantStatus = z.infer<typeof tenantStatusSchema>;

/**
 * What can be set on a tenant by other ways than the API (seed, console, marketplace): every field of the
 * specification's "Tenant", loosely, and any field besides; an unknown one comes back as it is.
 */
export const tenantFieldsSchema = z.looseObject({
  name: z.string(),
  archived: z.boolean().nullable(),
  integration_id: z.int(),
  configs: jsonObjectSchema.nullable(),
  created_date: z.string().nullable(),
  modified_date: z.string().nullable(),
  paused: z.boolean().nullable(),
  user_schedule: z.string().nullable(),
  /** The effective schedule. Only kept when set by hand; otherwise it is worked out when the tenant is read. */
  schedule: z.string().nullable().optional(),
  source: z.string().nullable(),
  integration_release_id: z.int().nullable(),
  integration_release_channel: z.string().nullable(),
  status: tenantStatusSchema.nullable(),
  /** The marketplace user behind the tenant; the API filters by it and never shows it. */
  user_name: z.string().nullable(),
  /** What its runs do other than its integration's; never shown by the API. */
  runs: runScriptSchema.optional(),
});

/** A tenant as the emulator keeps it. */
export type TenantRecord = z.infer<typeof tenantFieldsSchema> & { readonly id: number };

/** Specification, "TenantMetadata". */
export interface MetadataRecord {
  readonly tenant_id: number;
  readonly data: z.infer<typeof jsonObjectSchema>;
  readonly created_date: string;
  readonly modified_date: string;
}
