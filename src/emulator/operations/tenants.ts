import { z } from "zod";
import { defined } from "../../json/defined.ts";
import { timestamp } from "../clock.ts";
import { plainRequestShape, type TenantRecord } from "../entities/tenant.ts";
import { hiddenPeriod, type Platform } from "../platform.ts";
import { applyPatch } from "../rules/apply-patch.ts";
import { jsonObjectSchema } from "../rules/json.ts";
import { storedSchedule } from "../rules/own-forms.ts";
import { parseRequest } from "../rules/parse-request.ts";
import { invalid } from "../rules/problems.ts";
import { tenantNameSchema } from "../rules/string-schemas.ts";
import { checkConfigs } from "./check-configs.ts";
import { isConnected } from "./connection.ts";
import { newTenant } from "./new-tenant.ts";
import { notify, tenantFields } from "./notify.ts";
import { chooseFirstRelease, chooseNextRelease, releaseRequestShape, resolveRelease } from "./release-choice.ts";
import { requireFreeName, requireIdle, requireTenant } from "./require.ts";
import { writeTenant } from "./schedule.ts";

/** Specification, "CreateTenant". Unknown fields are ignored. */
export const createTenantSchema = z.object({
  name: tenantNameSchema,
  integration_id: z.int(),
  ...plainRequestShape,
  ...releaseRequestShape,
  configs: jsonObjectSchema.optional(),
});

/**
 * POST /v2/tenants: creates a tenant, unconnected and paused.
 *
 * @throws InvalidRequest when the body violates the specification or the release's config schema.
 */
export function createTenant(platform: Platform, body: unknown): TenantRecord {
  const request = parseRequest(createTenantSchema, body, "body");
  const {
    name,
    integration_id,
    integration_release_id: _,
    integration_release_channel: __,
    configs = {},
    ...plain
  } = request;
  const integration = platform.store.integrations.find(integration_id);
  if (!integration || integration.archived) {
    throw invalid(["body", "integration_id"], `Integration ${integration_id} not found`, integration_id);
  }
  requireFreeName(platform, integration.id, name);

  const choice = chooseFirstRelease(platform, integration, request);
  const release = resolveRelease(platform, integration.id, choice);
  const tenant: TenantRecord = {
    ...newTenant(platform, integration, name),
    ...defined(plain),
    user_schedule: storedSchedule(platform.variants, request.user_schedule ?? null),
    integration_release_id: choice.integration_release_id,
    integration_release_channel: choice.integration_release_channel,
    configs: checkConfigs(platform, release, configs),
  };
  platform.store.transaction(() => {
    writeTenant(platform, tenant, hiddenPeriod(platform));
    notify(platform, "tenant_created", tenantFields(platform, tenant));
  });
  return tenant;
}

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
 * @throws Busy while a run of the tenant is in progress; see the variant `busy`.
 * @throws InvalidRequest in the same cases as `createTenant`, and for an unconnected tenant; see `pausedUnconnected`.
 */
export function updateTenant(platform: Platform, id: number, body: unknown): TenantRecord {
  const tenant = requireTenant(platform, id);
  requireIdle(platform, id);
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
    ...defined({ ...plain, paused: nextPaused(platform, tenant, request) }),
    ...(request.user_schedule !== undefined && {
      user_schedule: storedSchedule(platform.variants, request.user_schedule, tenant.user_schedule),
    }),
    integration_release_id: choice.integration_release_id,
    integration_release_channel: choice.integration_release_channel,
    configs: nextConfigs(platform, { ...tenant, ...choice }, request),
    modified_date: timestamp(platform.clock),
  };
  writeTenant(platform, updated, hiddenPeriod(platform));
  return updated;
}

/** Whether the PATCH pauses or resumes the tenant; undefined if neither. See the variant `pausedUnconnected`. */
function nextPaused(platform: Platform, tenant: TenantRecord, { paused }: UpdateTenant): boolean | undefined {
  const { pausedUnconnected } = platform.variants;
  if (paused !== false || pausedUnconnected === "accepted" || isConnected(platform, tenant)) return paused;
  if (pausedUnconnected === "ignored") return undefined;
  throw invalid(["body", "paused"], `Tenant ${tenant.id} is not connected`, paused);
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
