import { InvalidArgumentError } from "@commander-js/extra-typings";
import type { Shell } from "../shell.ts";
import { connectionStackOption, cwdOption } from "../stack-choice.ts";
import { createCommand, exitWith, helpSection } from "../subcommand.ts";
import { integrationOption, whereExample, whereOption } from "../tenants/options.ts";

/** `integration-platform status`. */
export function statusCommand(shell: Shell) {
  return createCommand(shell, "status")
    .description(
      "Show the live tenants: release, paused state, connection, and since when their runs fail. Only reads.",
    )
    .addOption(integrationOption().default("all"))
    .addOption(whereOption())
    .addOption(connectionStackOption())
    .addOption(cwdOption())
    .option("--json", "write the tenants as JSON; with --watch one line each time")
    .option("--metadata", "with --json: the metadata too, which takes a request for each tenant")
    .option("--runs", "the failing share of the last 20 runs for more than 100 tenants too: a request for each tenant")
    .option("--watch [seconds]", "read again after this many seconds (default: 5); stop with Ctrl-C", parseSeconds)
    .addHelpText(
      "after",
      helpSection(
        "Examples",
        "integration-platform status --integration crm-to-billing",
        `integration-platform status ${whereExample} --json`,
        "integration-platform status --where failing --watch 30",
      ),
    )
    .addHelpText(
      "after",
      helpSection(
        "Exit codes",
        "0   success; failing tenants do not change it",
        "1   failure",
        "64  the command line is wrong",
      ),
    )
    .action((options, command) => {
      if (options.metadata && !options.json) command.error("error: option '--metadata' requires --json");
      return exitWith(shell, async () => (await import("./run.ts")).runStatus(shell, options));
    });
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (seconds >= 1 && seconds <= 86_400) return seconds;
  throw new InvalidArgumentError("It must be a number of seconds from 1 to 86400.");
}
