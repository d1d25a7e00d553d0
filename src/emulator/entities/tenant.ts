import { z } from "zod";
import { cronSchema } from "../rules/cron.ts";
import { jsonObjectSchema } from "../rules/json.ts";
import { runScriptSchema } from "./script.ts";

/** Specification, "Tenant": ConnectorStatus. It documents no status words; the emulator stores "connected" and "disconnected". */
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
 * The fields that a seed, the console and the marketplace can set on a tenant: those of the specification's "Tenant", with
 * any values of the right type, and unknown fields, which come back unchanged.
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
  /** The effective schedule, when an administrator set it. Otherwise it is computed when the tenant is read. */
  schedule: z.string().nullable().optional(),
  source: z.string().nullable(),
  integration_release_id: z.int().nullable(),
  integration_release_channel: z.string().nullable(),
  status: tenantStatusSchema.nullable(),
  /** The user who installed the tenant in the marketplace. The API filters by this field and never shows it. */
  user_name: z.string().nullable(),
  /** Overrides the script of the integration. The API never shows it. */
  runs: runScriptSchema.optional(),
});

/** The fields of a tenant that POST and PATCH set as they are. Fields that need other records are in their own schemas. */
export const plainRequestShape = {
  user_schedule: cronSchema.nullish(),
};

/** A tenant as the emulator stores it. */
export type TenantRecord = z.infer<typeof tenantFieldsSchema> & { readonly id: number };

/** Specification, "TenantMetadata". */
export interface MetadataRecord {
  readonly tenant_id: number;
  readonly data: z.infer<typeof jsonObjectSchema> | null;
  readonly created_date: string;
  readonly modified_date: string;
}
