import * as pulumi from "@pulumi/pulumi";
import { createClient } from "../api/index.ts";
import { connectionSettings, connectorWords } from "../connection.ts";
import { createPlatform, type Platform } from "../resources/platform.ts";

let platform: Platform | undefined;

/**
 * The platform as this program sees it: one client and one snapshot, shared by all lookups. The settings are those of
 * the resources: the environment, else the config namespace `integration-platform`.
 *
 * @throws ConfigurationError that says what is missing.
 */
export function programPlatform(): Platform {
  if (platform !== undefined) return platform;
  const setting = (key: string) => pulumi.runtime.getConfig(`integration-platform:${key}`);
  platform = createPlatform({
    client: createClient(connectionSettings(setting)),
    connectorWords: connectorWords(setting),
    warn: (message) => {
      pulumi.log.warn(message);
    },
  });
  return platform;
}
