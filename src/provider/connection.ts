import { mkdtempSync, writeFileSync } from "node:fs";
import module from "node:module"; // older versions of Node.js have no flushCompileCache, and could not link a named import
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigurationError, createClient, type SecretRegistry } from "../api/index.ts";
import { checkpointsOf } from "../connection/checkpoints.ts";
import {
  baseUrlSource,
  connectionSettings,
  resolverModules,
  type SettingsPlace,
} from "../connection/connection-settings.ts";
import { platformFacts } from "../connection/platform-facts.ts";
import { type ClaimsOptions, openClaims } from "../operation/open-claims.ts";
import { createOperationContext, type OperationContext } from "../operation/operation-context.ts";
import { openResolvers, projectFolder } from "../secrets/open-resolvers.ts";
import { createSecretValues } from "../secrets/secret-values.ts";
import { shownText } from "./messages.ts";
import { type PlatformAddress, platformAddress } from "./platform-address.ts";
import { lineRecorder, notComparedFileKey, refusalsFileKey, timeFileKey } from "./recorded.ts";

/** The platform and the operation of a process. */
export interface Connection {
  context: OperationContext;
  address: PlatformAddress;
  log: Pick<EngineLog, "sent">;
  /** Why the profile of the platform that is named cannot be used; absent if it can, or none is named. */
  profileProblem?: string | undefined;
}

/** The engine's log. Its messages reach the user's terminal; the engine writes `warning:` before the warnings. */
export interface EngineLog {
  /** Sends a message. If the engine cannot be reached, the message goes to standard error. */
  send(severity: "info" | "warning", message: string): void;
  /** Resolves once all messages have been sent. Until then the engine must wait for a response, or it may end before. */
  sent(): Promise<void>;
}

interface ConnectionOptions extends Pick<ClaimsOptions, "provider" | "engineAddress"> {
  /** Returns the value of a key of the config namespace `integration-platform`. */
  setting: (key: string) => string | undefined;
  log: EngineLog;
  /** Secrets that no message may show. */
  secrets: SecretRegistry;
  /** Default: that of the process. */
  environment?: NodeJS.ProcessEnv;
  /** Aborted when the user cancels the operation. Default: a signal that is never aborted. */
  signal?: AbortSignal;
  /** Where settings are declared, for messages. Default: the stack's config. */
  place?: SettingsPlace;
}

/**
 * Opens the connection of a process, which serves one operation of the engine.
 *
 * @throws ConfigurationError if settings are missing or invalid.
 */
export function openConnection({
  setting,
  log,
  secrets,
  environment = process.env,
  place,
  signal = new AbortController().signal,
  ...operation
}: ConnectionOptions): Connection {
  const settings = connectionSettings(setting, environment, place);
  const { resolvers: modules } = resolverModules(setting);
  const client = createClient({ ...settings, secrets, signal });
  const { source, warning } = baseUrlSource(setting, environment, place);
  const address = platformAddress({ baseUrl: client.baseUrl, source }, environment);
  const recordRefusal = lineRecorder(environment[refusalsFileKey]);
  const recordNotCompared = lineRecorder(environment[notComparedFileKey]);
  const { allowInsecureHttp = [] } = settings;
  const directory = projectFolder();
  const resolvers = openResolvers({ environment, directory, modules, allowInsecureHttp });
  const warn = (message: string) => log.send("warning", shownText(message, secrets));
  // may throw, so before anything is opened
  const { facts, problem } = platformFacts(setting, { environment, directory, baseUrl: client.baseUrl });
  const context = createOperationContext({
    client,
    signal,
    note: (message) => log.send("info", shownText(message, secrets)),
    warn,
    claims: openClaims({ ...operation, platform: address.digest, warn }),
    recordRefusal: ({ tenantId, reason }) => recordRefusal({ tenantId, reason: secrets.redact(reason) }),
    recordNotCompared: (values) => {
      if (values.paths.length > 0) recordNotCompared(values);
    },
    recordTime: lineRecorder(environment[timeFileKey]),
    secretValues: createSecretValues({ resolvers, signal, register: secrets.add }),
    writeReport: (name, text) => writeReport(name, secrets.redact(text)),
    checkpoints: checkpointsOf(environment),
    areLimitsLifted: environment.INTEGRATION_PLATFORM_ALLOW_LIMITS === "1",
    areAllSecretsDeclared: environment.INTEGRATION_PLATFORM_ALL_SECRETS_DECLARED === "1",
    areUnlistedGone: environment.INTEGRATION_PLATFORM_FORGET_UNLISTED === "1",
    ...facts,
  });
  if (warning !== undefined) context.warn(warning);
  module.flushCompileCache(); // the engine kills this process, so Node would not write the cache at its exit
  return { context, address, log, profileProblem: problem };
}

/** Refuses work that comes before a change if the profile of the platform cannot be used. */
export function requireProfile({ profileProblem }: Pick<Connection, "profileProblem">): void {
  if (profileProblem !== undefined) throw new ConfigurationError(profileProblem);
}

/** Warns if the profile of the platform cannot be used: `refresh` and `destroy` run with the config of the last `up`. */
export function warnOfProfile({ context, profileProblem }: Pick<Connection, "context" | "profileProblem">): void {
  if (profileProblem !== undefined)
    context.warn(`${profileProblem}. Until then, nothing is taken as known about the platform`);
}

function writeReport(name: string, text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), "integration-platform-")), `${name}.txt`);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}
