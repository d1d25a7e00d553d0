import { timestamp } from "../clock.ts";
import type { TenantRecord } from "../entities/tenant.ts";
import { type Platform, shownAt } from "../platform.ts";
import { requireTenant } from "./find.ts";
import { notify, tenantFields } from "./notify.ts";
import { writeTenant } from "./write-tenant.ts";

/**
 * DELETE /v2/tenants/{tenant_id}: archives the tenant, which hides it from lists and from every other call.
 *
 * @throws NotFound for an archived tenant too.
 */
export function archiveTenant(platform: Platform, id: number): TenantRecord {
  const tenant = requireTenant(platform, id);
  const archived: TenantRecord = { ...tenant, archived: true, modified_date: timestamp(platform.clock) };
  platform.store.transaction(() => {
    writeTenant(platform, archived, shownAt(platform));
    notify(platform, "tenant_archived", tenantFields(platform, archived));
  });
  return archived;
}
