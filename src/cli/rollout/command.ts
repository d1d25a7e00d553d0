import type { Shell } from "../shell.ts";
import { cwdOption, stackOption } from "../stack-choice.ts";
import { createCommand, exitWith, helpSection } from "../subcommand.ts";

/** `integration-platform rollout`. */
export function rolloutCommand(shell: Shell) {
  return createCommand(shell, "rollout")
    .helpCommand("help [command]", "show the help of a command")
    .description("Show the status of a stack's rollouts, and how earlier ones ended. Changes nothing.")
    .addCommand(statusCommand(shell))
    .addCommand(historyCommand(shell));
}

/** `integration-platform rollout status`. */
function statusCommand(shell: Shell) {
  return createCommand(shell, "rollout status")
    .description("Show the status of a stack's rollouts, as the last `pulumi up` left them.")
    .addOption(stackOption())
    .addOption(cwdOption())
    .option("--fleet <name>", "only the rollout of this fleet: its name, or the URN of its rollout")
    .option("--json [file]", "write the rollouts as JSON; without a file, to standard output in place of the tables")
    .option(
      "--html [file]",
      "write a report as an HTML page; without a file, to standard output in place of the tables",
    )
    .addHelpText("after", requirements)
    .addHelpText(
      "after",
      helpSection(
        "Example",
        "integration-platform rollout status --stack production --fleet billing --html rollout.html",
      ),
    )
    .addHelpText(
      "after",
      helpSection(
        "Exit codes",
        "0   all rollouts are done, or the stack has none",
        "1   failure: the status of a rollout could not be determined, or --fleet names none",
        "2   a rollout is in progress: the next `pulumi up` continues it",
        "3   a rollout waits for a person",
        "4   a rollout has failed",
        "64  the command line is wrong",
        "If the stack has several rollouts, the highest code counts; 1 takes precedence over all others.",
      ),
    )
    .action((options, command) => {
      if ([options.json, options.html].filter(isStandardOutput).length > 1) {
        command.error("error: only one of --json and --html can be written to standard output");
      }
      return exitWith(shell, async () => (await import("./run.ts")).runStatus(shell, options));
    });
}

/** `integration-platform rollout history`. */
function historyCommand(shell: Shell) {
  return createCommand(shell, "rollout history")
    .description("Show how the last 20 rollouts of each fleet ended, the latest first.")
    .addOption(stackOption())
    .addOption(cwdOption())
    .option("--fleet <name>", "only the rollouts of this fleet: its name, or the URN of its rollout")
    .option("--json [file]", "write the outcomes as JSON; without a file, to standard output in place of the tables")
    .addHelpText("after", requirements)
    .addHelpText("after", helpSection("Example", "integration-platform rollout history --stack production"))
    .addHelpText("after", helpSection("Exit codes", "0   success", "1   failure", "64  the command line is wrong"))
    .action((options) => exitWith(shell, async () => (await import("./run.ts")).runHistory(shell, options)));
}

function isStandardOutput(file: string | true | undefined): boolean {
  return file === true || file === "-";
}

const requirements = helpSection(
  "Requirements",
  "the Pulumi CLI on PATH, and access to the backend; no request is sent to the platform",
);
