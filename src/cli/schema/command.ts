import type { Shell } from "../shell.ts";
import { cwdOption, stackOption } from "../stack-choice.ts";
import { createCommand, exitWith, helpSection } from "../subcommand.ts";

/** `integration-platform schema`. */
export function schemaCommand(shell: Shell) {
  return createCommand(shell, "schema")
    .description(
      "Write a JSON Schema of a stack's YAML that knows the configs and metadata of the releases of its integrations, so that an editor completes and checks them. Only reads from the platform.",
    )
    .addOption(
      stackOption("name of the stack: Pulumi.<name>.yaml says which integrations it uses").makeOptionMandatory(),
    )
    .addOption(cwdOption())
    .option("--out <file>", "where to write the schema", "-")
    .addHelpText(
      "after",
      helpSection(
        "Requirements",
        "INTEGRATION_PLATFORM_API_KEY, unless the stack's file has an apiKey that is not encrypted",
      ),
    )
    .addHelpText(
      "after",
      helpSection(
        "Example",
        "integration-platform schema --stack sandbox --out sandbox.schema.json",
        "",
        "Then the first line of Pulumi.sandbox.yaml is:",
        "# yaml-language-server: $schema=./sandbox.schema.json",
      ),
    )
    .addHelpText(
      "after",
      helpSection(
        "Run it again",
        "when the stack uses another integration, other defaults or other fleets, or a release was built",
      ),
    )
    .addHelpText("after", helpSection("Exit codes", "0   success", "1   failure", "64  the command line is wrong"))
    .action((options) => exitWith(shell, async () => (await import("./run.ts")).runSchema(shell, options)));
}
