import * as z from "zod";
import type { JsonObject } from "../json/json-value.ts";
import { freeFormObject, recordId, wireList, wireObject, withDefault } from "./wire-schema.ts";

const connectorStatusSchema = wireObject({
  name: z.string(),
  status: z.string(),
  last_change: z.string().nullish(),
});

const authStatusSchema = wireObject({
  connected: z
    .boolean()
    .nullish()
    .transform((connected) => connected ?? undefined),
  connectors: withDefault(wireList(connectorStatusSchema), () => []),
});

const statusSchema = wireObject({
  last_run: withDefault(freeFormObject, emptyObject),
  current_run: withDefault(freeFormObject, emptyObject),
  last_successful_run: withDefault(freeFormObject, emptyObject),
  dynamic_configs: withDefault(freeFormObject, emptyObject),
  auth: authStatusSchema.nullish().transform((auth) => auth ?? undefined),
});

/**
 * A tenant (specification, "Tenant"). A field that is absent or null has the specification's default. Where the specification
 * names no default, undefined means that the platform did not send the field, and null that it sent null.
 *
 * `status.auth` and `status.auth.connected` are exceptions: they are undefined where the platform sent none, although the
 * specification names defaults. A tenant may be archived only while no customer has connected it, so that an absent
 * field must not be read as "not connected".
 */
export const tenantSchema = wireObject({
  id: recordId,
  name: z.string(),
  /** Without a default: where it is absent, the `archived` of the list request tells. */
  archived: z.boolean().nullish(),
  integration_id: recordId.optional(),
  configs: withDefault(freeFormObject, emptyObject),
  created_date: z.string().nullish(),
  modified_date: z.string().nullish(),
  paused: withDefault(z.boolean(), () => true),
  user_schedule: z.string().nullish(),
  schedule: z.string().nullish(),
  source: withDefault(z.string(), () => "api"),
  integration_release_id: recordId.nullish(),
  integration_release_channel: z.string().nullish(),
  status: statusSchema.nullish(),
});

/** A tenant of an integration; its fields are described at {@link tenantSchema}. */
export type Tenant = z.infer<typeof tenantSchema>;
export type TenantStatus = NonNullable<Tenant["status"]>;
export type TenantAuthStatus = NonNullable<TenantStatus["auth"]>;
export type ConnectorStatus = z.infer<typeof connectorStatusSchema>;

/** Body of a tenant's creation (specification, "CreateTenant"). Give a release id or a channel, not both; without either, the integration's default applies. */
export interface CreateTenant {
  /** Lowercase letters, digits and `-`; no `-` at the start or end. */
  name: string;
  integration_id: number;
  /** Cron expression of five fields, in UTC. Without one, the integration's schedule applies. */
  user_schedule?: string | null | undefined;
  integration_release_id?: number | null | undefined;
  /** `Latest` or `Default`. */
  integration_release_channel?: string | null | undefined;
  /** Must match the release's config schema. */
  configs?: JsonObject | undefined;
}

/** Body of a tenant's update. The specification does not show it: these are the fields of the creation, and `paused`. */
export interface TenantPatch {
  name?: string | undefined;
  /** Cron expression of five fields, in UTC; null restores the integration's schedule. */
  user_schedule?: string | null | undefined;
  integration_release_id?: number | null | undefined;
  integration_release_channel?: string | null | undefined;
  configs?: JsonObject | undefined;
  paused?: boolean | undefined;
}

function emptyObject(): JsonObject {
  return {};
}
