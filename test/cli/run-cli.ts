import { execFile } from "node:child_process";
import { join } from "node:path";
import type { Emulator } from "../../src/emulator/index.ts";

/** The file that is the command. */
export const commandLine = join(import.meta.dirname, "../../src/cli/main.ts");

/** The outcome of a run of the command. */
export interface CliOutcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the command `integration-platform` against an emulator and without a terminal, as a pipeline does. */
export function runCli(
  emulator: Pick<Emulator, "url" | "apiKey"> | undefined,
  args: readonly string[],
  more: NodeJS.ProcessEnv = {},
  workingDirectory?: string,
): Promise<CliOutcome> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(INTEGRATION_PLATFORM_|FORCE_COLOR)/.test(name));
  const env = {
    ...Object.fromEntries(inherited),
    ...(emulator && { INTEGRATION_PLATFORM_BASE_URL: emulator.url, INTEGRATION_PLATFORM_API_KEY: emulator.apiKey }),
    ...more,
  };
  return new Promise((resolve) => {
    const options = { env, maxBuffer: 2 ** 26, cwd: workingDirectory };
    execFile(process.execPath, [commandLine, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}
