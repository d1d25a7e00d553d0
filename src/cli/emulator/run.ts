import { createEmulator, type EmulatorOptions } from "../../emulator/index.ts";
import { isLoopbackName } from "../../emulator/rules/loopback.ts";
import { serve } from "../serve.ts";
import type { ExitCode } from "../subcommand.ts";

/** Starts the emulator and prints where it listens and which API key it accepts. */
export async function runEmulator(options: EmulatorOptions & { host: string }): Promise<ExitCode> {
  if (!isLoopbackName(options.host)) {
    console.error(
      `warning: other machines can reach this emulator on ${options.host} and control it without an API key`,
    );
  }
  return serve(async () => {
    const emulator = await createEmulator(options);
    console.log(`Address: ${emulator.url}`);
    console.log(`API key: ${emulator.apiKey}`);
    console.log(`Console: ${emulator.url}/console`);
    return emulator;
  });
}
