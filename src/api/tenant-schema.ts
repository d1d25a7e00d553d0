import { z } from "zod";
import type { JsonObject } from "./json.ts";
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
 * A tenant (specification, "Tenant"). What is absent or null holds the default of the specification where that gives one. Where it gives
 * none, undefined means that the platform did not say, and null that it said null.
 *
 * `status.auth` and `status.auth.connected` are undefined where the platform sent none, although the specification names defaults: whether
 * a customer has connected a tenant decides whether it may be archived, so that "not told" must not pass for "not connected".
 */
export const tenantSchema = wireObject({
  id: recordId,
  name: z.string(),
  /** The specification names no default: the list that a tenant came from says whether it is archived. */
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

export type Tenant = z.infer<typeof tenantSchema>;
export type TenantStatus = NonNullable<Tenant["status"]>;
export type TenantAuthStatus = NonNullable<TenantStatus["auth"]>;
export type ConnectorStatus = z.infer<typeof connectorStatusSchema>;

/** What a tenant is created from (specification, "CreateTenant"). A release id or a channel, not both; without, the integration's default. */
export interface CreateTenant {
  /** Lowercase alphanumeric; `-` allowed, but not at the start or end. */
  name: string;
  integration_id: number;
  /** Cron. */
  user_schedule?: string | null | undefined;
  integration_release_id?: number | null | undefined;
  /** `Latest` or `Default`. */
  integration_release_channel?: string | null | undefined;
  /** Has to match the release's config schema. */
  configs?: JsonObject | undefined;
}

/** What of a tenant can be changed. The specification does not show the request: these are the fields of its creation, and `paused`. */
export interface TenantPatch {
  name?: string | undefined;
  /** Cron; null goes back to the integration's. */
  user_schedule?: string | null | undefined;
  integration_release_id?: number | null | undefined;
  integration_release_channel?: string | null | undefined;
  configs?: JsonObject | undefined;
  paused?: boolean | undefined;
}

function emptyObject(): JsonObject {
  return {};
}
