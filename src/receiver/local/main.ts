import { inLine } from "../../in-line.ts";
import { runServer } from "../../server-command.ts";
import type { LogEntry } from "../log.ts";
import { type Arguments, parseCommandLine, usage } from "./command-line.ts";
import { eventLine } from "./event-line.ts";
import { startLocalReceiver } from "./local-receiver.ts";

// A receiver without AWS, from the command line; see `usage`.

await runServer({ usage, parse: parseCommandLine, start });

async function start(options: Arguments) {
  const onEvent = (event: Parameters<typeof eventLine>[0]) => console.log(eventLine(event));
  const receiver = await startLocalReceiver({ ...options, onEvent, log: logTroubles });
  console.log(`Webhook URL: ${receiver.url}`);
  return receiver;
}

function logTroubles({ level, ...entry }: LogEntry): void {
  if (level !== "info") console.error(inLine(JSON.stringify(entry)));
}
