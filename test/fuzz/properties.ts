import { clientAnswers } from "./client-answers.ts";
import { configSchemas } from "./config-schemas.ts";
import type { FuzzProperty } from "./property.ts";
import { stackYaml, tenantFiles } from "./stack-yaml.ts";
import { webhooks } from "./webhooks.ts";

/** All that is fuzzed: what comes from outside and is read by us. */
export const properties: readonly FuzzProperty[] = [clientAnswers, stackYaml, tenantFiles, webhooks, configSchemas];

/** The seed of the short form. */
export const usualSeed = 20_261_121;
