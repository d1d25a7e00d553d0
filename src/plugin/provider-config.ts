import { normalizeBaseUrl, parseBaseUrl } from "../api/base-url.ts";
import { ConfigurationError } from "../api/errors.ts";
import {
  baseUrlSource,
  connectionSettings,
  resolverModules,
  type SettingsPlace,
  stackConfig,
} from "../connection/connection-settings.ts";
import { requiredFacts } from "../connection/platform-facts.ts";
import { didYouMean } from "../inputs/did-you-mean.ts";
import type { Failure } from "../inputs/input-schema.ts";
import { hasUnknown } from "../json/unknown.ts";
import { movedFromKey } from "../provider/platform-address.ts";
import { projectFolder } from "../secrets/open-resolvers.ts";

/** The inputs of a provider resource that this plugin knows. */
const ownKeys = [
  ...["baseUrl", "apiKey", "allowInsecureHttp"],
  ...["connectedStatuses", "notConnectedStatuses", "succeededStatuses", "failedStatuses"],
  ...["schemaViolations", "resolvers", "platform"],
];

/** What the engine itself keeps in a provider's inputs. */
const engineKeys = ["version", "pluginDownloadURL"];

type Inputs = Readonly<Record<string, unknown>>;

/** The settings of a provider resource, and how they and the environment go together. */
export interface ProviderConfig {
  /** The value of a setting as in a stack's config: a string, which for a list is JSON. */
  setting: (key: string) => string | undefined;
  environment: NodeJS.ProcessEnv;
  place: SettingsPlace;
}

/**
 * The config of a provider resource. For a default provider, whose inputs are the stack's config, the environment wins, as
 * it does for dynamic providers. For a provider that the program makes itself, its inputs win, so that two providers can
 * work on two platforms.
 *
 * @param name of the provider resource.
 */
export function providerConfig(
  name: string,
  inputs: Inputs,
  environment: NodeJS.ProcessEnv = process.env,
): ProviderConfig {
  const setting = (key: string) => textOf(inputs[key]);
  if (isDefault(name)) return { setting, environment, place: stackConfig };
  const own = {
    ...(setting("baseUrl") && { INTEGRATION_PLATFORM_BASE_URL: undefined }),
    ...(setting("apiKey") && { INTEGRATION_PLATFORM_API_KEY: undefined }),
  };
  const ofProvider = (key: string) => `give the provider "${name}" its ${key}`;
  const place = {
    baseUrl: `baseUrl of the provider "${name}"`,
    toDeclare: { baseUrl: ofProvider("baseUrl"), apiKey: ofProvider("apiKey") },
  };
  return { setting, environment: { ...environment, ...own }, place };
}

/** What the check of a provider resource has found. */
interface CheckedProviderConfig {
  inputs: Inputs;
  failures: Failure[];
  /** Set if the environment overrides the address in the inputs, of which later calls no longer know. */
  warning?: string | undefined;
}

/**
 * Checks the inputs of a provider resource and returns those that it keeps: its own ones, as a default provider gets all of
 * the stack's config in its namespace, with the base URL that it will use, also where this comes from the environment.
 *
 * @param olds the inputs of the last `up`, if any. An address that has changed since is a failure: see {@link addressProblem}.
 */
export function checkProviderConfig(
  { name, olds, news }: { name: string; olds: Inputs; news: Inputs },
  environment: NodeJS.ProcessEnv = process.env,
): CheckedProviderConfig {
  const kept = Object.fromEntries(
    [...ownKeys, ...engineKeys].flatMap((key) => (news[key] === undefined ? [] : [[key, news[key]]])),
  );
  const foreign = Object.keys(news).filter((key) => !Object.hasOwn(kept, key));
  if (!isDefault(name) && foreign.length > 0) {
    // for a property the engine would print its value
    const failures = foreign.map((key) => ({
      property: "",
      reason: `${key}: is not an input of a provider${didYouMean(key, ownKeys)}`,
    }));
    return { inputs: kept, failures };
  }
  if (hasUnknown(kept)) return { inputs: kept, failures: [] };
  try {
    const config = providerConfig(name, kept, environment);
    const { baseUrl, allowInsecureHttp = [] } = connectionSettings(config.setting, config.environment, config.place);
    parseBaseUrl(baseUrl, allowInsecureHttp);
    requiredFacts(config.setting, { environment: config.environment, directory: projectFolder(), baseUrl });
    resolverModules(config.setting);
    const problem = addressProblem(config, olds.baseUrl);
    if (problem !== undefined) throw new ConfigurationError(problem);
    const { warning } = baseUrlSource(config.setting, config.environment, config.place);
    return { inputs: { ...kept, baseUrl }, failures: [], warning };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { inputs: kept, failures: [{ property: "", reason: error.message }] };
  }
}

/**
 * Why a provider must not be used: its resources were made on a platform with another address. `undefined` if there is no
 * reason, as the address is the same, is not known, or is the one that the user says the platform had before.
 *
 * @param stored the base URL in the state of the provider resource, if it is known.
 */
export function addressProblem({ setting, environment, place }: ProviderConfig, stored: unknown): string | undefined {
  const used = environment.INTEGRATION_PLATFORM_BASE_URL || setting("baseUrl");
  if (!used || typeof stored !== "string" || stored === "") return undefined;
  const [now, before, movedFrom] = [used, stored, environment[movedFromKey] ?? ""].map(normalizeBaseUrl);
  if (now === before || before === movedFrom) return undefined;
  const { source } = baseUrlSource(setting, environment, place);
  return (
    `this provider's resources were made on another platform (${before}) than ${now} (from ${source}). Nothing was changed. ` +
    `Correct the address, then run the command again. If the same platform now has this address, run up once with ` +
    `${movedFromKey}=${before}`
  );
}

/**
 * Whether the engine made the provider: it is called `default`, or after its version, its download address or both, such as
 * `default_0_1_0_https_/example.com/plugins`. A provider of a program may be called `default_eu`, and must not get the
 * environment's platform.
 */
function isDefault(name: string): boolean {
  return /^default(_\d+_\d+_\d+(_.+)?|_[A-Za-z][\w.-]*_\/.+)?$/.test(name);
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null || typeof value === "string") return value ?? undefined;
  return JSON.stringify(value);
}
