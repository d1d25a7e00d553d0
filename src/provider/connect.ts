import { mkdtempSync, writeFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, createKnownSecrets } from "../api/index.ts";
import { baseUrlSource, connectionSettings, connectorWords } from "../connection.ts";
import { createPlatform, type Platform } from "../resources/platform.ts";
import { type PlatformAddress, platformAddress } from "./platform-address.ts";

/** What the host hands to `configure`: the config of the whole stack. */
export interface ConfigureRequest {
  config: { get(key: string): string | undefined };
}

let config: ConfigureRequest["config"] = { get: () => undefined };
let connection: Connection | undefined;

/** What this process works on. */
export interface Connection {
  platform: Platform;
  address: PlatformAddress;
}

/** The secrets that this process was handed. One resource's refusal may quote another's: they are shared. */
export const secrets = createKnownSecrets();

/**
 * Keeps the stack's config. It must do so before it first waits for anything: the host hands out the provider before
 * `configure` has ended, and does not try again what it threw.
 */
export function configure(request: ConfigureRequest): void {
  config = request.config;
}

function keep(name: string, text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), "integration-platform-")), `${name}.txt`);
  writeFileSync(path, secrets.redact(text), { mode: 0o600 });
  return path;
}

/** The connection of this process, which is one operation of the engine. Throws where the settings are wanting. */
export function connect(): Connection {
  if (connection !== undefined) return connection;
  const setting = (key: string) => config.get(`integration-platform:${key}`);
  const client = createClient({ ...connectionSettings(setting), secrets });
  const { source, warning } = baseUrlSource(setting);
  const address = platformAddress({ baseUrl: client.baseUrl, source });
  const warn = (message: string) => console.error(`integration-platform: warning: ${secrets.redact(message)}`);
  const areLimitsLifted = process.env.INTEGRATION_PLATFORM_ALLOW_LIMITS === "1";
  const platform = createPlatform({ client, warn, keep, areLimitsLifted, connectorWords: connectorWords(setting) });
  if (warning !== undefined) platform.warn(warning);
  connection = { platform, address };
  flushCompileCache(); // the engine ends this process without letting it come to its end
  return connection;
}
