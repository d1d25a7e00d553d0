import { resourceKinds } from "../resources/kinds.ts";
import type { Connection } from "./connection.ts";
import { dynamicProvider } from "./dynamic-provider.ts";

/**
 * The providers of one operation of the engine.
 *
 * @param connect returns their connection. It is called at the first call of each provider.
 */
export function providersOf(connect: () => Connection) {
  return {
    tenant: dynamicProvider(resourceKinds.Tenant, connect),
    tenantMetadata: dynamicProvider(resourceKinds.TenantMetadata, connect),
    build: dynamicProvider(resourceKinds.Build, connect),
    syncTrigger: dynamicProvider(resourceKinds.SyncTrigger, connect),
    tenantFleet: dynamicProvider(resourceKinds.TenantFleet, connect),
    fleetRollout: dynamicProvider(resourceKinds.FleetRollout, connect),
  };
}
