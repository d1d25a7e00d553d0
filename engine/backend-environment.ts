import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parse } from "yaml";
import { z } from "zod";
import { projectFileIn } from "../src/project/project-file.ts";
import { say } from "./set-up.ts";

const projectRoot = dirname(import.meta.dirname);

/** Protects the secrets of the local backend only: what it guards is on the same disk as this constant. */
export const developmentPassphrase = "integration-platform-development";

/**
 * `base` with the backend that holds the state: the one named by `PULUMI_BACKEND_URL` or by `backend.url` in the
 * project's Pulumi.yaml, else a folder inside this clone, which is made. Only for the latter, a passphrase for
 * development stands in where the environment has none.
 *
 * A backend chosen by `pulumi login` is not used: what a command of this project writes must not depend on what was
 * done elsewhere on the machine.
 */
export function backendEnvironment(base: NodeJS.ProcessEnv, projectDirectory: string): NodeJS.ProcessEnv {
  if (base.PULUMI_BACKEND_URL || hasBackendOfItsOwn(projectDirectory)) return base;
  return { ...developmentSecrets(base), ...base, PULUMI_BACKEND_URL: localBackend() };
}

function localBackend(): string {
  const directory = join(projectRoot, ".pulumi-state");
  const created = mkdirSync(directory, { recursive: true });
  if (created !== undefined)
    say(`The state of the stacks is kept in ${directory} (PULUMI_BACKEND_URL names another place).`);
  return pathToFileURL(directory).href;
}

function developmentSecrets(base: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const hasPassphrase = base.PULUMI_CONFIG_PASSPHRASE !== undefined || base.PULUMI_CONFIG_PASSPHRASE_FILE !== undefined;
  return hasPassphrase ? {} : { PULUMI_CONFIG_PASSPHRASE: developmentPassphrase };
}

function hasBackendOfItsOwn(projectDirectory: string): boolean {
  try {
    return projectFile.safeParse(parse(readFileSync(projectFileIn(projectDirectory) ?? "", "utf8"))).success;
  } catch {
    // The file is missing or invalid: the engine's error message is clearer.
    return false;
  }
}

const projectFile = z.object({ backend: z.object({ url: z.string().min(1) }) });
