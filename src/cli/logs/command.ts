import { Argument, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import type { Shell } from "../shell.ts";
import { connectionStackOption, cwdOption } from "../stack-choice.ts";
import { createCommand, exitWith, helpSection } from "../subcommand.ts";
import { tenantNamed } from "../tenants/options.ts";

/** `integration-platform logs`. */
export function logsCommand(shell: Shell) {
  return createCommand(shell, "logs")
    .description(
      "Print the log of a tenant's current run, or else of its last run, without what looks like a credential. Only reads.",
    )
    .addArgument(new Argument("<tenant>", tenantNamed))
    .option("--integration <name>", "name or id of its integration, if several tenants have the name")
    .option("--run <id>", "id of the run", parseRunId)
    .addOption(
      new Option("--failed", "the newest run that failed, on a platform that lists runs").conflicts(["run", "follow"]),
    )
    .addOption(
      new Option("--trigger <id>", "the run of this trigger, on a platform that lists runs").conflicts([
        "run",
        "failed",
      ]),
    )
    .addOption(
      new Option("--raw", "show what looks like a credential too; only on a terminal").conflicts(["json", "follow"]),
    )
    .addOption(new Option("--follow", "keep printing new lines until the run ends").conflicts("json"))
    .addOption(connectionStackOption())
    .addOption(cwdOption())
    .option("--json", "write the tenant, the run's id and the log as JSON")
    .addHelpText(
      "after",
      helpSection(
        "Examples",
        "integration-platform logs acme --follow",
        "integration-platform logs 5001 --run 77 --json",
        "integration-platform logs acme --failed",
      ),
    )
    .addHelpText(
      "after",
      helpSection(
        "Exit codes",
        "0   the log was printed, whatever the outcome of the run",
        "1   failure, or there is no log, or the id of the run is unknown",
        "64  the command line is wrong",
      ),
    )
    .action((tenant, options) =>
      exitWith(shell, async () => (await import("./run.ts")).runLogs(shell, { tenant, ...options })),
    );
}

function parseRunId(text: string): number {
  if (/^[1-9]\d{0,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be the id of a run, which is a number.");
}
