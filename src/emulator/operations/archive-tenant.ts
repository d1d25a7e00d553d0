import { timestamp } from "../clock.ts";
import type { TenantRecord } from "../entities/tenant.ts";
import { hiddenPeriod, type Platform } from "../platform.ts";
import { notify, tenantFields } from "./notify.ts";
import { requireTenant } from "./require.ts";
import { writeTenant } from "./schedule.ts";

/**
 * DELETE /v2/tenants/{tenant_id}: archives the tenant. From then on, only lists with `archived=true` show it.
 *
 * @throws NotFound if the tenant does not exist or is archived already.
 */
export function archiveTenant(platform: Platform, id: number): TenantRecord {
  const tenant = requireTenant(platform, id);
  const archived: TenantRecord = { ...tenant, archived: true, modified_date: timestamp(platform.clock) };
  platform.store.transaction(() => {
    writeTenant(platform, archived, hiddenPeriod(platform));
    notify(platform, "tenant_archived", tenantFields(platform, archived));
  });
  return archived;
}
