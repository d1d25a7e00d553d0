import { type LocalReceiverOptions, startLocalReceiver } from "../../receiver/local/local-receiver.ts";
import { tokenProblem } from "../../receiver/schema.ts";
import { serve } from "../serve.ts";
import { pathIn, type Shell } from "../shell.ts";
import { type ExitCode, UsageError } from "../subcommand.ts";
import { eventLine, logLine } from "./render.ts";

/** Starts a local receiver and prints its URL, each event in a line, and warnings and errors to standard error. */
export async function runReceiver(
  shell: Shell,
  { data, ...options }: Pick<LocalReceiverOptions, "port" | "data" | "token">,
): Promise<ExitCode> {
  const problem = options.token === undefined ? undefined : tokenProblem(options.token, "--token");
  if (problem !== undefined) throw new UsageError(problem);
  return serve(
    shell,
    async () => {
      const receiver = await startLocalReceiver({
        ...options,
        ...(data !== undefined && { data: pathIn(shell, data) }),
        onEvent: (event) => shell.stdout.write(`${eventLine(event)}\n`),
        log: (entry) => {
          if (entry.level !== "info") shell.stderr.write(`${logLine(entry)}\n`);
        },
      });
      shell.stdout.write(`Webhook URL: ${receiver.url}\n`);
      return receiver;
    },
    { needsReader: true },
  );
}
