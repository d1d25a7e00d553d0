import { Option } from "@commander-js/extra-typings";
import type { Shell } from "../shell.ts";
import { cwdOption, stackOption } from "../stack-choice.ts";
import { createCommand, exitWith, helpSection } from "../subcommand.ts";

/** `integration-platform validate`. */
export function validateCommand(shell: Shell) {
  return createCommand(shell, "validate")
    .description(
      "Check stacks' files and files of tenants. Needs neither Pulumi, nor a passphrase, nor, without --online, the platform.",
    )
    .argument("[files...]", "stacks' files (Pulumi.*.yaml) or files of tenants (default: all stacks of the folder)")
    .addOption(stackOption("check Pulumi.<name>.yaml and the files of tenants that it names"))
    .addOption(cwdOption())
    .option("--online", "also check integrations, releases, configs and metadata against the platform; only reads")
    .addOption(
      new Option("--format <format>", "how problems are shown: github is for annotations of a pull request")
        .choices(["text", "json", "github"] as const)
        .default("text" as const),
    )
    .addHelpText(
      "after",
      helpSection(
        "Examples",
        "integration-platform validate",
        "integration-platform validate --stack production --online",
        "integration-platform validate customers/acme.yaml",
        "integration-platform validate --format github tenants/billing.yaml",
      ),
    )
    .addHelpText(
      "after",
      helpSection(
        "A file of tenants",
        "is checked for the stacks that name it or its folder, and only its own problems are shown",
      ),
    )
    .addHelpText(
      "after",
      helpSection("Encrypted values", "are not decrypted: they count as present, and their values are not checked"),
    )
    .addHelpText(
      "after",
      helpSection(
        "Environments of Pulumi ESC",
        "are not read: of a stack's file with `environment`, only the form of the values is checked, and the exit code is 1",
      ),
    )
    .addHelpText(
      "after",
      helpSection(
        "Exit codes",
        "0   no problems; there may be warnings",
        "1   problems were found, or the check is incomplete (see standard error)",
        "64  the command line is wrong",
      ),
    )
    .action((files, options, command) => {
      if (files.length > 0 && options.stack !== undefined) {
        command.error("error: option '--stack <name>' cannot be used with files");
      }
      return exitWith(shell, async () => (await import("./run.ts")).runValidate(shell, { ...options, files }));
    });
}
