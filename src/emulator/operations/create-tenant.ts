import { z } from "zod";
import { defined } from "../../json/defined.ts";
import { plainRequestShape, type TenantRecord } from "../entities/tenant.ts";
import { hiddenPeriod, type Platform } from "../platform.ts";
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
