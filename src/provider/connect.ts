import { mkdtempSync, writeFileSync } from "node:fs";
import module from "node:module"; // older versions of Node.js have no flushCompileCache, and could not link a named import
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, createSecretRegistry } from "../api/index.ts";
import { baseUrlSource, connectionSettings, connectorWords } from "../connection/connection-settings.ts";
import { createOperationContext, type OperationContext } from "../operation/operation-context.ts";
import { createEngineLog, type EngineLog } from "./engine-log.ts";
import { type PlatformAddress, platformAddress } from "./platform-address.ts";
import { refusalRecorder, refusalsFileKey } from "./recorded-refusals.ts";

/** The argument of `configure`: the config of the whole stack. */
export interface ConfigureRequest {
  config: { get(key: string): string | undefined };
}

let config: ConfigureRequest["config"] = { get: () => undefined };
let connection: Connection | undefined;

/** The platform and the operation of this process. */
export interface Connection {
  context: OperationContext;
  address: PlatformAddress;
  log: Pick<EngineLog, "sent">;
}

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

function writeReport(name: string, text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), "integration-platform-")), `${name}.txt`);
  writeFileSync(path, secrets.redact(text), { mode: 0o600 });
  return path;
}

/** The connection of this process, which serves one operation of the engine. Throws if settings are missing or invalid. */
export function connect(): Connection {
  if (connection !== undefined) return connection;
  const setting = (key: string) => config.get(`integration-platform:${key}`);
  const client = createClient({ ...connectionSettings(setting), secrets });
  const { source, warning } = baseUrlSource(setting);
  const address = platformAddress({ baseUrl: client.baseUrl, source });
  const log = createEngineLog(engineAddress);
  const areLimitsLifted = process.env.INTEGRATION_PLATFORM_ALLOW_LIMITS === "1";
  const record = refusalRecorder(process.env[refusalsFileKey]);
  const context = createOperationContext({
    client,
    note: (message) => log.send("info", secrets.redact(message)),
    warn: (message) => log.send("warning", secrets.redact(message)),
    recordRefusal: ({ tenantId, reason }) => record({ tenantId, reason: secrets.redact(reason) }),
    writeReport,
    areLimitsLifted,
    connectorWords: connectorWords(setting),
  });
  if (warning !== undefined) context.warn(warning);
  connection = { context, address, log };
  module.flushCompileCache(); // the engine kills this process, so Node would not write the cache at its exit
  return connection;
}
