import type { Tenant } from "../../api/index.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { uniqueKeys } from "../../resources/existing/unique-keys.ts";
import { tenantsByIntegration } from "../tenants/select-tenants.ts";

/** A live tenant, and the key that it gets. */
export interface LiveTenant {
  /** Different for each: see {@link uniqueKeys}. */
  key: string;
  tenant: Tenant;
  scope: IntegrationScope;
}

/** The live tenants of an integration, which become one fleet. */
export interface LiveFleet {
  /** Name of the resource and of its file: lowercase letters, digits and `-`. */
  key: string;
  scope: IntegrationScope;
  /** By name, with keys that are different within the fleet. */
  tenants: LiveTenant[];
}

/** The live tenants of the integration with this name or id, or of `all`, by the names of integrations and tenants. */
export async function liveTenants(context: OperationContext, integration: string): Promise<LiveTenant[]> {
  const live = (await tenantsByIntegration(context, integration)).flatMap(({ scope, tenants }) =>
    tenants.map((tenant) => ({ scope, tenant })),
  );
  const keyOf = uniqueKeys(live.map(({ tenant }) => tenant));
  return live.map((one) => ({ key: keyOf(one.tenant), ...one }));
}

/** A fleet for the integration with this name or id, or for each of `all`. Integrations without live tenants have none. */
export async function liveFleets(context: OperationContext, integration: string): Promise<LiveFleet[]> {
  const live = (await tenantsByIntegration(context, integration)).filter(({ tenants }) => tenants.length > 0);
  const fleets = live.map(({ scope, tenants }) => ({ id: scope.id, name: fleetName(scope.record), scope, tenants }));
  const fleetKeyOf = uniqueKeys(fleets);
  return fleets.map(({ scope, tenants, ...fleet }) => {
    const keyOf = uniqueKeys(tenants);
    const members = tenants.map((tenant) => ({ key: keyOf(tenant), tenant, scope }));
    return { key: fleetKeyOf(fleet), scope, tenants: members };
  });
}

/** The name of an integration as a key. Names of integrations can hold any character and be long. */
function fleetName({ name }: { name: string }): string {
  const letters = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = letters.replace(/[^a-z0-9]+/g, "-").slice(0, 60);
  return words.replace(/^-|-$/g, "") || "integration";
}
