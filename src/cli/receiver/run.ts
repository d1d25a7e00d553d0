import { eventLine, logLine } from "../../receiver/local/event-line.ts";
import { type LocalReceiverOptions, startLocalReceiver, tokenProblem } from "../../receiver/local/local-receiver.ts";
import type { LogEntry } from "../../receiver/log.ts";
import { serve } from "../serve.ts";
import { type ExitCode, UsageError } from "../subcommand.ts";

/** Starts a local receiver and prints its URL, each event in a line, and warnings and errors to standard error. */
export async function runReceiver(options: Pick<LocalReceiverOptions, "port" | "data" | "token">): Promise<ExitCode> {
  const problem = options.token === undefined ? undefined : tokenProblem(options.token, "--token");
  if (problem !== undefined) throw new UsageError(problem);
  return serve(
    async () => {
      const receiver = await startLocalReceiver({
        ...options,
        onEvent: (event) => console.log(eventLine(event)),
        log: printProblem,
      });
      console.log(`Webhook URL: ${receiver.url}`);
      return receiver;
    },
    { needsReader: true },
  );
}

function printProblem(entry: LogEntry): void {
  if (entry.level !== "info") console.error(logLine(entry));
}
