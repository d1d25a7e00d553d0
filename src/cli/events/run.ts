import type { ListedRecord } from "../../receiver/ledger/ledger.ts";
import type { Shell } from "../shell.ts";
import { CommandError, type ExitCode, exitCodes } from "../subcommand.ts";
import { withProgress } from "../terminal.ts";
import type { EventStore } from "./event-store.ts";
import { withEvents } from "./open-store.ts";
import type { EventFilters } from "./options.ts";
import { type EventQuery, queryOf } from "./query.ts";
import type { ReceiverChoice } from "./receiver-choice.ts";
import { renderList, renderListJson, renderShown, renderShownJson } from "./render.ts";

/** Which events of which receiver are listed. */
export interface ListOptions extends ReceiverChoice, EventFilters {
  json?: true | undefined;
}

/** Prints a list of events. */
export async function runList(shell: Shell, options: ListOptions): Promise<ExitCode> {
  const query = queryOf(options);
  const records = await withEvents(shell, options, (store) => listed(shell, store, query));
  shell.stdout.write(options.json ? renderListJson(query, records) : renderList(query, records));
  return exitCodes.success;
}

/** Prints an event and its body. */
export async function runShow(
  shell: Shell,
  ingestId: string,
  options: ReceiverChoice & { json?: true | undefined },
): Promise<ExitCode> {
  const record = await withEvents(shell, options, (store) => store.find(ingestId));
  if (record === undefined) {
    throw new CommandError(`the ledger has no event ${ingestId}; give the whole ingest id: \`events list\` has it`);
  }
  shell.stdout.write(options.json ? renderShownJson(record) : renderShown(record, shell.stdout.isTTY));
  return exitCodes.success;
}

/** Reads a whole list, and shows how many events it has found. */
export function listed(
  shell: Shell,
  store: EventStore,
  { counts = () => true, ...query }: EventQuery,
): Promise<ListedRecord[]> {
  return withProgress(shell, "reading the ledger", async (progress) => {
    const records: ListedRecord[] = [];
    for await (const record of store.list(query)) {
      if (!counts(record)) continue;
      records.push(record);
      progress.show(`reading the ledger: ${records.length} events, back to ${record.receivedAt}`);
    }
    return records;
  });
}
