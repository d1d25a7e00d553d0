import type { Tenant } from "../api/index.ts";
import { type IntegrationScope, integrationScope } from "./integration-scope.ts";
import type { OperationContext } from "./operation-context.ts";

/** A tenant with its integration. */
export interface PlacedTenant {
  tenant: Tenant;
  integration: IntegrationScope;
}

/**
 * Finds a live tenant and its integration by the tenant's id; `undefined` if it does not exist. If the platform omits the
 * tenant's integration (specification, Tenant: `integration_id`), the list of each integration is searched.
 */
export async function tenantById(context: OperationContext, id: number): Promise<PlacedTenant | undefined> {
  const everyone = context.snapshot.tenantsOf();
  const tenant = (await everyone.get(id)) ?? (await everyone.fetchFresh(id));
  if (tenant === undefined) return undefined;
  if (tenant.integration_id !== undefined) {
    return { tenant, integration: await integrationScope(context, tenant.integration_id) };
  }
  const known = await context.snapshot.integrations.all();
  const scopes = await Promise.all(known.map((integration) => integrationScope(context, integration.id)));
  for (const method of ["all", "get"] as const) {
    for (const integration of scopes) {
      const { tenants } = integration;
      const isThere = method === "all" ? (await tenants.all()).has(id) : (await tenants.get(id)) !== undefined;
      if (isThere) return { tenant, integration };
    }
  }
  return undefined;
}
