import { CommanderError } from "@commander-js/extra-typings";
import { packageVersion } from "../package-version.ts";
import { calibrateCommand } from "./calibrate/command.ts";
import { checkCommand } from "./check/command.ts";
import { driftCommand } from "./drift/command.ts";
import { emulatorCommand } from "./emulator/command.ts";
import { eventsCommand } from "./events/command.ts";
import { exportCommand } from "./export/command.ts";
import { logsCommand } from "./logs/command.ts";
import { pauseCommand } from "./pause/command.ts";
import { promoteCommand } from "./promote/command.ts";
import { receiverCommand } from "./receiver/command.ts";
import { resumeCommand } from "./resume/command.ts";
import { rolloutCommand } from "./rollout/command.ts";
import { runsCommand } from "./runs/command.ts";
import { schemaCommand } from "./schema/command.ts";
import type { Shell } from "./shell.ts";
import { statusCommand } from "./status/command.ts";
import { createCommand, exitCodes, helpSection, rootName } from "./subcommand.ts";
import { syncCommand } from "./sync/command.ts";
import { tryCommand } from "./try/command.ts";
import { validateCommand } from "./validate/command.ts";

/** Runs a command line of `integration-platform`, and sets the exit code of the shell. */
export async function runCommandLine(shell: Shell, args: readonly string[]): Promise<void> {
  try {
    await rootCommand(shell).parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    shell.exitCode = error.exitCode === 0 ? exitCodes.success : exitCodes.usageError;
  }
}

/**
 * The command `integration-platform` with all of its subcommands. Each subcommand has a folder: command.ts declares its options
 * and help, run.ts does the work, render.ts makes the output. A run.ts is loaded only when its subcommand is called.
 */
export function rootCommand(shell: Shell) {
  return createCommand(shell, rootName)
    .helpCommand("help [command]", "show the help of a command")
    .description("Tools for the tenants of an integration platform that Pulumi manages.")
    .version(packageVersion(), "--version", "show the version of this package")
    .option("--base-url <url>", "base URL of the platform; overrides INTEGRATION_PLATFORM_BASE_URL")
    .option("--platform <file>", "profile of the platform; overrides INTEGRATION_PLATFORM_PROFILE")
    .addHelpText(
      "after",
      helpSection(
        "Environment",
        "INTEGRATION_PLATFORM_BASE_URL  base URL of the platform",
        "INTEGRATION_PLATFORM_API_KEY   API key of the platform",
        "INTEGRATION_PLATFORM_PROFILE   profile of the platform, which calibrate makes",
      ),
    )
    .addHelpText(
      "after",
      helpSection(
        "Exit codes",
        "0   success",
        "1   the command failed, or check or validate found something",
        "2   drift found differences, a rollout is in progress, or the outcome of a sync is not known in time",
        "3   rollout status: a rollout waits for a person",
        "4   rollout status: a rollout has failed; sync: a run has failed; try: the release has failed; promote: refused",
        "64  the command line is wrong: an unknown command or option, or an invalid value",
      ),
    )
    .hook("preAction", (program) => {
      const { baseUrl, platform } = program.opts();
      if (baseUrl !== undefined) shell.env.INTEGRATION_PLATFORM_BASE_URL = baseUrl;
      if (platform !== undefined) shell.env.INTEGRATION_PLATFORM_PROFILE = platform;
    })
    .addCommand(statusCommand(shell))
    .addCommand(logsCommand(shell))
    .addCommand(runsCommand(shell))
    .addCommand(syncCommand(shell))
    .addCommand(tryCommand(shell))
    .addCommand(promoteCommand(shell))
    .addCommand(exportCommand(shell))
    .addCommand(checkCommand(shell))
    .addCommand(pauseCommand(shell))
    .addCommand(resumeCommand(shell))
    .addCommand(calibrateCommand(shell))
    .addCommand(driftCommand(shell))
    .addCommand(rolloutCommand(shell))
    .addCommand(validateCommand(shell))
    .addCommand(schemaCommand(shell))
    .addCommand(emulatorCommand(shell))
    .addCommand(receiverCommand(shell))
    .addCommand(eventsCommand(shell));
}
