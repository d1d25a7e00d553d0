import { Option } from "@commander-js/extra-typings";
import type { Shell } from "../shell.ts";
import { connectionStackOption, cwdOption } from "../stack-choice.ts";
import { createCommand, exitWith, helpSection } from "../subcommand.ts";

/** `integration-platform calibrate`. */
export function calibrateCommand(shell: Shell) {
  return createCommand(shell, "calibrate")
    .description(
      "Find out how this platform behaves where its specification is silent, and write it to a profile. Only reads, unless --write is given.",
    )
    .addOption(
      new Option(
        "--write",
        "also ask what only a write can answer: create a scratch tenant, change it and archive it; needs --integration",
      ),
    )
    .option("--integration <name>", "name or id of the integration that gets the scratch tenant")
    .option(
      "--configs <file>",
      "JSON file with the configs of the scratch tenant (default: samples for what is required)",
    )
    .option("--out <file>", "the profile, which is read and written (default: platform.<stack>.json, or platform.json)")
    .option("--no-wrong-key", "do not ask what a wrong API key is answered with")
    .option("--yes", "do not ask for confirmation")
    .addOption(connectionStackOption())
    .addOption(cwdOption())
    .option("--json", "write the result as JSON")
    .addHelpText(
      "after",
      helpSection(
        "Examples",
        "integration-platform calibrate --stack production",
        "integration-platform calibrate --stack sandbox --write --integration crm-to-billing",
      ),
    )
    .addHelpText(
      "after",
      helpSection(
        "Exit codes",
        "0   the profile is written, and nothing has changed since it was written last",
        "1   a request failed, or another failure",
        "2   an answer is another one than before",
        "64  the command line is wrong",
      ),
    )
    .action((options, command) => {
      if (options.write && options.integration === undefined) {
        command.error("error: --write needs --integration, whose tenants the scratch tenant is among");
      }
      return exitWith(shell, async () => (await import("./run.ts")).runCalibrate(shell, options));
    });
}
