import type { TenantRecord } from "../entities/tenant.ts";
import type { Platform } from "../platform.ts";
import { nextTime } from "../rules/cron.ts";
import { isConnected } from "./connection.ts";

/**
 * Puts the next time of a tenant's schedule on the agenda, or takes it off: schedules fire for live, unpaused,
 * connected tenants, in UTC. To be called whenever something of that may have changed.
 */
export function planSchedule(platform: Platform, tenant: TenantRecord): void {
  const { agenda } = platform.store;
  const planned = agenda.find("cron", tenant.id);
  const schedule = firingSchedule(platform, tenant);
  if (planned && planned.detail === schedule) return;

  const dueAt = schedule === null ? undefined : nextTime(schedule, platform.clock.now());
  if (dueAt !== undefined) agenda.put({ kind: "cron", subject: tenant.id, dueAt, detail: schedule });
  else if (planned) agenda.remove("cron", tenant.id);
}

/** The same for every tenant that follows the schedule of an integration. */
export function planSchedulesOf(platform: Platform, integrationId: number): void {
  for (const tenant of platform.store.tenants.listLive(integrationId)) planSchedule(platform, tenant);
}

/** At the start: what would have fired while the emulator was off is left out, schedules go on from now. */
export function resumeSchedules(platform: Platform): void {
  const { agenda, integrations, tenants, isUpgraded } = platform.store;
  for (const tenantId of agenda.missedSchedules(platform.clock.now())) {
    agenda.remove("cron", tenantId);
    const tenant = tenants.find(tenantId);
    if (tenant) planSchedule(platform, tenant);
  }
  if (isUpgraded) for (const id of integrations.ids()) planSchedulesOf(platform, id);
}

/** The schedule that holds for a tenant: one set by hand, else its own, else its integration's. */
export function effectiveSchedule({ store }: Platform, tenant: TenantRecord): string | null {
  const own = tenant.schedule ?? tenant.user_schedule;
  return own ?? store.integrations.find(tenant.integration_id)?.default_schedule ?? null;
}

function firingSchedule(platform: Platform, tenant: TenantRecord): string | null {
  // The specification's default for an absent `paused` is true.
  if (tenant.archived || tenant.paused !== false || !isConnected(platform, tenant)) return null;
  return effectiveSchedule(platform, tenant);
}
