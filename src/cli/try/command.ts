import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import type { Shell } from "../shell.ts";
import { connectionStackOption, cwdOption } from "../stack-choice.ts";
import { createCommand, exitWith, helpSection } from "../subcommand.ts";

/** `integration-platform try`. */
export function tryCommand(shell: Shell) {
  return createCommand(shell, "try")
    .description(
      "Try a release on test tenants: build it, check it against all tenants, sync the test tenants with it, and put their " +
        "former release back, whatever happens.",
    )
    .requiredOption("--integration <name>", "name or id of the integration")
    .option("--tag <tag>", "tag of the release; if no release has it, it is built")
    .option("--branch <branch>", "branch to build (default: the integration's tracking branch)")
    .addOption(
      new Option("--release <release>", "tag or id of a release that is there, or latest or default").conflicts([
        "tag",
        "branch",
      ]),
    )
    .option("--tenant <name...>", "id or name of a test tenant; all that are named are used", collect)
    .addOption(
      new Option(
        "--pool <expression>",
        "use test tenants that match this expression, such as 'name ~= \"^test-\"'",
      ).conflicts("tenant"),
    )
    .option("--tenants <count>", "how many tenants of the pool (default: 1)", parseCount)
    .option("--syncs <modes>", "the syncs, one after the other (default: init,normal)", parseSyncs)
    .option("--wait <seconds>", "how long to wait for tenants that others try (default: 0)", parseSeconds)
    .option(
      "--timeout <seconds>",
      "how long to wait for the build, 900 if not set, and for each outcome, 1500 if not set",
      parseSeconds,
    )
    .addOption(
      new Option("--lock <where>", "where others see who has a tenant; none: the pipeline runs one try at a time")
        .choices(["metadata", "none"] as const)
        .default("metadata" as const),
    )
    .option("--rebuild", "ask for the build again, although an earlier try has asked for it")
    .option("--move-latest", "build although tenants follow the channel Latest, and so get the new release")
    .option(
      "--restore",
      "only put tenants back that a killed try has left: those named, those of --tag (such as 'pr-123-*'), and those whose " +
        "time is over",
    )
    .option("--markdown <file>", "write the result as Markdown, for a comment on the pull request")
    .option("--junit <file>", "write the result as JUnit XML")
    .option("--json", "write the result as JSON")
    .addOption(connectionStackOption())
    .addOption(cwdOption())
    .addHelpText(
      "after",
      helpSection(
        "Examples",
        "integration-platform try --integration crm-to-billing --branch feature/x \\",
        "    --tag pr-123-4f2a9c1 --tenant test-acme",
        "integration-platform try --integration crm-to-billing --release 512 \\",
        "    --pool 'name ~= \"^test-\"' --tenants 2 --wait 1800",
        "integration-platform try --integration crm-to-billing --restore --tag 'pr-123-*'",
      ),
    )
    .addHelpText(
      "after",
      helpSection(
        "Test tenants",
        'A name that begins with "test-", or that the stack\'s config lists under testTenants. Others are refused.',
      ),
    )
    .addHelpText(
      "after",
      helpSection(
        "Exit codes",
        "0   passed; with --restore: nothing is left to put back",
        "1   it could not be tried, a tenant is not as before, or another failure",
        "4   failed: a sync failed, or the release does not fit a tenant",
        "64  the command line is wrong",
      ),
    )
    .action((options, command) => {
      const { restore, tag, release, tenant, pool } = options;
      if (!restore && tag === undefined && release === undefined) {
        command.error("error: name the release with --release, or the tag of its build with --tag");
      }
      if (!restore && tenant === undefined && pool === undefined) {
        command.error("error: name the test tenants with --tenant, or some of many with --pool");
      }
      if (options.branch !== undefined && tag === undefined) command.error("error: a build needs a --tag");
      if (options.tenants !== undefined && pool === undefined) command.error("error: --tenants belongs to --pool");
      return exitWith(shell, async () => (await import("./run.ts")).runTry(shell, options));
    });
}

function collect(name: string, before: string[] | undefined): string[] {
  return [...(before ?? []), name];
}

function parseCount(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && count <= 100) return count;
  throw new InvalidArgumentError("It must be a number from 1 to 100.");
}

const syncModes = ["init", "normal"] as const;

function parseSyncs(text: string): ("init" | "normal")[] {
  const modes = text.split(",").map((mode) => mode.trim());
  const known = modes.flatMap((mode) => syncModes.filter((one) => one === mode));
  if (known.length === modes.length) return known;
  throw new InvalidArgumentError("It must be init, normal, or both with a comma between.");
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== "" && seconds >= 0 && seconds <= 604_800) return seconds;
  throw new InvalidArgumentError("It must be a number of seconds, of a week at most.");
}
