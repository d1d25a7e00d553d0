import { runServer } from "../server-command.ts";
import { defaultPort, parseCommandLine, usage } from "./command-line.ts";
import { createEmulator } from "./emulator.ts";
import type { EmulatorOptions } from "./emulator-options.ts";
import { isLoopbackName } from "./rules/loopback.ts";

// The emulator alone, from the command line; see `usage`.

await runServer({ usage, parse: parseCommandLine, start });

async function start(options: EmulatorOptions) {
  if (options.host !== undefined && !isLoopbackName(options.host)) {
    console.error(`Warning: on ${options.host} others can reach this emulator, and steer it without a key.`);
  }
  const emulator = await createEmulator({ port: defaultPort, ...options });
  console.log(`Address: ${emulator.url}`);
  console.log(`API key: ${emulator.apiKey}`);
  console.log(`Console: ${emulator.url}/console`);
  return emulator;
}
