import { z } from "zod";
import { defined } from "../../json/defined.ts";
import { timestamp } from "../clock.ts";
import { plainRequestShape, type TenantRecord } from "../entities/tenant.ts";
import { hiddenPeriod, type Platform } from "../platform.ts";
import { applyPatch } from "../rules/apply-patch.ts";
import { jsonObjectSchema } from "../rules/json.ts";
import { parseRequest } from "../rules/parse-request.ts";
import { tenantNameSchema } from "../rules/string-schemas.ts";
import { checkConfigs } from "./check-configs.ts";
import { chooseNextRelease, releaseRequestShape } from "./choose-release.ts";
import { requireFreeName, requireTenant } from "./require.ts";
import { resolveRelease } from "./resolve-release.ts";
import { writeTenant } from "./schedule.ts";

/** The body of PATCH /v2/tenants/{tenant_id}. The specification does not show it. Unknown fields are ignored. */
export const updateTenantSchema = z.object({
  name: tenantNameSchema.optional(),
  ...plainRequestShape,
  ...releaseRequestShape,
  configs: jsonObjectSchema.optional(),
  paused: z.boolean().optional(),
});
type UpdateTenant = z.infer<typeof updateTenantSchema>;

/**
 * PATCH /v2/tenants/{tenant_id}. Fields that the body does not have stay unchanged.
 *
 * @throws NotFound if the tenant does not exist or is archived.
 * @throws InvalidRequest in the same cases as `createTenant`.
 */
export function updateTenant(platform: Platform, id: number, body: unknown): TenantRecord {
  const tenant = requireTenant(platform, id);
  const request = parseRequest(updateTenantSchema, body, "body");
  if (request.name !== undefined) requireFreeName(platform, tenant.integration_id, request.name, id);

  const { integration_release_id: _, integration_release_channel: __, configs: ___, ...plain } = request;
  const choice = chooseNextRelease(platform, tenant, request);
  const { schedule: scheduleByAdministrator, ...rest } = tenant;
  const updated: TenantRecord = {
    ...rest,
    // A schedule that an administrator set remains until a PATCH sets user_schedule.
    ...(request.user_schedule === undefined && scheduleByAdministrator !== undefined
      ? { schedule: scheduleByAdministrator }
      : {}),
    ...defined(plain),
    integration_release_id: choice.integration_release_id,
    integration_release_channel: choice.integration_release_channel,
    configs: nextConfigs(platform, { ...tenant, ...choice }, request),
    modified_date: timestamp(platform.clock),
  };
  writeTenant(platform, updated, hiddenPeriod(platform));
  return updated;
}

/**
 * The configs after the PATCH. They are checked only if the request has configs or a release, so that old invalid configs do
 * not prevent a pause.
 *
 * @param tenant the tenant with its release after the PATCH.
 */
function nextConfigs(platform: Platform, tenant: TenantRecord, request: UpdateTenant): TenantRecord["configs"] {
  const isReleaseRequested =
    request.integration_release_id !== undefined || request.integration_release_channel !== undefined;
  if (request.configs === undefined && !isReleaseRequested) return tenant.configs;

  const current = tenant.configs ?? {};
  const next = request.configs ? applyPatch(platform.variants.configs, current, request.configs) : current;
  return checkConfigs(platform, resolveRelease(platform, tenant.integration_id, tenant), next);
}
