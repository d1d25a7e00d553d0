import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { defaultLagSeconds } from "../../emulator/platform.ts";
import { changeVariants, defaultVariants, listVariants, type Variants } from "../../emulator/variants.ts";
import { messageOf } from "../output.ts";
import { parsePort, serverExitCodes } from "../serve.ts";
import type { Shell } from "../shell.ts";
import { createCommand, exitWith, helpSection } from "../subcommand.ts";

/** `integration-platform emulator`. */
export function emulatorCommand(shell: Shell) {
  return createCommand(shell, "emulator")
    .description("Run an emulator of the platform as a local HTTP server, until SIGINT or SIGTERM.")
    .option("--port <number>", "port to listen on; 0 takes any free port", parsePort, 4010)
    .option(
      "--host <address>",
      "address to listen on; any other than loopback is reachable from other machines",
      "127.0.0.1",
    )
    .option("--data <folder>", "folder for the state (default: the state is kept in memory)")
    .option(
      "--seed <file>",
      "YAML file with the state to begin with and to reset to, checked at each start (default: a built-in seed)",
    )
    .option("--api-key <key>", "the API key that requests must carry", "sandbox-key")
    .option("--profile <file>", "behave as the profile of a platform says, which calibrate has made; a --variant wins")
    .addOption(
      new Option("--variant <name=value>", "a behavior that the specification leaves open; repeatable")
        .argParser(parseVariant)
        .default({}, "the first value of each variant below"),
    )
    .option(
      "--lag-seconds <number>",
      `how long writes stay invisible in the variant visibility=lagging (default: ${defaultLagSeconds})`,
      parseSeconds,
    )
    .addOption(
      new Option("--clock <kind>", "manual: the clock advances only by POST /_emulator/clock")
        .choices(["real", "manual"] as const)
        .default("real" as const),
    )
    .addHelpText("after", `\nVariants:\n${listVariants()}`)
    .addHelpText("after", helpSection("Exit codes", ...serverExitCodes))
    .action(({ variant: variants, ...options }) =>
      exitWith(shell, async () => (await import("./run.ts")).runEmulator(shell, { ...options, variants })),
    );
}

function parseVariant(assignment: string, variants: Partial<Variants>): Partial<Variants> {
  const [name = "", ...value] = assignment.split("=");
  if (value.length === 0) throw new InvalidArgumentError("It must have the form name=value.");
  try {
    changeVariants(defaultVariants, { [name]: value.join("=") }); // throws for what there is not
    return { ...variants, [name]: value.join("=") };
  } catch (cause) {
    throw new InvalidArgumentError(messageOf(cause));
  }
}

function parseSeconds(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a number of seconds.");
}
