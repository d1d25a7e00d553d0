import { z } from "zod";
import type { TenantRecord } from "../entities/tenant.ts";
import { json } from "../http/answers.ts";
import { parseJsonObject } from "../http/body.ts";
import type { App } from "../http/environment.ts";
import { integerQuery, parseListQuery, queryOf } from "../http/list-query.ts";
import { parseRequest } from "../http/parse.ts";
import { integerParameter } from "../http/path-parameter.ts";
import { NotFound } from "../http/problems.ts";
import { archiveTenant } from "../operations/archive-tenant.ts";
import { createTenant } from "../operations/create-tenant.ts";
import { requireShownTenant } from "../operations/find.ts";
import { resolveRelease } from "../operations/resolve-release.ts";
import { updateTenant } from "../operations/update-tenant.ts";
import type { Platform } from "../platform.ts";
import { presentRelease } from "../presenting/release.ts";
import { presentTenant, presentTenants } from "../presenting/tenant.ts";

/** Specification, "Endpoints": Tenants. */
export function tenantRoutes(app: App, platform: Platform): void {
  const path = "/v2/tenants/:tenant_id" as const;

  app.get("/v2/tenants", (context) => {
    const query = queryOf(context.req.url);
    const list = parseListQuery(query, platform.variants);
    const { integration_id, user_name } = parseRequest(tenantFilterSchema, query, "query");
    const tenants = platform.store.tenants.list(
      { ...list, integrationId: integration_id || undefined, userName: user_name || undefined },
      platform.clock.now(),
    );
    return json(presentTenants(platform, tenants));
  });

  app.post("/v2/tenants", (context) => {
    const tenant = createTenant(platform, parseJsonObject(context.env.bodyText));
    return json(presentTenant(platform, tenant));
  });

  app.patch(path, (context) => {
    const id = integerParameter("tenant_id", context.req.param("tenant_id"));
    const tenant = updateTenant(platform, id, parseJsonObject(context.env.bodyText));
    return patchAnswer(platform, tenant);
  });

  app.delete(path, (context) => {
    const id = integerParameter("tenant_id", context.req.param("tenant_id"));
    archiveTenant(platform, id);
    return json({ id, archived: true });
  });

  app.get(`${path}/release`, (context) => {
    const id = integerParameter("tenant_id", context.req.param("tenant_id"));
    const tenant = requireShownTenant(platform, id);
    const release = resolveRelease(platform, tenant.integration_id, tenant);
    if (!release) throw new NotFound(`Tenant ${id} has no release`);
    return json(presentRelease(platform, release));
  });
}

/** What the list of tenants has in its query beyond what every list has. */
export const tenantFilterSchema = z.object({
  /** 0 means every integration. */
  integration_id: integerQuery(0, 0),
  user_name: z.string().default(""),
});

function patchAnswer(platform: Platform, tenant: TenantRecord): Response {
  if (platform.variants.patchAnswer === "nothing") return json({});
  if (platform.variants.patchAnswer === "empty") return new Response(null, { status: 200 });
  return json(presentTenant(platform, tenant));
}
