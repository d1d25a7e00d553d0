import { z } from "zod";
import { timestamp } from "../clock.ts";
import { jsonObjectSchema } from "../entities/json.ts";
import type { TenantRecord } from "../entities/tenant.ts";
import { parseRequest } from "../http/parse.ts";
import { type Platform, shownAt } from "../platform.ts";
import { cronSchema } from "../rules/cron.ts";
import { applyPatch } from "../rules/merging.ts";
import { tenantNameSchema } from "../rules/tenant-name.ts";
import { checkConfigs } from "./check-configs.ts";
import { chooseNextRelease, releaseRequestShape } from "./choose-release.ts";
import { requireTenant } from "./find.ts";
import { requireFreeName } from "./require-free-name.ts";
import { resolveRelease } from "./resolve-release.ts";
import { writeTenant } from "./write-tenant.ts";

/** The body of PATCH /v2/tenants/{tenant_id}, which the specification does not show. Unknown fields are ignored. */
export const updateTenantSchema = z.object({
  name: tenantNameSchema.optional(),
  user_schedule: cronSchema.nullish(),
  ...releaseRequestShape,
  configs: jsonObjectSchema.optional(),
  paused: z.boolean().optional(),
});
type UpdateTenant = z.infer<typeof updateTenantSchema>;

/**
 * PATCH /v2/tenants/{tenant_id}. What the body does not name stays.
 *
 * @throws NotFound for an archived tenant too.
 * @throws InvalidRequest as for a new tenant.
 */
export function updateTenant(platform: Platform, id: number, body: unknown): TenantRecord {
  const tenant = requireTenant(platform, id);
  const request = parseRequest(updateTenantSchema, body, "body");
  if (request.name !== undefined) requireFreeName(platform, tenant.integration_id, request.name, id);

  const choice = chooseNextRelease(platform, tenant, request);
  const { schedule: handSetSchedule, ...kept } = tenant;
  const updated: TenantRecord = {
    ...kept,
    // A schedule set by hand holds until the tenant is given another.
    ...(request.user_schedule === undefined && handSetSchedule !== undefined ? { schedule: handSetSchedule } : {}),
    name: request.name ?? tenant.name,
    paused: request.paused ?? tenant.paused,
    user_schedule: request.user_schedule === undefined ? tenant.user_schedule : request.user_schedule,
    integration_release_id: choice.integration_release_id,
    integration_release_channel: choice.integration_release_channel,
    configs: nextConfigs(platform, { ...tenant, ...choice }, request),
    modified_date: timestamp(platform.clock),
  };
  writeTenant(platform, updated, shownAt(platform));
  return updated;
}

/** Configs are looked at only when they or the release change, so that a pause does not fail over old configs. */
function nextConfigs(platform: Platform, tenant: TenantRecord, request: UpdateTenant): TenantRecord["configs"] {
  const namesRelease =
    request.integration_release_id !== undefined || request.integration_release_channel !== undefined;
  if (request.configs === undefined && !namesRelease) return tenant.configs;

  const current = tenant.configs ?? {};
  const next = request.configs ? applyPatch(platform.variants.configs, current, request.configs) : current;
  return checkConfigs(platform, resolveRelease(platform, tenant.integration_id, tenant), next);
}
