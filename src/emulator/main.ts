import { defaultPort, parseCommandLine, usage } from "./command-line.ts";
import { createEmulator } from "./emulator.ts";
import type { EmulatorOptions } from "./emulator-options.ts";
import { isLoopbackName } from "./rules/loopback.ts";

// The emulator alone, from the command line; see `usage`.

await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<void> {
  try {
    const options = parseCommandLine(args);
    if (options === "help") console.log(usage);
    else await run(options);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}

async function run(options: EmulatorOptions): Promise<void> {
  if (options.host !== undefined && !isLoopbackName(options.host)) {
    console.error(`Warning: on ${options.host} others can reach this emulator, and steer it without a key.`);
  }
  const emulator = await createEmulator({ port: defaultPort, ...options });
  const stop = () => {
    emulator.close().catch((error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    });
  };
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  console.log(`Address: ${emulator.url}`);
  console.log(`API key: ${emulator.apiKey}`);
  console.log(`Console: ${emulator.url}/console`);
}
