import { parseBaseUrl } from "../../api/base-url.ts";
import { type ApiError, AuthenticationError, ConfigurationError } from "../../api/index.ts";
import type { ConfigNode } from "../config/config-node.ts";
import type { Problem } from "../config/problems.ts";

/** What is wrong with the platform's address in the stack's config. The environment overrides it. */
export function addressProblems(config: ConfigNode, environment: NodeJS.ProcessEnv = process.env): Problem[] {
  const baseUrl = config.part("baseUrl");
  if (typeof baseUrl?.value !== "string" || environment.INTEGRATION_PLATFORM_BASE_URL) return [];
  const hosts = [config.part("allowInsecureHttp")?.value].flat().filter((host) => typeof host === "string");
  try {
    parseBaseUrl(baseUrl.value, hosts);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return [{ ...baseUrl.place, reason: error.message.replace("baseUrl: ", "") }];
  }
}

/** The message of an error of the client, with the place where the address or the key is set. */
export function withSource(
  error: ApiError | ConfigurationError,
  config: ConfigNode,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  if (error instanceof ConfigurationError) return error.message;
  const [name, what, variable] =
    error instanceof AuthenticationError
      ? ["apiKey", "key", "INTEGRATION_PLATFORM_API_KEY"]
      : ["baseUrl", "address", "INTEGRATION_PLATFORM_BASE_URL"];
  const where = config.part(name)?.place.where;
  return `${error.message} The ${what} is from ${environment[variable] || !where ? variable : where}.`;
}
