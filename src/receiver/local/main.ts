import { inLine } from "../../cli/in-line.ts";
import type { LogEntry } from "../log.ts";
import { type Arguments, parseCommandLine, usage } from "./command-line.ts";
import { eventLine } from "./event-line.ts";
import { startLocalReceiver } from "./local-receiver.ts";

// A receiver without AWS, from the command line; see `usage`.

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

async function run(options: Arguments): Promise<void> {
  const onEvent = (event: Parameters<typeof eventLine>[0]) => console.log(eventLine(event));
  const receiver = await startLocalReceiver({ ...options, onEvent, log: logTroubles });
  const stop = () => {
    receiver.close().catch((error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    });
  };
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  console.log(`Webhook URL: ${receiver.url}`);
}

function logTroubles({ level, ...entry }: LogEntry): void {
  if (level !== "info") console.error(inLine(JSON.stringify(entry)));
}
