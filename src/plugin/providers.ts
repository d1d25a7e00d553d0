import type { SecretRegistry } from "../api/index.ts";
import type { Connection } from "../provider/connection.ts";
import { resourceKinds } from "../resources/kinds.ts";
import { nativeProvider } from "./native-provider.ts";

/**
 * The providers of one operation of the engine, by the names of the resource classes.
 *
 * @param connect returns their connection. It is called at the first call of each provider.
 * @param secrets gets the secrets in the properties, so that later messages of this process redact them.
 */
export function nativeProvidersOf(connect: () => Connection, secrets: SecretRegistry) {
  const { Tenant, TenantMetadata, Build, SyncTrigger, TenantFleet, FleetRollout } = resourceKinds;
  return {
    Tenant: nativeProvider(Tenant, connect, secrets),
    TenantMetadata: nativeProvider(TenantMetadata, connect, secrets),
    Build: nativeProvider(Build, connect, secrets),
    SyncTrigger: nativeProvider(SyncTrigger, connect, secrets),
    TenantFleet: nativeProvider(TenantFleet, connect, secrets),
    FleetRollout: nativeProvider(FleetRollout, connect, secrets),
  };
}
