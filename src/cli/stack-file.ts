import { existsSync, readdirSync, realpathSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { type Client, ConfigurationError, createClient } from "../api/index.ts";
import { baseUrlSource, connectionSettings } from "../connection/connection-settings.ts";
import { shortList } from "../json/short-list.ts";
import { isUnknown } from "../json/unknown.ts";
import { type CheckedConfig, checkConfig } from "../stack/checks/check-config.ts";
import type { StackConfig } from "../stack/config/config-values.ts";
import { readFileConfig } from "../stack/config/file-config.ts";
import { nameInProject, type Project, projectOf, stackFilePath } from "../stack/yaml/project.ts";
import { readYamlFile } from "../stack/yaml/yaml-file.ts";
import { type Place, pathIn, type Shell } from "./shell.ts";
import type { StackChoice } from "./stack-choice.ts";
import { CommandError } from "./subcommand.ts";

/** The project of the folder that a command line names, as the engine finds it. */
export function projectOfChoice(place: Place, choice: StackChoice = {}): Project {
  const { PWD = "" } = place.env;
  const cwd = pathIn(place, choice.cwd ?? "");
  if (!existsSync(cwd)) return projectOf(cwd);
  // A shell that has entered the folder by a symbolic link says so, and the folders above it are those of the link.
  const isOfShell = existsSync(PWD) && realpathSync(PWD) === realpathSync(cwd);
  return projectOf(isOfShell ? PWD : realpathSync(cwd));
}

/** A stack's config as its file declares it. */
export interface StackOfFile extends CheckedConfig {
  /** The folder of Pulumi.yaml. */
  directory: string;
  /** The name of the stack's file, relative to it. */
  name: string;
  stackConfig: StackConfig;
}

/**
 * Reads and checks a stack's file and the files of tenants that it names.
 *
 * @param readFile reads a file of tenants.
 */
export function readStackFile(
  { env }: Pick<Shell, "env">,
  path: string,
  project: Project,
  readFile = readYamlFile,
): StackOfFile {
  const { directory } = project;
  const stackConfig = readFileConfig(path, project);
  const name = nameInProject(project, path);
  return { ...checkConfig(stackConfig, directory, { readFile, environment: env }), directory, name, stackConfig };
}

/**
 * The path of a stack's file.
 *
 * @throws CommandError if it does not exist.
 */
export function stackFile(project: Project, stack: string): string {
  const path = stackFilePath(project, stack);
  if (existsSync(path)) return path;
  const known = stackFilesOf(project).map((file) => basename(file));
  const others = known.length === 0 ? "no stack's file is there" : `there are ${shortList(known)}`;
  throw new CommandError(`there is no ${basename(path)} in ${placeOfStacks(project)}; ${others}`);
}

/** The files of all stacks of a project. None if their folder does not exist. */
export function stackFilesOf({ stacksDirectory, extension }: Project): string[] {
  if (!existsSync(stacksDirectory)) return [];
  return readdirSync(stacksDirectory)
    .filter((name) => isStackFile(name) && extname(name) === extension)
    .sort()
    .map((name) => join(stacksDirectory, name));
}

/** The folder of the stacks' files in a message that one is missing. Only a readable Pulumi.yaml says which folder it is. */
export function placeOfStacks({ stacksDirectory, file }: Project): string {
  const [problem] = file?.problems ?? [];
  return problem === undefined ? stacksDirectory : `${stacksDirectory} (${problem.where}: ${problem.reason})`;
}

/** Whether a file has the name of a stack's file. */
export function isStackFile(name: string): boolean {
  return /^Pulumi\..+\.(ya?ml|json)$/.test(name);
}

/**
 * A client for the platform that the environment or the stack's file names.
 *
 * @throws ConfigurationError if the address or the key is missing, or the key is encrypted.
 */
export function clientOf(
  { env }: Pick<Shell, "env">,
  { config, stackConfig: { textOf } }: StackOfFile,
  warn: (message: string) => void,
): Client {
  const isKeyEncrypted = isUnknown(config.part("apiKey")?.value);
  if (isKeyEncrypted && !env.INTEGRATION_PLATFORM_API_KEY) {
    throw new ConfigurationError(
      "its apiKey is encrypted, and this command does not decrypt secrets: set INTEGRATION_PLATFORM_API_KEY",
    );
  }
  const { warning } = baseUrlSource(textOf, env);
  if (warning !== undefined) warn(warning);
  return createClient(connectionSettings(textOf, env));
}
