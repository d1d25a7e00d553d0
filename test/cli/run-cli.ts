import { execFile } from "node:child_process";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { runCommandLine } from "../../src/cli/root-command.ts";
import type { Emulator } from "../../src/emulator/index.ts";
import { testShell } from "./test-shell.ts";

/** The file that is the command. */
export const commandLine = join(import.meta.dirname, "../../src/cli/main.ts");

/** The outcome of a run of the command. */
export interface CliOutcome {
  code: number;
  stdout: string;
  stderr: string;
}

type Platform = Pick<Emulator, "url" | "apiKey"> | undefined;

/** Runs the command `integration-platform` in this process, against an emulator and without a terminal, as a pipeline does. */
export async function runCli(
  emulator: Platform,
  args: readonly string[],
  more: NodeJS.ProcessEnv = {},
  workingDirectory = process.cwd(),
): Promise<CliOutcome> {
  const { shell, stdout, stderr } = testShell({
    env: environmentOf(emulator, more),
    directory: realpathSync(workingDirectory),
  });
  try {
    await runCommandLine(shell, args);
  } catch (error) {
    return { code: 1, stdout: stdout(), stderr: `${stderr()}${inspect(error)}\n` }; // as Node.js ends
  }
  return { code: shell.exitCode, stdout: stdout(), stderr: stderr() };
}

/** Runs the command as {@link runCli} does, but as a process of its own, as its users do. */
export function runCliProcess(
  emulator: Platform,
  args: readonly string[],
  more: NodeJS.ProcessEnv = {},
  workingDirectory?: string,
): Promise<CliOutcome> {
  return new Promise((resolve) => {
    const options = { env: environmentOf(emulator, more), maxBuffer: 2 ** 26, cwd: workingDirectory };
    execFile(process.execPath, [commandLine, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

function environmentOf(emulator: Platform, more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(INTEGRATION_PLATFORM_|FORCE_COLOR)/.test(name));
  return {
    ...Object.fromEntries(inherited),
    ...(emulator && { INTEGRATION_PLATFORM_BASE_URL: emulator.url, INTEGRATION_PLATFORM_API_KEY: emulator.apiKey }),
    ...more,
  };
}
