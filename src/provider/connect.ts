import { createClient } from "../api/index.ts";
import { connectionSettings } from "../connection.ts";
import { createPlatform, type Platform } from "../resources/platform.ts";

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

/** The platform of this process, which is one operation of the engine. Throws where the settings are wanting. */
export function connect(): Platform {
  if (platform !== undefined) return platform;
  const client = createClient(connectionSettings((key) => config.get(`integration-platform:${key}`)));
  const warn = (message: string) => console.error(`integration-platform: warning: ${message}`);
  platform = createPlatform({ client, warn });
  return platform;
}
