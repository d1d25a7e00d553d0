import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { type Client, ConfigurationError, createClient } from "../api/index.ts";
import { baseUrlSource, connectionSettings } from "../connection/connection-settings.ts";
import { shortList } from "../json/short-list.ts";
import { isUnknown } from "../json/unknown.ts";
import { type CheckedConfig, checkConfig } from "../stack/checks/check-config.ts";
import type { StackConfig } from "../stack/config/config-values.ts";
import { readFileConfig } from "../stack/config/file-config.ts";
import { readYamlFile } from "../stack/yaml/yaml-file.ts";
import { CommandError } from "./subcommand.ts";

/** A stack's config as its file declares it. */
export interface StackOfFile extends CheckedConfig {
  directory: string;
  /** The name of the stack's file. */
  name: string;
  stackConfig: StackConfig;
}

/**
 * Reads and checks a stack's file and the files of tenants that it names.
 *
 * @param readFile reads a file of tenants.
 */
export function readStackFile(path: string, directory: string, readFile = readYamlFile): StackOfFile {
  const stackConfig = readFileConfig(path);
  return { ...checkConfig(stackConfig, directory, readFile), directory, name: basename(path), stackConfig };
}

/**
 * The path of a stack's file.
 *
 * @throws CommandError if it does not exist.
 */
export function stackFile(directory: string, stack: string): string {
  // Pulumi also takes the name with its organization and project: acme-org/billing/production.
  const name = `Pulumi.${basename(stack)}.yaml`;
  const path = join(directory, name);
  if (existsSync(path)) return path;
  const known = stackFilesIn(directory).map((file) => basename(file));
  const others = known.length === 0 ? "no stack's file is there" : `there are ${shortList(known)}`;
  throw new CommandError(`there is no ${name} in ${directory}; ${others}`);
}

/** The files of all stacks in a folder. */
export function stackFilesIn(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => isStackFile(name))
    .sort()
    .map((name) => join(directory, name));
}

/** Whether a file has the name of a stack's file. */
export function isStackFile(name: string): boolean {
  return /^Pulumi\..+\.ya?ml$/.test(name);
}

/**
 * A client for the platform that the environment or the stack's file names.
 *
 * @throws ConfigurationError if the address or the key is missing, or the key is encrypted.
 */
export function clientOf({ config, stackConfig: { textOf } }: StackOfFile, warn: (message: string) => void): Client {
  const isKeyEncrypted = isUnknown(config.part("apiKey")?.value);
  if (isKeyEncrypted && !process.env.INTEGRATION_PLATFORM_API_KEY) {
    throw new ConfigurationError(
      "its apiKey is encrypted, and this command does not decrypt secrets: set INTEGRATION_PLATFORM_API_KEY",
    );
  }
  const { warning } = baseUrlSource(textOf);
  if (warning !== undefined) warn(warning);
  return createClient(connectionSettings(textOf));
}
