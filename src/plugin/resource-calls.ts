import { createSecretRegistry, type SecretRegistry } from "../api/index.ts";
import { type Connection, openConnection } from "../provider/connection.ts";
import { resourceKinds } from "../resources/kinds.ts";
import { resourceTypeOf } from "../resources/pulumi/type-token.ts";
import type { PluginLog } from "./engine-log.ts";
import { createInvoke } from "./invoke.ts";
import { nativeProvider } from "./native-provider.ts";
import type { ProviderConfig } from "./provider-config.ts";

// Loaded at the first call about a resource or a function: the engine also starts plugins of which it asks less.

interface ResourceCallsOptions {
  /** The config of the provider, read at the first call. */
  config: () => ProviderConfig;
  log: PluginLog;
  /** The address on which the engine listens; empty if it is not known. */
  engineAddress: string;
  /** Aborted when the user cancels the operation. */
  signal: AbortSignal;
}

/** The calls of a plugin process about resources and functions. */
export function createResourceCalls({ config, ...operation }: ResourceCallsOptions) {
  const secrets = createSecretRegistry();
  let connection: ReturnType<typeof openConnection> | undefined;
  const connect = () => {
    connection ??= openConnection({ ...config(), ...operation, secrets, provider: "native" });
    return connection;
  };
  const providers = nativeProvidersOf(connect, secrets);
  return {
    /** The provider of the resources with this type token. */
    providerOf: (token: string) => {
      const type = resourceTypeOf(token);
      if (type !== undefined) return providers[type];
      throw new Error(`there is no resource type ${token}. There are: ${Object.keys(providers).join(", ")}`);
    },
    invoke: createInvoke(connect, secrets),
  };
}

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
