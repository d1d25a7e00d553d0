import { InvalidArgumentError } from "@commander-js/extra-typings";
import type { Shell } from "../shell.ts";
import { connectionStackOption, cwdOption } from "../stack-choice.ts";
import { createCommand, exitWith, helpSection } from "../subcommand.ts";
import { integrationOption, whereExample, whereOption } from "../tenants/options.ts";

/** `integration-platform pause`. */
export function pauseCommand(shell: Shell) {
  return createCommand(shell, "pause")
    .description(
      "Pause tenants at once, without Pulumi. Writes the running tenants to a note, from which `resume` resumes them. " +
        "Also writes an override into the files of the stacks whose next `pulumi up` would resume these tenants.",
    )
    .addOption(integrationOption().makeOptionMandatory())
    .addOption(whereOption())
    .requiredOption(
      "--reason <reason>",
      "reason for the pause, such as the number of the incident; previews and reports show it",
      reason,
    )
    .option(
      "--until <time>",
      "time at which the override ends, such as 2026-11-24T06:00:00Z (default: when `resume` removes it)",
    )
    .option("--note <file>", "note file with the tenants that were running (default: integration-platform-pause.json)")
    .option("--no-override", "print the overrides, and write none into the stacks' files")
    .option("--dry-run", "show what would be paused and written, and change nothing")
    .option("--json", "write the result as JSON")
    .addOption(connectionStackOption())
    .addOption(cwdOption())
    .addHelpText(
      "after",
      helpSection(
        "Examples",
        "integration-platform pause --integration crm-to-billing --reason INC-42",
        `integration-platform pause --integration all --reason INC-42 \\\n    ${whereExample}`,
      ),
    )
    .addHelpText(
      "after",
      helpSection(
        "After a failure",
        "If something failed, or the command was killed, run the same command again. The note keeps",
        "the tenants that were running at first. Another --where adds tenants to the same note.",
      ),
    )
    .addHelpText(
      "after",
      helpSection(
        "Exit codes",
        "0   all tenants are paused, and the stacks' files in the folder keep them paused",
        "1   a tenant is not paused, the next `up` of a stack would resume one, no tenant was found, or another failure",
        "64  the command line is wrong",
      ),
    )
    .action((options) => exitWith(shell, async () => (await import("./run.ts")).runPause(shell, options)));
}

function reason(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("It must not be empty.");
  return text;
}
