import { Argument, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import type { Shell } from "../shell.ts";
import { connectionStackOption, cwdOption } from "../stack-choice.ts";
import { createCommand, exitWith, helpSection } from "../subcommand.ts";
import { integrationOption, tenantNamed, whereExample, whereOption } from "../tenants/options.ts";

/** `integration-platform sync`. */
export function syncCommand(shell: Shell) {
  return createCommand(shell, "sync")
    .description("Request a sync of a tenant, or of many, and wait for its outcome.")
    .addArgument(new Argument("[tenant]", `${tenantNamed}; without it, the tenants of --integration and --where`))
    .addOption(integrationOption("; default with --where: the only one of which the file of --stack declares tenants"))
    .addOption(whereOption())
    .addOption(
      new Option("--mode <mode>", "mode of the sync: init prepares the integration, normal is the usual sync")
        .choices(["normal", "init"] as const)
        .default("normal" as const),
    )
    .option("--no-wait", "do not wait for the outcomes")
    .option("--timeout <seconds>", "how long to wait for each outcome (default: 1500)", parseSeconds)
    .addOption(connectionStackOption())
    .addOption(cwdOption())
    .option("--with-summary <file>", "write the outcomes as a Markdown table, for a comment or the summary of a job")
    .option("--json", "write the outcomes as JSON")
    .addHelpText(
      "after",
      helpSection(
        "Examples",
        "integration-platform sync acme --mode init",
        `integration-platform sync --integration crm-to-billing ${whereExample} --no-wait`,
        "integration-platform sync --stack production --where lastRun.failed --mode init --with-summary summary.md",
      ),
    )
    .addHelpText(
      "after",
      helpSection(
        "Exit codes",
        "0   all syncs succeeded, or with --no-wait are requested; of many tenants, those that cannot sync are skipped",
        "1   a request failed, the named tenant cannot sync, or another failure",
        "2   an outcome was not known in time",
        "4   a run failed",
        "64  the command line is wrong",
        "If several apply, 1 takes precedence over 4, and 4 over 2.",
      ),
    )
    .action((tenant, options, command) => {
      const isOfStack = options.stack !== undefined && options.where !== undefined;
      if (tenant === undefined && options.integration === undefined && !isOfStack) {
        command.error('error: name a tenant, or the tenants of an integration with --integration (or "all")');
      }
      if (tenant !== undefined && options.where !== undefined) {
        command.error("error: option '--where <expression>' cannot be used with the name of a tenant");
      }
      return exitWith(shell, async () => (await import("./run.ts")).runSync(shell, { tenant, ...options }));
    });
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (seconds > 0 && seconds <= 604_800) return seconds;
  throw new InvalidArgumentError("It must be a number of seconds, of a week at most.");
}
