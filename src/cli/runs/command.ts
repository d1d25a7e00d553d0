import { Argument, InvalidArgumentError } from "@commander-js/extra-typings";
import type { Shell } from "../shell.ts";
import { connectionStackOption, cwdOption } from "../stack-choice.ts";
import { createCommand, exitWith, helpSection } from "../subcommand.ts";
import { tenantNamed } from "../tenants/options.ts";

/** `integration-platform runs`. */
export function runsCommand(shell: Shell) {
  return createCommand(shell, "runs")
    .description("List the newest runs of a tenant, on a platform that lists runs. Only reads.")
    .addArgument(new Argument("<tenant>", tenantNamed))
    .option("--integration <name>", "name or id of its integration, if several tenants have the name")
    .option("--limit <count>", "how many runs at most, up to 500 (default: 20)", parseLimit)
    .addOption(connectionStackOption())
    .addOption(cwdOption())
    .option("--json", "write the tenant, its failing share and its runs as JSON")
    .addHelpText(
      "after",
      helpSection("Examples", "integration-platform runs acme", "integration-platform runs 5001 --limit 100 --json"),
    )
    .addHelpText(
      "after",
      helpSection(
        "Exit codes",
        "0   success; failed runs do not change it",
        "1   failure, or the platform does not list runs",
        "64  the command line is wrong",
      ),
    )
    .action((tenant, options) =>
      exitWith(shell, async () => (await import("./run.ts")).runRuns(shell, { tenant, ...options })),
    );
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= 500) return limit;
  throw new InvalidArgumentError("It must be a number from 1 to 500.");
}
