import * as pulumi from "@pulumi/pulumi";
import { createClient } from "../../api/index.ts";
import { connectionSettings, connectorWords, runWords } from "../../connection/connection-settings.ts";
import { createOperationContext } from "../../operation/operation-context.ts";
import { perRun } from "./program-run.ts";

/**
 * The operation context of a run of the program, with one client and one snapshot for all lookups. Like the resources, it
 * reads its settings from the environment, then from the config namespace `integration-platform`.
 *
 * @throws ConfigurationError if a setting is missing or invalid.
 */
export const programContext = perRun(() => {
  const setting = (key: string) => pulumi.runtime.getConfig(`integration-platform:${key}`);
  return createOperationContext({
    client: createClient(connectionSettings(setting)),
    connectorWords: connectorWords(setting),
    runWords: runWords(setting),
    warn: (message) => {
      pulumi.log.warn(message);
    },
  });
});
