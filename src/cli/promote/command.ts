import type { Shell } from "../shell.ts";
import { cwdOption } from "../stack-choice.ts";
import { createCommand, exitWith, helpSection } from "../subcommand.ts";
import { requiredDefault } from "./promotion.ts";

/** `integration-platform promote`. */
export function promoteCommand(shell: Shell) {
  return createCommand(shell, "promote")
    .description(
      "Declare in one stack's file the release that the tenants of another stack's platform run: look how it did there, find the " +
        "release of the same tag, compare the schemas, check all tenants, and change the file. An up then rolls it out.",
    )
    .requiredOption("--from <stack>", "the stack that has tried the release, such as sandbox")
    .requiredOption("--to <stack>", "the stack whose file is changed, such as production")
    .requiredOption("--integration <name>", "name or id of the integration in both")
    .option("--tag <tag>", "tag of the release (default: the one that all tenants of --from run)")
    .option("--build", "ask for the build of the tag if the platform of --to has no release of it")
    .option("--branch <branch>", "branch of the build (default: the integration's tracking branch)")
    .option("--move-latest", "build although tenants follow the channel Latest, and so get the new release")
    .option(
      "--require <condition>",
      `what must be proven, of tenants, syncs and failures (default: promoteRequires in the config of --to, or ${requiredDefault})`,
    )
    .option(
      "--config-key <key>",
      "change this key of the config, for a stack whose tenants a program declares: my-project:release",
    )
    .option("--dry-run", "change nothing, only say what would be changed")
    .option("--write-summary <file>", "write the text of a pull request as Markdown")
    .option("--json", "write the result as JSON")
    .addOption(cwdOption())
    .addHelpText(
      "after",
      helpSection(
        "Examples",
        "integration-platform promote --from sandbox --to production \\",
        "    --integration crm-to-billing --tag v1.5.0 --write-summary summary.md",
        "integration-platform promote --from sandbox --to production \\",
        "    --integration crm-to-billing --require 'tenants >= 3 and syncs >= 10'",
      ),
    )
    .addHelpText(
      "after",
      helpSection(
        "Connections",
        "Each platform is that of its stack's config. The environment has the key of --to in",
        "INTEGRATION_PLATFORM_API_KEY, and that of --from in INTEGRATION_PLATFORM_FROM_API_KEY.",
      ),
    )
    .addHelpText(
      "after",
      helpSection(
        "Exit codes",
        "0   the file declares the release now, or did before",
        "1   the file cannot be changed, or another failure",
        "4   refused: not enough is proven, the schemas differ, or the release does not fit a tenant",
        "64  the command line is wrong",
      ),
    )
    .action((options) => exitWith(shell, async () => (await import("./run.ts")).runPromote(shell, options)));
}
