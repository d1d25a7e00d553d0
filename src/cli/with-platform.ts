import { ApiError, ConfigurationError, createClient } from "../api/index.ts";
import {
  baseUrlSource,
  connectionSettings,
  type SettingsPlace,
  stackConfig,
} from "../connection/connection-settings.ts";
import { requiredFacts } from "../connection/platform-facts.ts";
import { oneLine, withoutControlCharacters } from "../json/one-line.ts";
import { createOperationContext, type OperationContext, onlyNew } from "../operation/operation-context.ts";
import { projectFolder } from "../secrets/open-resolvers.ts";
import { UnknownNameError } from "../snapshot/index.ts";
import { printToStandardError, type Shell } from "./shell.ts";
import type { ConnectionChoice } from "./stack-choice.ts";
import { stackSetting } from "./stack-setting.ts";
import { CommandError } from "./subcommand.ts";

/** What a command works with. */
export interface CommandContext extends OperationContext {
  readonly shell: Shell;
}

/**
 * Does work on the platform, and closes the connection afterwards. The environment says how to reach the platform; what it
 * does not say is in the config of the stack, if the command line names one. Warnings go to standard error, each once.
 *
 * @param work gets what it works with, and a function that returns another one, which has read nothing yet.
 * @throws CommandError if the connection is not configured, a request fails, or a name is unknown on the platform.
 */
export async function withPlatform<Result>(
  shell: Shell,
  work: (platform: CommandContext, another: () => CommandContext) => Promise<Result>,
  choice: ConnectionChoice = {},
): Promise<Result> {
  const isStackNamed = choice.stack !== undefined || choice.cwd !== undefined;
  const ofStackConfig = isStackNamed ? await stackSetting(shell, choice) : () => undefined;
  const ofWords = choice.wordsFrom === undefined ? ofStackConfig : await readableSetting(shell, choice.wordsFrom);
  const warn = (message: string) => printWarning(shell, message);
  try {
    const client = createClient(connectionSettings(ofStackConfig, shell.env, isStackNamed ? ofStack : ofNoStack));
    const { warning } = baseUrlSource(ofStackConfig, shell.env);
    if (warning !== undefined) warn(warning);
    const directory = projectFolder(choice.cwd ?? shell.directory);
    const { isProfileIgnored = false } = choice;
    const environment = isProfileIgnored ? { ...shell.env, INTEGRATION_PLATFORM_PROFILE: undefined } : shell.env;
    const setting = (key: string) => (isProfileIgnored && key === "platform" ? undefined : ofWords(key));
    const facts = requiredFacts(setting, { environment, directory, baseUrl: client.baseUrl });
    const warnOnce = onlyNew(warn);
    const another = () => ({ ...createOperationContext({ client, warn: warnOnce, ...facts }), shell });
    try {
      return await work(another(), another);
    } finally {
      await client.close();
    }
  } catch (error) {
    throw explained(error, (message) => message);
  }
}

/** The config of the selected stack, or nothing and a warning if Pulumi cannot read it: an incident must not need Pulumi. */
async function readableSetting(shell: Shell, cwd: string): Promise<(key: string) => string | undefined> {
  try {
    return await stackSetting(shell, { cwd }, false, 10);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const reason = withoutControlCharacters(error.message);
    printWarning(
      shell,
      "Pulumi could not read the selected stack, so statuses in --where use the standard words. " +
        `Check the list with --dry-run. Reason: ${reason}`,
    );
    return () => undefined;
  }
}

/** The error of a command, if the message of what was thrown explains it to the user; anything else as it was thrown. */
export function explained(thrown: unknown, describe: (message: string) => string): unknown {
  const isExplained = [ApiError, ConfigurationError, UnknownNameError].some((kind) => thrown instanceof kind);
  if (!isExplained || !(thrown instanceof Error)) return thrown;
  return new CommandError(describe(thrown.message), { cause: thrown });
}

/** Where to declare settings for a command that reads no stack. */
const addStack = "add --stack NAME to read it from the config of a stack";
const ofStack: SettingsPlace = { ...stackConfig, variable: "--base-url or INTEGRATION_PLATFORM_BASE_URL" };
const ofNoStack: SettingsPlace = { ...ofStack, toDeclare: { baseUrl: addStack, apiKey: addStack } };

/** Prints a warning to standard error. */
export function printWarning(shell: Shell, message: string): void {
  printToStandardError(shell, `warning: ${oneLine(message)}`);
}
