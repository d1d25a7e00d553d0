import type { JsonObject } from "../entities/json.ts";
import type { ReleaseRecord } from "../entities/release.ts";
import type { TenantRecord } from "../entities/tenant.ts";
import { resolveRelease } from "../operations/resolve-release.ts";
import type { Platform } from "../platform.ts";
import type { Variants } from "../variants.ts";
import { shownFields } from "./shown-fields.ts";
import { presentStatus } from "./tenant-status.ts";
import { presentValues } from "./values.ts";

/**
 * Tenants as the API shows them (specification, "Tenant"): the effective schedule, and the release that a channel means
 * today, are worked out; secret configs are masked as the variant `maskedConfigs` says.
 */
export function presentTenants(platform: Platform, tenants: readonly TenantRecord[]): JsonObject[] {
  const look = createLookups(platform);
  return tenants.map((tenant) => present(platform, look, tenant));
}

/** One tenant as the API shows it. */
export function presentTenant(platform: Platform, tenant: TenantRecord): JsonObject {
  return present(platform, createLookups(platform), tenant);
}

function present({ variants }: Platform, look: Lookups, tenant: TenantRecord): JsonObject {
  const { user_name, runs, ...shown } = tenant;
  const release = look.release(tenant);
  const isOnChannel = tenant.integration_release_channel !== null;
  const fields = {
    ...shown,
    configs: tenant.configs && presentValues(variants, release?.config_schema, tenant.configs),
    schedule: tenant.schedule ?? tenant.user_schedule ?? look.defaultSchedule(tenant.integration_id),
    integration_release_id: isOnChannel ? (release?.id ?? null) : tenant.integration_release_id,
    status: tenant.status && presentStatus(variants, tenant.status),
  };
  return withoutAbsentField(variants, shownFields(variants, fields, tenantDefaults));
}

/** What the specification's Tenant means where a field is absent; a tenant that does not say so is not archived. */
const tenantDefaults = { archived: false, configs: {}, paused: true, source: "api" };

/** What the variant `absentField` leaves out of every tenant. The fields of its status are left out there. */
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

/** Looks up each release and integration once, however many tenants are presented. */
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
