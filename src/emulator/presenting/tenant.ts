import type { ReleaseRecord } from "../entities/release.ts";
import type { TenantRecord } from "../entities/tenant.ts";
import type { Metadata } from "../operations/metadata.ts";
import { resolveRelease } from "../operations/release-choice.ts";
import type { Platform } from "../platform.ts";
import type { JsonObject } from "../rules/json.ts";
import { maskSecrets } from "../rules/mask-secrets.ts";
import { scheduleInOwnForm, valuesInOwnForm } from "../rules/own-forms.ts";
import type { Variants } from "../variants.ts";
import { presentFields } from "./present-fields.ts";
import { presentStatus } from "./status.ts";

/**
 * Tenants as the API shows them (specification, "Tenant"), with the effective schedule, the id of the release that a
 * channel selects, and masked configs (see the variant `maskedConfigs`).
 */
export function presentTenants(platform: Platform, tenants: readonly TenantRecord[]): JsonObject[] {
  const lookups = createLookups(platform);
  return tenants.map((tenant) => present(platform, lookups, tenant));
}

/** One tenant as the API shows it. */
export function presentTenant(platform: Platform, tenant: TenantRecord): JsonObject {
  return present(platform, createLookups(platform), tenant);
}

function present({ variants }: Platform, lookups: Lookups, tenant: TenantRecord): JsonObject {
  const { user_name, runs, ...shown } = tenant;
  const release = lookups.release(tenant);
  const isOnChannel = tenant.integration_release_channel !== null;
  const fields = {
    ...shown,
    configs: tenant.configs && presentValues(variants, release?.config_schema, tenant.configs),
    user_schedule: scheduleInOwnForm(variants, tenant.user_schedule),
    schedule: scheduleInOwnForm(
      variants,
      tenant.schedule ?? tenant.user_schedule ?? lookups.defaultSchedule(tenant.integration_id),
    ),
    integration_release_id: isOnChannel ? (release?.id ?? null) : tenant.integration_release_id,
    status: tenant.status && presentStatus(variants, tenant.status),
  };
  return withoutAbsentField(variants, presentFields(variants, fields, tenantDefaults));
}

/** The values that the specification gives to absent fields of a Tenant. */
const tenantDefaults = { configs: {}, paused: true, source: "api" };

/** The fields of a tenant that the variant `absentField` hides. `presentStatus` hides those of the status. */
const absentFields: Readonly<Partial<Record<Variants["absentField"], readonly string[]>>> = {
  archived: ["archived"],
  integration_id: ["integration_id"],
  dates: ["created_date", "modified_date"],
  user_schedule: ["user_schedule"],
  schedule: ["schedule"],
  integration_release_id: ["integration_release_id"],
  integration_release_channel: ["integration_release_channel"],
  release: ["integration_release_id", "integration_release_channel"],
  status: ["status"],
};

function withoutAbsentField({ absentField }: Variants, fields: JsonObject): JsonObject {
  const absent = absentFields[absentField] ?? [];
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !absent.includes(key)));
}

interface Lookups {
  release(tenant: TenantRecord): ReleaseRecord | undefined;
  defaultSchedule(integrationId: number): string | null;
}

/** Looks up each release and integration once, however many tenants use it. */
function createLookups(platform: Platform): Lookups {
  const releases = new Map<string, ReleaseRecord | undefined>();
  const schedules = new Map<number, string | null>();
  return {
    release: (tenant) => {
      const key = `${tenant.integration_id} ${tenant.integration_release_id} ${tenant.integration_release_channel}`;
      if (!releases.has(key)) releases.set(key, resolveRelease(platform, tenant.integration_id, tenant));
      return releases.get(key);
    },
    defaultSchedule: (integrationId) => {
      const known = schedules.get(integrationId);
      if (known !== undefined) return known;
      const schedule = platform.store.integrations.find(integrationId)?.default_schedule ?? null;
      schedules.set(integrationId, schedule);
      return schedule;
    },
  };
}

/** Metadata as the API shows it (specification, "TenantMetadata"). */
export function presentMetadata(platform: Platform, metadata: Metadata): Partial<Metadata> {
  const { store, variants } = platform;
  const tenant = store.tenants.find(metadata.tenant_id);
  const release = tenant && resolveRelease(platform, tenant.integration_id, tenant);
  const data = metadata.data && presentValues(variants, release?.metadata_schema, metadata.data);
  return presentFields(variants, { ...metadata, data }, { data: {} });
}

/** Configs or metadata in the platform's own form, with masked secrets; see the variant `maskedConfigs`. */
function presentValues(variants: Variants, schema: unknown, values: JsonObject): JsonObject {
  const { maskedConfigs } = variants;
  return valuesInOwnForm(variants, maskedConfigs === "no" ? values : maskSecrets(schema, values, maskedConfigs));
}
