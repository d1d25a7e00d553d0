import { eventLine } from "../../receiver/local/event-line.ts";
import { type LocalReceiverOptions, startLocalReceiver } from "../../receiver/local/local-receiver.ts";
import { logLine } from "../../receiver/local/log-line.ts";
import type { LogEntry } from "../../receiver/log.ts";
import { serve } from "../serve.ts";
import type { ExitCode } from "../subcommand.ts";

/** Starts a local receiver and prints its URL, each event in a line, and warnings and errors to standard error. */
export async function runReceiver(options: Pick<LocalReceiverOptions, "port" | "data" | "token">): Promise<ExitCode> {
  return serve(async () => {
    const receiver = await startLocalReceiver({
      ...options,
      onEvent: (event) => console.log(eventLine(event)),
      log: printProblem,
    });
    console.log(`Webhook URL: ${receiver.url}`);
    return receiver;
  });
}

function printProblem(entry: LogEntry): void {
  if (entry.level !== "info") console.error(logLine(entry));
}
