import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import type { EngineAttempt } from "./engine.ts";
import { runCommand } from "./run-command.ts";

/**
 * The `pulumi` that is installed on this machine: the first on PATH outside `node_modules/.bin` (where npm's downloader
 * has the same name), if it is recent enough and its Node.js language host is there.
 */
export async function findEngineOnPath(): Promise<EngineAttempt> {
  const directories = pathDirectories();
  const directory = directories.find((candidate) => isExecutable(join(candidate, "pulumi")));
  if (directory === undefined) return { unavailable: "there is no pulumi on PATH" };

  const command = join(directory, "pulumi");
  const version = await engineVersion(command);
  if (version === undefined) return { unavailable: `${command} does not tell its version` };
  if (!isRecentEnough(version))
    return { unavailable: `${command} is ${version}, older than ${oldestUsable.join(".")}` };

  const languageHostDirectories = [directory, dirname(realpathSync(command)), ...directories];
  if (!languageHostDirectories.some((candidate) => isExecutable(join(candidate, "pulumi-language-nodejs")))) {
    return { unavailable: `${command} has no pulumi-language-nodejs beside it or on PATH` };
  }
  return { engine: { command, binDirectory: directory, version, source: "path" } };
}

/** The version that a `pulumi` command answers, without the `v`; undefined if it does not work. */
export async function engineVersion(command: string): Promise<string | undefined> {
  const { code, stdout } = await runCommand(command, ["version"], {
    env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" },
    timeLimitSeconds: 20,
  });
  return code === 0 ? /^v?(\d+\.\d+\.\d+\S*)/m.exec(stdout)?.[1] : undefined;
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Older engines miss what the state files and the dynamic provider host of today's SDK need. */
const oldestUsable = [3, 200] as const;

function isRecentEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > oldestUsable[0] || (major === oldestUsable[0] && minor >= oldestUsable[1]);
}

function pathDirectories(): readonly string[] {
  const directories = (process.env.PATH ?? "").split(delimiter).filter((directory) => isAbsolute(directory));
  return directories.filter((directory) => !directory.endsWith(join("node_modules", ".bin")));
}
