import { type ClientOptions, ConfigurationError, normalizedAddress } from "./api/index.ts";
import type { ConnectorWords } from "./resources/tenant/connection.ts";

/** Where the platform is and how to speak to it, from the environment, else from the stack's config. */
export type ConnectionSettings = Pick<ClientOptions, "baseUrl" | "apiKey" | "allowInsecureHttp">;

/**
 * Reads `INTEGRATION_PLATFORM_API_KEY` and `INTEGRATION_PLATFORM_BASE_URL`, which win over the config's `apiKey` and
 * `baseUrl`: a key that was rotated must win over the one in the state of the last `up`. `allowInsecureHttp` lists the
 * hosts beyond loopback that may be spoken to without TLS.
 *
 * @param config the value of a key of the config namespace `integration-platform`.
 * @throws ConfigurationError that says what is missing and how to give it.
 */
export function connectionSettings(
  config: (key: string) => string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): ConnectionSettings {
  const apiKey = environment.INTEGRATION_PLATFORM_API_KEY || config("apiKey");
  const baseUrl = environment.INTEGRATION_PLATFORM_BASE_URL || config("baseUrl");
  if (!baseUrl) {
    throw new ConfigurationError(
      "no base URL of the integration platform: set INTEGRATION_PLATFORM_BASE_URL, " +
        "or run `pulumi config set integration-platform:baseUrl <URL>`",
    );
  }
  if (!apiKey) {
    throw new ConfigurationError(
      "no API key of the integration platform: set INTEGRATION_PLATFORM_API_KEY, " +
        "or run `pulumi config set --secret integration-platform:apiKey`. " +
        "An administrator makes one in the management console, Settings, API Access",
    );
  }
  return {
    baseUrl,
    apiKey,
    allowInsecureHttp: list(config("allowInsecureHttp"), "allowInsecureHttp must be a list of host names"),
  };
}

/** Where the base URL comes from, in words, and a warning where the environment's hides another one of the config. */
export function baseUrlSource(
  config: (key: string) => string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): { source: string; warning?: string } {
  const declared = config("baseUrl");
  const given = environment.INTEGRATION_PLATFORM_BASE_URL;
  if (!given) return { source: "integration-platform:baseUrl of the stack's config" };
  const source = "INTEGRATION_PLATFORM_BASE_URL";
  const [used, hidden] = [given, declared ?? ""].map(normalizedAddress);
  if (!declared || used === hidden) return { source };
  return {
    source,
    warning: `${source} (${used}) wins over integration-platform:baseUrl of the stack's config (${hidden})`,
  };
}

/**
 * Reads `connectedStatuses` and `notConnectedStatuses`, lists of words for the status of a connector, from the stack's
 * config.
 *
 * @param config as for {@link connectionSettings}.
 * @throws ConfigurationError where one is no list of words.
 */
export function connectorWords(config: (key: string) => string | undefined): ConnectorWords {
  const words = (key: keyof ConnectorWords) => list(config(key), `${key} must be a list of status words`);
  return { connectedStatuses: words("connectedStatuses"), notConnectedStatuses: words("notConnectedStatuses") };
}

function list(text: string | undefined, rule: string): string[] {
  if (!text) return [];
  const value: unknown = text.startsWith("[") ? JSON.parse(text) : [text];
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
  throw new ConfigurationError(`integration-platform:${rule}`);
}
