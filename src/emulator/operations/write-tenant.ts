import type { TenantRecord } from "../entities/tenant.ts";
import type { Platform } from "../platform.ts";
import { planSchedule } from "./schedule.ts";

/**
 * Writes a tenant and plans its schedule anew. Every change of a tenant goes through here.
 *
 * @param shownAt when readers see it, in milliseconds since the epoch; undefined means at once.
 */
export function writeTenant(platform: Platform, tenant: TenantRecord, shownAt?: number): void {
  platform.store.transaction(() => {
    platform.store.tenants.write(tenant, shownAt);
    planSchedule(platform, tenant);
  });
}
