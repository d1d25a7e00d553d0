import { createSecretRegistry } from "../api/index.ts";
import { type Connection, openConnection } from "./connection.ts";
import { createEngineLog } from "./engine-log.ts";

/** The argument of `configure`: the config of the whole stack. */
export interface ConfigureRequest {
  config: { get(key: string): string | undefined };
}

let config: ConfigureRequest["config"] = { get: () => undefined };
let connection: Connection | undefined;

/** All secrets in this process. They are shared, because an error about one resource may quote a secret of another. */
export const secrets = createSecretRegistry();

/**
 * Stores the stack's config. It must do so synchronously: the host uses the provider before `configure` has resolved, and
 * does not repeat a `configure` that threw.
 */
export function configure(request: ConfigureRequest): void {
  config = request.config;
}

/** The address on which the engine listens, as the engine passes it to the host. */
export const engineAddress = process.argv.at(-1) ?? "";

/** The connection of this process, which serves one operation of the engine. Throws if settings are missing or invalid. */
export function connect(): Connection {
  connection ??= openConnection({
    setting: (key) => config.get(`integration-platform:${key}`),
    log: createEngineLog(engineAddress),
    provider: "dynamic",
    engineAddress,
    secrets,
  });
  return connection;
}
