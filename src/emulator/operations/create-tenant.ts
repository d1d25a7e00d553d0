import { z } from "zod";
import type { TenantRecord } from "../entities/tenant.ts";
import { hiddenPeriod, type Platform } from "../platform.ts";
import { cronSchema } from "../rules/cron.ts";
import { jsonObjectSchema } from "../rules/json.ts";
import { parseRequest } from "../rules/parse-request.ts";
import { invalid } from "../rules/problems.ts";
import { tenantNameSchema } from "../rules/string-schemas.ts";
import { checkConfigs } from "./check-configs.ts";
import { chooseFirstRelease, releaseRequestShape } from "./choose-release.ts";
import { newTenant } from "./new-tenant.ts";
import { notify, tenantFields } from "./notify.ts";
import { requireFreeName } from "./require.ts";
import { resolveRelease } from "./resolve-release.ts";
import { writeTenant } from "./schedule.ts";

/** Specification, "CreateTenant". Unknown fields are ignored. */
export const createTenantSchema = z.object({
  name: tenantNameSchema,
  integration_id: z.int(),
  user_schedule: cronSchema.nullish(),
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
  const integration = platform.store.integrations.find(request.integration_id);
  if (!integration || integration.archived) {
    throw invalid(
      ["body", "integration_id"],
      `Integration ${request.integration_id} not found`,
      request.integration_id,
    );
  }
  requireFreeName(platform, integration.id, request.name);

  const choice = chooseFirstRelease(platform, integration, request);
  const release = resolveRelease(platform, integration.id, choice);
  const tenant: TenantRecord = {
    ...newTenant(platform, integration, request.name),
    integration_release_id: choice.integration_release_id,
    integration_release_channel: choice.integration_release_channel,
    user_schedule: request.user_schedule ?? null,
    configs: checkConfigs(platform, release, request.configs ?? {}),
  };
  platform.store.transaction(() => {
    writeTenant(platform, tenant, hiddenPeriod(platform));
    notify(platform, "tenant_created", tenantFields(platform, tenant));
  });
  return tenant;
}
