import { parsePort, serverExitCodes } from "../serve.ts";
import type { Shell } from "../shell.ts";
import { createCommand, exitWith, helpSection } from "../subcommand.ts";

/** `integration-platform receiver`. */
export function receiverCommand(shell: Shell) {
  return createCommand(shell, "receiver")
    .description("Run a receiver of the platform's webhooks on this machine, until SIGINT or SIGTERM.")
    .option("--port <number>", "port to listen on; 0 takes any free port", parsePort, 4020)
    .option("--data <file>", "SQLite file for the queue and the ledger (default: both are kept in memory)")
    .option(
      "--token <secret>",
      "secret in the URL; generate it with `openssl rand -hex 32` (default: a new random one at each start)",
    )
    .addHelpText(
      "after",
      helpSection(
        "Output",
        "the URL to set in the management console (Settings, Notifications & Webhooks),",
        "and then one line for each event; problems go to standard error.",
        "Each line has its time (UTC) and its level: info, warn or error.",
      ),
    )
    .addHelpText("after", helpSection("Exit codes", ...serverExitCodes))
    .action((options) => exitWith(shell, async () => (await import("./run.ts")).runReceiver(shell, options)));
}
