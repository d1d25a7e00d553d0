import type { Shell } from "../shell.ts";
import { connectionStackOption, cwdOption } from "../stack-choice.ts";
import { createCommand, exitWith, helpSection } from "../subcommand.ts";
import { integrationOption, whereExample, whereOption } from "../tenants/options.ts";

/** `integration-platform resume`. */
export function resumeCommand(shell: Shell) {
  return createCommand(shell, "resume")
    .description(
      "Resume the tenants that were running before `pause`, and no others. Removes the overrides that `pause` has " +
        "written into the stacks' files.",
    )
    .addOption(integrationOption().default("all"))
    .addOption(whereOption())
    .option("--note <file>", "note file that `pause` has written (default: integration-platform-pause.json)")
    .option("--no-override", "print the changes of overrides, and write none into the stacks' files")
    .option("--dry-run", "show what would be resumed and written, and change nothing")
    .option("--json", "write the result as JSON")
    .addOption(connectionStackOption())
    .addOption(cwdOption())
    .addHelpText(
      "after",
      helpSection(
        "Examples",
        "integration-platform resume",
        `integration-platform resume --integration crm-to-billing \\\n    ${whereExample}`,
      ),
    )
    .addHelpText(
      "after",
      helpSection(
        "Some of the tenants",
        "With --integration or --where, the others stay paused and in the note.",
        "When no tenant is left in the note, the note is renamed.",
      ),
    )
    .addHelpText(
      "after",
      helpSection(
        "Exit codes",
        "0   all of these tenants are resumed, except those of another incident, and the stacks' files are as before",
        "1   a tenant is not resumed, an override could not be removed or reduced, there is no note, or another failure",
        "64  the command line is wrong",
      ),
    )
    .action((options) => exitWith(shell, async () => (await import("./run.ts")).runResume(shell, options)));
}
