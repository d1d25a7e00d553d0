import type { JsonObject } from "../entities/json.ts";
import type { ReleaseRecord } from "../entities/release.ts";
import type { TenantRecord, TenantStatus } from "../entities/tenant.ts";
import { resolveRelease } from "../operations/resolve-release.ts";
import type { Platform } from "../platform.ts";
import type { Variants } from "../variants.ts";
import { absentNulls } from "./absent-nulls.ts";
import { presentKeptRun } from "./run.ts";
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
  return absentNulls(variants.nulls, {
    ...shown,
    configs: tenant.configs && presentValues(variants, release?.config_schema, tenant.configs),
    schedule: tenant.schedule ?? tenant.user_schedule ?? look.defaultSchedule(tenant.integration_id),
    integration_release_id: isOnChannel ? (release?.id ?? null) : tenant.integration_release_id,
    status: tenant.status && presentStatus(variants, tenant.status),
  });
}

function presentStatus({ nulls, statusWords }: Variants, kept: TenantStatus): JsonObject {
  const status: TenantStatus = { ...kept, ...inWords(statusWords, kept) };
  if (nulls === "present") return status;
  const auth = status.auth && absentNulls(nulls, status.auth);
  const connectors = auth?.connectors?.map((connector) => absentNulls(nulls, connector));
  return absentNulls(nulls, {
    ...status,
    ...(auth ? { auth: { ...auth, ...(connectors ? { connectors } : {}) } } : {}),
  });
}

/** The runs that a status tells of, in the words of the variant. */
function inWords(words: Variants["statusWords"], status: TenantStatus): TenantStatus {
  const { last_run, current_run, last_successful_run } = status;
  return {
    ...(last_run ? { last_run: presentKeptRun(words, last_run) } : {}),
    ...(current_run ? { current_run: presentKeptRun(words, current_run) } : {}),
    ...(last_successful_run ? { last_successful_run: presentKeptRun(words, last_successful_run) } : {}),
  };
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
