import { Argument } from "@commander-js/extra-typings";
import type { Shell } from "../shell.ts";
import { cwdOption, stackOption } from "../stack-choice.ts";
import { createCommand, exitWith, helpSection } from "../subcommand.ts";
import {
  busOption,
  dataOption,
  ledgerOption,
  parseIngestId,
  parseReplayId,
  requirements,
  sinceOption,
  stackDescription,
  tenantOption,
  typeOption,
  untilOption,
} from "./options.ts";

/** `integration-platform events`. */
export function eventsCommand(shell: Shell) {
  return createCommand(shell, "events")
    .helpCommand("help [command]", "show the help of a command")
    .description("Show the events that a webhook receiver has stored, and publish them again.")
    .addCommand(listCommand(shell))
    .addCommand(showCommand(shell))
    .addCommand(replayCommand(shell));
}

/** `integration-platform events list`. */
function listCommand(shell: Shell) {
  return createCommand(shell, "events list")
    .description("List events of the ledger, the newest first. Only reads.")
    .addOption(sinceOption())
    .addOption(untilOption())
    .addOption(typeOption())
    .addOption(tenantOption())
    .addOption(dataOption())
    .addOption(stackOption(stackDescription))
    .addOption(cwdOption())
    .addOption(ledgerOption())
    .option("--json", "write the events as JSON")
    .addHelpText(
      "after",
      helpSection(
        "Examples",
        "integration-platform events list --stack dev --since 2h --type run_failed",
        "integration-platform events list --data hooks.sqlite --tenant 5001",
      ),
    )
    .addHelpText("after", requirements)
    .addHelpText("after", helpSection("Exit codes", "0   success, even if there are no events", ...failureCodes))
    .action((options) => exitWith(shell, async () => (await import("./run.ts")).runList(shell, options)));
}

/** `integration-platform events show`. */
function showCommand(shell: Shell) {
  return createCommand(shell, "events show")
    .description("Show an event of the ledger, its problems and its body. Only reads.")
    .addArgument(new Argument("<ingestId>", ingestIdDescription).argParser(parseIngestId))
    .addOption(dataOption())
    .addOption(stackOption(stackDescription))
    .addOption(cwdOption())
    .addOption(ledgerOption())
    .option("--json", "write the event as JSON")
    .addHelpText("after", requirements)
    .addHelpText("after", helpSection("Exit codes", "0   success", "1   failure, or there is no such event", usage))
    .action((ingestId, options) =>
      exitWith(shell, async () => (await import("./run.ts")).runShow(shell, ingestId, options)),
    );
}

/** `integration-platform events replay`. */
function replayCommand(shell: Shell) {
  return createCommand(shell, "events replay")
    .description(
      "Publish events again. They keep their ingest ids, and get a replay id, so that handlers that drop duplicates do not drop them.",
    )
    .addArgument(
      new Argument(
        "[ingestIds...]",
        "ingest ids of the events; without them, --since, --until, --type or --tenant must select some",
      ),
    )
    .addOption(sinceOption())
    .addOption(untilOption())
    .addOption(typeOption())
    .addOption(tenantOption())
    .option(
      "--unpublished",
      "include events that are not on the bus yet (status received); use only if the queue has lost their messages",
    )
    .option(
      "--replay-id <id>",
      "continue an interrupted replay under its replay id, so that handlers that drop duplicates skip what they have handled",
      parseReplayId,
    )
    .option("--dry-run", "show how many events of which type would be published, and publish none")
    .option("--yes", "do not ask")
    .addOption(dataOption())
    .addOption(stackOption(stackDescription))
    .addOption(cwdOption())
    .addOption(ledgerOption())
    .addOption(busOption())
    .addHelpText(
      "after",
      helpSection(
        "Examples",
        "integration-platform events replay --stack dev --since 6h --type run_failed",
        "integration-platform events replay --data hooks.sqlite INGEST_ID",
      ),
    )
    .addHelpText("after", requirements)
    .addHelpText(
      "after",
      helpSection("Exit codes", "0   the events are published, or queued for a local receiver", ...failureCodes),
    )
    .action((ingestIds, options, command) => {
      const { since, until, type, tenant, ledger, bus } = options;
      const isFiltered = [since, until, type, tenant].some((value) => value !== undefined);
      if (ingestIds.includes("")) command.error("error: an ingest id is empty; `events list` has the ids");
      if (ingestIds.length > 0 && isFiltered) command.error("error: ingest ids and filters exclude each other");
      if (ingestIds.length === 0 && !isFiltered) {
        command.error("error: name events by their ingest ids, or by --since, --until, --type or --tenant");
      }
      if ((ledger === undefined) !== (bus === undefined)) command.error("error: --ledger and --bus belong together");
      return exitWith(shell, async () => (await import("./replay.ts")).runReplay(shell, ingestIds, options));
    });
}

const ingestIdDescription = "whole ingest id of the event: `events list` and the logs have it";
const usage = "64  the command line is wrong";
const failureCodes = ["1   failure", usage] as const;
