import { ConfigurationError } from "../api/errors.ts";
import type { RunWords } from "../operation/run-outcome.ts";
import type { ConnectorWords } from "../operation/tenant-connection.ts";
import { openProfile } from "../platform-profile/open-profile.ts";
import type { PlatformAnswers } from "../platform-profile/questions.ts";
import type { SchemaViolations } from "../settings/schema-violations.ts";
import { connectorWords, consistencyTimeout, runWords, schemaViolations } from "./connection-settings.ts";

/** What is known about a platform before an operation asks it anything, as options of the operation. */
export interface PlatformFacts {
  connectorWords: ConnectorWords;
  runWords: RunWords;
  schemaViolations?: SchemaViolations;
  consistencyTimeoutSeconds?: number;
  platform: PlatformAnswers;
}

/** Where the facts are read. */
export interface FactsPlace {
  environment: NodeJS.ProcessEnv;
  /** The folder of Pulumi.yaml, which the path of a profile is relative to. */
  directory: string;
  /** The address of the platform that is used. */
  baseUrl: string;
}

/**
 * Reads what the stack's config, the environment and the profile say about the platform. The profile is the file that
 * `INTEGRATION_PLATFORM_PROFILE` names, else the config's `platform`. Words in the config take precedence over the profile's.
 *
 * @param config returns the value of a key of the config namespace `integration-platform`.
 * @returns also why the profile that is named cannot be used. Then the facts have no answers of it.
 * @throws ConfigurationError if a setting is invalid.
 */
export function platformFacts(
  config: (key: string) => string | undefined,
  { environment, directory, baseUrl }: FactsPlace,
): { facts: PlatformFacts; problem: string | undefined } {
  const path = environment.INTEGRATION_PLATFORM_PROFILE || config("platform");
  const { answers, problem } = openProfile(path, directory, baseUrl);
  const { "connectors.words": connectors = {}, "runs.words": runs = {} } = answers;
  const [ofConnectors, ofRuns] = [connectorWords(config), runWords(config)];
  const isTaken = [...Object.values(ofConnectors).flat(), ...Object.values(ofRuns).flat()];
  const more = (words: readonly string[] = []) => words.filter((word) => !isTaken.includes(word));
  const facts: PlatformFacts = {
    connectorWords: {
      connectedStatuses: [...ofConnectors.connectedStatuses, ...more(connectors.connected)],
      notConnectedStatuses: [...ofConnectors.notConnectedStatuses, ...more(connectors.notConnected)],
    },
    runWords: {
      succeededStatuses: [...ofRuns.succeededStatuses, ...more(runs.succeeded)],
      failedStatuses: [...ofRuns.failedStatuses, ...more(runs.failed)],
    },
    ...(answers["schemas.enforced"] === "no" && { schemaViolations: "warn" as const }),
    ...schemaViolations(config),
    ...consistencyTimeout(environment),
    platform: answers,
  };
  return { facts, problem };
}

/**
 * The facts for work that should not begin with a profile that cannot be used.
 *
 * @throws ConfigurationError also if the profile cannot be used.
 */
export function requiredFacts(config: (key: string) => string | undefined, place: FactsPlace): PlatformFacts {
  const { facts, problem } = platformFacts(config, place);
  if (problem !== undefined) throw new ConfigurationError(problem);
  return facts;
}
