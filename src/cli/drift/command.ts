import { pathIn, type Shell } from "../shell.ts";
import { cwdOption, stackOption } from "../stack-choice.ts";
import { createCommand, exitWith, helpSection } from "../subcommand.ts";

/** `integration-platform drift`. */
export function driftCommand(shell: Shell) {
  return createCommand(shell, "drift")
    .description("Show where the platform differs from what a stack declares. Changes nothing.")
    .addOption(stackOption())
    .addOption(cwdOption())
    .option("--markdown <file>", 'write a report as Markdown, for a comment; "-" is standard output')
    .option("--json <file>", 'write a report as JSON; "-" is standard output')
    .option("--html <file>", 'write a report as an HTML page; "-" is standard output')
    .option(
      "--history <file>",
      "file for the history of findings; reports then show since when each difference is known",
    )
    .addHelpText(
      "after",
      helpSection(
        "Requirements",
        "the Pulumi CLI on PATH, and what `pulumi preview` needs: the backend and the stack's secrets",
      ),
    )
    .addHelpText(
      "after",
      helpSection(
        "Examples",
        "integration-platform drift --stack production --markdown drift.md --html drift.html",
        "integration-platform drift --stack production --history drift-history.json",
      ),
    )
    .addHelpText(
      "after",
      helpSection(
        "Exit codes",
        "0   no difference",
        "1   the command failed, so drift is unknown",
        "2   differences",
        "64  the command line is wrong",
      ),
    )
    .action((options, command) => {
      if ([options.markdown, options.json, options.html].filter((file) => file === "-").length > 1) {
        command.error('error: only one of --markdown, --json and --html can be "-"');
      }
      const { history, markdown, json, html } = options;
      if (history === "-") command.error('error: --history needs a file, and cannot be "-"');
      if (
        history !== undefined &&
        [markdown, json, html].some((file) => file && pathIn(shell, file) === pathIn(shell, history))
      ) {
        command.error("error: --history needs a file of its own, which no report overwrites");
      }
      return exitWith(shell, async () => (await import("./run.ts")).runDrift(shell, options));
    });
}
