import { mkdtempSync, writeFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, createKnownSecrets } from "../api/index.ts";
import { connectionSettings } from "../connection.ts";
import { createPlatform, type Platform } from "../resources/platform.ts";
import { leaveWithEngine } from "./leave-with-engine.ts";

/** What the host hands to `configure`: the config of the whole stack. */
export interface ConfigureRequest {
  config: { get(key: string): string | undefined };
}

let config: ConfigureRequest["config"] = { get: () => undefined };
let platform: Platform | undefined;

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

/** The platform of this process, which is one operation of the engine. Throws where the settings are wanting. */
export function connect(): Platform {
  if (platform !== undefined) return platform;
  const client = createClient({ ...connectionSettings((key) => config.get(`integration-platform:${key}`)), secrets });
  const warn = (message: string) => console.error(`integration-platform: warning: ${secrets.redact(message)}`);
  const areLimitsLifted = process.env.INTEGRATION_PLATFORM_ALLOW_LIMITS === "1";
  platform = createPlatform({ client, warn, keep, areLimitsLifted });
  leaveWithEngine();
  flushCompileCache(); // the engine ends this process without letting it come to its end
  return platform;
}
