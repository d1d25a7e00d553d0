import * as pulumi from "@pulumi/pulumi";
import { createClient } from "../api/index.ts";
import { connectionSettings, connectorWords } from "../connection.ts";
import { perRun } from "../program-run.ts";
import { createPlatform } from "../resources/platform.ts";

/**
 * The platform as this run of the program sees it: one client and one snapshot, shared by all lookups. The settings are
 * those of the resources: the environment, else the config namespace `integration-platform`.
 *
 * @throws ConfigurationError that says what is missing.
 */
export const programPlatform = perRun(() => {
  const setting = (key: string) => pulumi.runtime.getConfig(`integration-platform:${key}`);
  return createPlatform({
    client: createClient(connectionSettings(setting)),
    connectorWords: connectorWords(setting),
    warn: (message) => {
      pulumi.log.warn(message);
    },
  });
});
