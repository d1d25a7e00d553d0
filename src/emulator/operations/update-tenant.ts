import { z } from "zod";
import { timestamp } from "../clock.ts";
import type { TenantRecord } from "../entities/tenant.ts";
import { type Platform, visibleAt } from "../platform.ts";
import { applyPatch } from "../rules/apply-patch.ts";
import { cronSchema } from "../rules/cron.ts";
import { jsonObjectSchema } from "../rules/json.ts";
import { parseRequest } from "../rules/parse-request.ts";
import { tenantNameSchema } from "../rules/string-schemas.ts";
import { checkConfigs } from "./check-configs.ts";
import { chooseNextRelease, releaseRequestShape } from "./choose-release.ts";
import { notify, tenantFields } from "./notify.ts";
import { requireFreeName, requireTenant } from "./require.ts";
import { resolveRelease } from "./resolve-release.ts";
import { writeTenant } from "./schedule.ts";

/** The body of PATCH /v2/tenants/{tenant_id}. The specification does not show it. Unknown fields are ignored. */
export const updateTenantSchema = z.object({
  name: tenantNameSchema.optional(),
  user_schedule: cronSchema.nullish(),
  ...releaseRequestShape,
  configs: jsonObjectSchema.optional(),
  paused: z.boolean().optional(),
});
type UpdateTenant = z.infer<typeof updateTenantSchema>;

/**
 * PATCH /v2/tenants/{tenant_id}. Fields that the body does not have stay unchanged.
 *
 * @throws NotFound also for an archived tenant.
 * @throws InvalidRequest as `createTenant`.
 */
export function updateTenant(platform: Platform, id: number, body: unknown): TenantRecord {
  const tenant = requireTenant(platform, id);
  const request = parseRequest(updateTenantSchema, body, "body");
  if (request.name !== undefined) requireFreeName(platform, tenant.integration_id, request.name, id);

  const choice = chooseNextRelease(platform, tenant, request);
  const { schedule: scheduleByAdministrator, ...rest } = tenant;
  const updated: TenantRecord = {
    ...rest,
    // A schedule that an administrator set is valid until a PATCH sets user_schedule.
    ...(request.user_schedule === undefined && scheduleByAdministrator !== undefined
      ? { schedule: scheduleByAdministrator }
      : {}),
    name: request.name ?? tenant.name,
    paused: request.paused ?? tenant.paused,
    user_schedule: request.user_schedule === undefined ? tenant.user_schedule : request.user_schedule,
    integration_release_id: choice.integration_release_id,
    integration_release_channel: choice.integration_release_channel,
    configs: nextConfigs(platform, { ...tenant, ...choice }, request),
    modified_date: timestamp(platform.clock),
  };
  writeTenant(platform, updated, visibleAt(platform));
  return updated;
}

/** Checks configs only when they or the release change, so that old invalid configs do not prevent a pause. */
function nextConfigs(platform: Platform, tenant: TenantRecord, request: UpdateTenant): TenantRecord["configs"] {
  const changesRelease =
    request.integration_release_id !== undefined || request.integration_release_channel !== undefined;
  if (request.configs === undefined && !changesRelease) return tenant.configs;

  const current = tenant.configs ?? {};
  const next = request.configs ? applyPatch(platform.variants.configs, current, request.configs) : current;
  return checkConfigs(platform, resolveRelease(platform, tenant.integration_id, tenant), next);
}

/**
 * DELETE /v2/tenants/{tenant_id}: archives the tenant. Only lists with `archived=true` show it then.
 *
 * @throws NotFound also for an archived tenant.
 */
export function archiveTenant(platform: Platform, id: number): TenantRecord {
  const tenant = requireTenant(platform, id);
  const archived: TenantRecord = { ...tenant, archived: true, modified_date: timestamp(platform.clock) };
  platform.store.transaction(() => {
    writeTenant(platform, archived, visibleAt(platform));
    notify(platform, "tenant_archived", tenantFields(platform, archived));
  });
  return archived;
}
