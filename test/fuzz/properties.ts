import { clientAnswers } from "./client-answers.ts";
import { configSchemas } from "./config-schemas.ts";
import { eventCommands } from "./event-commands.ts";
import { pluginMessages } from "./plugin-messages.ts";
import type { FuzzProperty } from "./property.ts";
import { rolloutYaml } from "./rollout-yaml.ts";
import { secretReferences } from "./secret-references.ts";
import { stackYaml, tenantFiles } from "./stack-yaml.ts";
import { webhooks } from "./webhooks.ts";

/** All that is fuzzed: what comes from outside and is read by us. */
export const properties: readonly FuzzProperty[] = [
  clientAnswers,
  stackYaml,
  tenantFiles,
  rolloutYaml,
  webhooks,
  configSchemas,
  secretReferences,
  pluginMessages,
  eventCommands,
];

/** The seed of the short form. */
export const usualSeed = 20_261_121;
