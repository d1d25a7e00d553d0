import { normalizeBaseUrl, parseBaseUrl } from "../api/base-url.ts";
import { ConfigurationError } from "../api/errors.ts"; // the plugin reads settings before it loads the client
import type { ClientOptions } from "../api/index.ts";
import { parseJson } from "../json/parse-json.ts";
import type { RunWords } from "../operation/run-outcome.ts";
import type { ConnectorWords } from "../operation/tenant-connection.ts";
import { resolversSchema } from "../secrets/resolvers-schema.ts";
import { type SchemaViolations, schemaViolationsSchema } from "../settings/schema-violations.ts";

/** How to reach the platform: from the environment, else from the stack's config. */
export type ConnectionSettings = Pick<ClientOptions, "baseUrl" | "apiKey" | "allowInsecureHttp">;

/** The user's own resolvers of secrets. */
export interface ResolverModules {
  /**
   * Modules that resolve references to secrets, by scheme: `{ op: "./resolvers/op.mjs" }`. Paths are relative to the folder of
   * Pulumi.yaml. Default: only the built-in schemes `env`, `file`, `aws-secretsmanager` and `vault`.
   */
  resolvers: Readonly<Record<string, string>>;
}

/** What else a user says about the platform. */
export interface PlatformSettings {
  /**
   * What a value is that violates a schema of a release, unless its tenant or fleet says otherwise: `error`, `warn` or `off`.
   * Default: `error`.
   */
  schemaViolations: string;
  /**
   * The profile of the platform: a JSON file that `integration-platform calibrate` has made, relative to the folder of Pulumi.yaml.
   * Default: nothing is known about the platform.
   */
  platform: string;
}

/** Where settings are declared that do not come from the environment, for messages. */
export interface SettingsPlace {
  /** The base URL, such as `integration-platform:baseUrl of the stack's config`. */
  baseUrl: string;
  /** What sets the base URL for one command. Default: `INTEGRATION_PLATFORM_BASE_URL`. */
  variable?: string;
  /** How to declare settings, such as `` run `pulumi config set integration-platform:baseUrl <URL>` ``. */
  toDeclare: { baseUrl: string; apiKey: string };
}

/** The config of a stack. */
export const stackConfig: SettingsPlace = {
  baseUrl: "integration-platform:baseUrl of the stack's config",
  toDeclare: {
    baseUrl: "run `pulumi config set integration-platform:baseUrl <URL>`",
    apiKey: "run `pulumi config set --secret integration-platform:apiKey`",
  },
};

/**
 * Reads `INTEGRATION_PLATFORM_API_KEY` and `INTEGRATION_PLATFORM_BASE_URL`, else the config's `apiKey` and `baseUrl`. The
 * environment wins because `refresh` and `destroy` get the config of the last `up`, where a rotated key is outdated.
 * `allowInsecureHttp` is read from the config only.
 *
 * @param config returns the value of a key of the config namespace `integration-platform`.
 * @throws ConfigurationError that says which setting is missing and how to set it, or what is wrong with the variable.
 */
export function connectionSettings(
  config: (key: string) => string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
  { toDeclare, variable = "INTEGRATION_PLATFORM_BASE_URL" }: SettingsPlace = stackConfig,
): ConnectionSettings {
  const apiKey = environment.INTEGRATION_PLATFORM_API_KEY || config("apiKey");
  const baseUrl = environment.INTEGRATION_PLATFORM_BASE_URL || config("baseUrl");
  if (!baseUrl) {
    throw new ConfigurationError(
      `no base URL of the integration platform: set INTEGRATION_PLATFORM_BASE_URL, or ${toDeclare.baseUrl}`,
    );
  }
  if (!apiKey) {
    throw new ConfigurationError(
      `no API key of the integration platform: set INTEGRATION_PLATFORM_API_KEY, or ${toDeclare.apiKey}. ` +
        "An administrator creates one in the management console under Settings, API Access",
    );
  }
  const allowInsecureHttp = list(config("allowInsecureHttp"), "allowInsecureHttp must be a list of host names");
  // otherwise a message would only name baseUrl, and one would look for the mistake in the config
  if (environment.INTEGRATION_PLATFORM_BASE_URL) parseBaseUrl(baseUrl, allowInsecureHttp, variable);
  return { baseUrl, apiKey, allowInsecureHttp };
}

