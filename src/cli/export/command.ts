import { Option } from "@commander-js/extra-typings";
import type { Shell } from "../shell.ts";
import { connectionStackOption, cwdOption } from "../stack-choice.ts";
import { createCommand, exitWith, helpSection } from "../subcommand.ts";
import { integrationOption, whereExample, whereOption } from "../tenants/options.ts";

/** `integration-platform export`. */
export function exportCommand(shell: Shell) {
  return createCommand(shell, "export")
    .description(
      "Write the live tenants as a stack, so that `pulumi up` takes them over. Only reads from the platform.",
    )
    .addOption(integrationOption().makeOptionMandatory())
    .addOption(whereOption())
    .addOption(connectionStackOption())
    .addOption(cwdOption())
    .addOption(
      new Option("--as <resources>", "a resource for each tenant, or a fleet for each integration")
        .choices(["tenants", "fleets"] as const)
        .default("tenants" as const),
    )
    .addOption(
      new Option(
        "--format <format>",
        "the config of a stack as YAML, a TypeScript program, or a file for `pulumi import --file` with the provider plugin",
      )
        .choices(["yaml", "ts", "import"] as const)
        .default("yaml" as const),
    )
    .option("--json", "write the tenants as JSON instead")
    .option(
      "--tenants-to <folder>",
      "with --as fleets: write the tenants of each fleet to a file, <folder>/<fleet>.yaml",
    )
    .addHelpText(
      "after",
      helpSection(
        "Examples, for a stack file without a config (merge the output by hand into one that has a config)",
        "integration-platform export --integration all >> Pulumi.production.yaml",
        "integration-platform export --integration all --as fleets --tenants-to tenants >> Pulumi.production.yaml",
        `integration-platform export --integration crm-to-billing ${whereExample} >> Pulumi.production.yaml`,
        "integration-platform export --integration all --format import > tenants.json; pulumi import --file tenants.json",
      ),
    )
    .addHelpText("after", helpSection("Exit codes", "0   success", "1   failure", "64  the command line is wrong"))
    .action((options, command) => {
      const isYamlOfFleets = options.as === "fleets" && options.format === "yaml" && !options.json;
      if (options.tenantsTo !== undefined && !isYamlOfFleets) {
        command.error("error: option '--tenants-to <folder>' requires --as fleets and --format yaml, without --json");
      }
      const isImportOfFleets = options.as === "fleets" && options.format === "import" && !options.json;
      if (options.where !== undefined && isImportOfFleets) {
        command.error(
          "error: option '--where <expression>' does not work with --as fleets and --format import: " +
            "`pulumi import` of a fleet imports all live tenants of the integration",
        );
      }
      return exitWith(shell, async () => (await import("./run.ts")).runExport(shell, options));
    });
}
