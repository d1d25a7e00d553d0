// Loaded at the first call about a resource or a function: the engine also starts plugins of which it asks less.
import { createSecretRegistry } from "../api/index.ts";
import { openConnection } from "../provider/connection.ts";
import { resourceTypeOf } from "../resources/pulumi/type-token.ts";
import type { PluginLog } from "./engine-log.ts";
import { createInvoke } from "./invoke.ts";
import type { ProviderConfig } from "./provider-config.ts";
import { nativeProvidersOf } from "./providers.ts";

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
