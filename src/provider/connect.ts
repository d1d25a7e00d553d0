import { mkdtempSync, writeFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../api/index.ts";
import { connectionSettings, connectorWords } from "../connection.ts";
import { createPlatform, type Platform } from "../resources/platform.ts";
import { leaveWithEngine } from "./leave-with-engine.ts";

/** What the host hands to `configure`: the config of the whole stack. */
export interface ConfigureRequest {
  config: { get(key: string): string | undefined };
}

let config: ConfigureRequest["config"] = { get: () => undefined };
let platform: Platform | undefined;

/**
 * Keeps the stack's config. It must do so before it first waits for anything: the host hands out the provider before
 * `configure` has ended, and does not try again what it threw.
 */
export function configure(request: ConfigureRequest): void {
  config = request.config;
}

function keep(name: string, text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), "integration-platform-")), `${name}.txt`);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

/** The platform of this process, which is one operation of the engine. Throws where the settings are wanting. */
export function connect(): Platform {
  if (platform !== undefined) return platform;
  const setting = (key: string) => config.get(`integration-platform:${key}`);
  const client = createClient(connectionSettings(setting));
  const warn = (message: string) => console.error(`integration-platform: warning: ${message}`);
  const areLimitsLifted = process.env.INTEGRATION_PLATFORM_ALLOW_LIMITS === "1";
  platform = createPlatform({ client, warn, keep, areLimitsLifted, connectorWords: connectorWords(setting) });
  leaveWithEngine();
  flushCompileCache(); // the engine ends this process without letting it come to its end
  return platform;
}