/** Where the base URL comes from, for messages, and a warning where the environment overrides a different one in the config. */
export function baseUrlSource(
  config: (key: string) => string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
  place = stackConfig,
): { source: string; warning?: string } {
  const fromConfig = config("baseUrl");
  const fromEnvironment = environment.INTEGRATION_PLATFORM_BASE_URL;
  if (!fromEnvironment) return { source: place.baseUrl };
  const source = "INTEGRATION_PLATFORM_BASE_URL";
  const [used, overridden] = [fromEnvironment, fromConfig ?? ""].map(normalizeBaseUrl);
  if (!fromConfig || used === overridden) return { source };
  return {
    source,
    warning: `${source} (${used}) wins over ${place.baseUrl} (${overridden})`,
  };
}

/**
 * Reads the config's `connectedStatuses` and `notConnectedStatuses`: what a connector's `status` may be, as the specification
 * does not list its values.
 *
 * @param config as for {@link connectionSettings}.
 * @throws ConfigurationError where a value is not a list of strings.
 */
export function connectorWords(config: (key: string) => string | undefined): ConnectorWords {
  const words = (key: keyof ConnectorWords) => list(config(key), `${key} must be a list of status words`);
  return { connectedStatuses: words("connectedStatuses"), notConnectedStatuses: words("notConnectedStatuses") };
}

/**
 * Reads the config's `succeededStatuses` and `failedStatuses`: what the status of a run may be, as the specification does not
 * list its values.
 *
 * @param config as for {@link connectionSettings}.
 * @throws ConfigurationError where a value is not a list of strings.
 */
export function runWords(config: (key: string) => string | undefined): RunWords {
  const words = (key: keyof RunWords) => list(config(key), `${key} must be a list of status words`);
  return { succeededStatuses: words("succeededStatuses"), failedStatuses: words("failedStatuses") };
}

/**
 * Reads the config's `schemaViolations`: what a value is that violates a schema of a release.
 *
 * @param config as for {@link connectionSettings}.
 * @returns nothing where it is not set.
 * @throws ConfigurationError where it is no such word.
 */
export function schemaViolations(config: (key: string) => string | undefined): { schemaViolations?: SchemaViolations } {
  const word = config("schemaViolations");
  if (!word) return {};
  const { data, error } = schemaViolationsSchema.safeParse(word);
  if (error !== undefined) {
    throw new ConfigurationError(`integration-platform:schemaViolations ${error.issues[0]?.message}`);
  }
  return { schemaViolations: data };
}

/**
 * Reads the config's `resolvers`.
 *
 * @param config as for {@link connectionSettings}.
 * @throws ConfigurationError where it is not an object of paths by scheme.
 */
export function resolverModules(config: (key: string) => string | undefined): ResolverModules {
  const text = config("resolvers");
  if (!text) return { resolvers: {} };
  const { data: resolvers, error } = resolversSchema.safeParse(parsed(text));
  if (error === undefined) return { resolvers };
  const [issue] = error.issues;
  throw new ConfigurationError(
    `integration-platform:${["resolvers", ...(issue?.path ?? [])].join(".")} ${issue?.message}`,
  );
}

/**
 * Reads `INTEGRATION_PLATFORM_CONSISTENCY_SECONDS`: how long an operation waits until lists show what was written, in seconds;
 * 600 at most. For a platform whose lists lag for longer than ten seconds.
 *
 * @returns nothing where it is not set: the default of an operation then counts.
 * @throws ConfigurationError where it is not such a number.
 */
export function consistencyTimeout(environment: NodeJS.ProcessEnv = process.env): {
  consistencyTimeoutSeconds?: number;
} {
  const text = environment.INTEGRATION_PLATFORM_CONSISTENCY_SECONDS;
  if (!text) return {};
  const seconds = Number(text);
  if (seconds > 0 && seconds <= 600) return { consistencyTimeoutSeconds: seconds };
  throw new ConfigurationError(
    `INTEGRATION_PLATFORM_CONSISTENCY_SECONDS must be a number of seconds, 600 at most; it is ${JSON.stringify(text)}`,
  );
}

function list(text: string | undefined, rule: string): string[] {
  if (!text) return [];
  const value = text.startsWith("[") ? parsed(text) : [text];
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
  throw new ConfigurationError(`integration-platform:${rule}`);
}

function parsed(text: string): unknown {
  const result = parseJson(text);
  return result.isJson ? result.value : undefined;
}
