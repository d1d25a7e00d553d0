import type { TenantRecord } from "../entities/tenant.ts";
import type { Platform } from "../platform.ts";
import { nextTime } from "../rules/cron.ts";
import type { HiddenPeriod } from "../store/delayed-visibility.ts";
import { isConnected } from "./connection.ts";
import { recordTenantRelease } from "./release-adoption.ts";

/**
 * Stores the job for the next time of a tenant's schedule, or removes it. Schedules are in UTC, and fire for tenants that
 * are live, not paused, and connected. Call this whenever any of that may have changed.
 */
export function planSchedule(platform: Platform, tenant: TenantRecord): void {
  const { jobs } = platform.store;
  const planned = jobs.find("cron", tenant.id);
  const schedule = firingSchedule(platform, tenant);
  if (planned && planned.detail === schedule) return;

  const dueAt = schedule === null ? undefined : nextTime(schedule, platform.clock.now());
  if (dueAt !== undefined) jobs.write({ kind: "cron", subject: tenant.id, dueAt, detail: schedule });
  else if (planned) jobs.remove("cron", tenant.id);
}

/** Plans the schedules of all live tenants of an integration. */
export function planSchedulesOf(platform: Platform, integrationId: number): void {
  for (const tenant of platform.store.tenants.listLive(integrationId)) planSchedule(platform, tenant);
}

/** Plans the schedules at the start of the emulator. Times that passed while it was off are skipped. */
export function resumeSchedules(platform: Platform): void {
  const { jobs, integrations, tenants, isUpgradedFromFormat1 } = platform.store;
  for (const tenantId of jobs.listOverdueSchedules(platform.clock.now())) {
    jobs.remove("cron", tenantId);
    const tenant = tenants.find(tenantId);
    if (tenant) planSchedule(platform, tenant);
  }
  if (isUpgradedFromFormat1) for (const id of integrations.ids()) planSchedulesOf(platform, id);
}

/** The schedule of a tenant: one that an administrator set, else its own, else its integration's. */
export function effectiveSchedule({ store }: Platform, tenant: TenantRecord): string | null {
  const own = tenant.schedule ?? tenant.user_schedule;
  return own ?? store.integrations.find(tenant.integration_id)?.default_schedule ?? null;
}

function firingSchedule(platform: Platform, tenant: TenantRecord): string | null {
  // The specification's default for an absent `paused` is true.
  if (tenant.archived || tenant.paused !== false || !isConnected(platform, tenant)) return null;
  return effectiveSchedule(platform, tenant);
}

/**
 * Stores a tenant, plans its schedule, and records a change of its release. Every change of a tenant uses this function.
 *
 * @param hidden when readers do not see the change; undefined means that they see it at once.
 */
export function writeTenant(platform: Platform, tenant: TenantRecord, hidden?: HiddenPeriod): void {
  platform.store.transaction(() => {
    recordTenantRelease(platform, platform.store.tenants.find(tenant.id), tenant);
    platform.store.tenants.write(tenant, hidden);
    planSchedule(platform, tenant);
  });
}
