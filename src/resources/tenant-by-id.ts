import type { Tenant } from "../api/index.ts";
import { type IntegrationScope, integrationScope } from "./integration-scope.ts";
import type { Platform } from "./platform.ts";

/** A tenant with its integration. */
export interface PlacedTenant {
  tenant: Tenant;
  integration: IntegrationScope;
}

/**
 * A live tenant of which nothing is known but its id; `undefined` where there is none. A platform need not say which
 * integration a tenant belongs to (specification, Tenant: `integration_id`): then each integration's list is searched.
 */
export async function tenantById(platform: Platform, id: number): Promise<PlacedTenant | undefined> {
  const everyone = platform.snapshot.tenantsOf();
  const tenant = (await everyone.get(id)) ?? (await everyone.observe(id));
  if (tenant === undefined) return undefined;
  if (tenant.integration_id !== undefined) {
    return { tenant, integration: await integrationScope(platform, tenant.integration_id) };
  }
  const known = await platform.snapshot.integrations.all();
  const scopes = await Promise.all(known.map((integration) => integrationScope(platform, integration.id)));
  for (const look of ["all", "get"] as const) {
    for (const integration of scopes) {
      const { tenants } = integration;
      const isThere = look === "all" ? (await tenants.all()).has(id) : (await tenants.get(id)) !== undefined;
      if (isThere) return { tenant, integration };
    }
  }
  return undefined;
}
