import { createEmulator, type EmulatorOptions } from "../../emulator/index.ts";
import { isLoopbackName } from "../../emulator/rules/loopback.ts";
import { serve } from "../serve.ts";
import { pathIn, type Shell } from "../shell.ts";
import type { ExitCode } from "../subcommand.ts";

/** Starts the emulator and prints where it listens and which API key it accepts. */
export async function runEmulator(
  shell: Shell,
  { data, seed, ...options }: EmulatorOptions & { host: string },
): Promise<ExitCode> {
  if (!isLoopbackName(options.host)) {
    shell.stderr.write(
      `warning: other machines can reach this emulator on ${options.host} and control it without an API key\n`,
    );
  }
  return serve(shell, async () => {
    const emulator = await createEmulator({
      ...options,
      ...(data !== undefined && { data: pathIn(shell, data) }),
      ...(seed !== undefined && { seed: typeof seed === "string" ? pathIn(shell, seed) : seed }),
    });
    const { url, apiKey } = emulator;
    shell.stdout.write(`Address: ${url}\nAPI key: ${apiKey}\nConsole: ${url}/console\n`);
    return emulator;
  });
}
