// Loaded at the first call about a resource or a function: the engine also starts plugins of which it asks less.
import { createSecretRegistry } from "../api/index.ts";
import { openConnection } from "../provider/connection.ts";
import { resourceKinds } from "../resources/kinds.ts";
import type { PluginLog } from "./engine-log.ts";
import { createInvoke } from "./invoke.ts";
import { nativeProvider } from "./native-provider.ts";
import type { ProviderConfig } from "./provider-config.ts";
import { typePrefix } from "./urn.ts";

/**
 * The calls of a plugin process about resources and functions.
 *
 * @param config of the provider, read at the first call.
 */
export function createResourceCalls(config: () => ProviderConfig, log: PluginLog) {
  const secrets = createSecretRegistry();
  let connection: ReturnType<typeof openConnection> | undefined;
  const connect = () => {
    connection ??= openConnection({ ...config(), log, secrets });
    return connection;
  };
  const { Tenant, TenantMetadata, Build, SyncTrigger, TenantFleet } = resourceKinds;
  const providers = new Map(
    Object.entries({
      Tenant: nativeProvider(Tenant, connect, secrets),
      TenantMetadata: nativeProvider(TenantMetadata, connect, secrets),
      Build: nativeProvider(Build, connect, secrets),
      SyncTrigger: nativeProvider(SyncTrigger, connect, secrets),
      TenantFleet: nativeProvider(TenantFleet, connect, secrets),
    }),
  );
  return {
    /** The provider of a type of resources. */
    providerOf: (type: string) => {
      const provider = type.startsWith(typePrefix) ? providers.get(type.slice(typePrefix.length)) : undefined;
      if (provider === undefined) {
        throw new Error(`there is no resource type ${type}. There are: ${[...providers.keys()].join(", ")}`);
      }
      return provider;
    },
    invoke: createInvoke(connect, secrets),
  };
}
