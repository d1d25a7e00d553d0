import type { Shell } from "../shell.ts";
import { connectionStackOption, cwdOption } from "../stack-choice.ts";
import { createCommand, exitWith, helpSection } from "../subcommand.ts";

/** `integration-platform check`. */
export function checkCommand(shell: Shell) {
  return createCommand(shell, "check")
    .description("Find the live configs and metadata of tenants that violate the schemas of a release. Only reads.")
    .requiredOption("--integration <name>", "name or id of the integration")
    .requiredOption("--release <release>", "tag or id of the release, or latest or default")
    .addOption(connectionStackOption())
    .addOption(cwdOption())
    .option("--json", "write the result as JSON")
    .addHelpText(
      "after",
      helpSection("Example", "integration-platform check --release v1.4.0 --integration crm-to-billing"),
    )
    .addHelpText(
      "after",
      helpSection(
        "Exit codes",
        "0   no violations",
        "1   violations, an incomplete check, or a failure",
        "64  the command line is wrong",
      ),
    )
    .action((options) => exitWith(shell, async () => (await import("./run.ts")).runCheck(shell, options)));
}
