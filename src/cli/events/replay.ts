import { randomUUID } from "node:crypto";
import { shortList } from "../../json/short-list.ts";
import type { ListedRecord } from "../../receiver/ledger/ledger.ts";
import { confirm } from "../confirm.ts";
import { messageOf } from "../output.ts";
import type { Shell } from "../shell.ts";
import { CommandError, type ExitCode, exitCodes } from "../subcommand.ts";
import { withProgress } from "../terminal.ts";
import type { EventStore } from "./event-store.ts";
import { withEvents } from "./open-store.ts";
import type { EventFilters } from "./options.ts";
import { type EventQuery, queryOf } from "./query.ts";
import type { ReceiverChoice } from "./receiver-choice.ts";
import { countOf } from "./render.ts";
import { listed } from "./run.ts";

/** Which events are published again, unless the command line has ingest ids. */
export interface ReplayOptions extends ReceiverChoice, EventFilters {
  dryRun?: true | undefined;
  /** Whether the command does not ask. */
  yes?: true | undefined;
  /** Whether events that are not on the bus yet are published too. */
  unpublished?: true | undefined;
  /** The replay id of an interrupted replay that is continued. Default: a new one. */
  replayId?: string | undefined;
}

/** Publishes events again, the oldest first, all with one replay id. */
export async function runReplay(shell: Shell, ingestIds: readonly string[], options: ReplayOptions): Promise<ExitCode> {
  const print = (line: string) => shell.stdout.write(`${line}\n`);
  return withEvents(shell, options, async (store) => {
    const query = queryOf(options);
    const { records, late, unpublished } = await selected(shell, store, ingestIds, query, options);
    if (late > 0) print(`Skipped, because reconciliation had published their events before: ${late} late webhooks.`);
    if (unpublished > 0)
      print(`Skipped, because they are not on the bus yet (status received): ${unpublished}. ${unpublishedHint}`);
    if (records.length === 0) {
      print("There are no events to publish again.");
      return exitCodes.success;
    }
    print(describe(records));
    if (options.dryRun) return exitCodes.success;
    if (!(await confirm(shell, "Publish them again? Every rule and handler gets them once more.", options))) {
      print("Nothing was published.");
      return exitCodes.failure;
    }

    const { replayId = randomUUID() } = options;
    // a duration in --since means another period later, as does a missing --until
    const period = ingestIds.length > 0 ? "" : `--since ${query.since} --until ${query.until} `;
    const again = `run it again with ${period}--replay-id ${replayId}`;
    print(`Their replayId is ${replayId}. If this is interrupted, ${again}.`);
    await replayAll(shell, store, records, { replayId, again });
    print(outcome(records.length, options));
    return exitCodes.success;
  });
}

const unpublishedHint =
  "The receiver publishes them itself, or has them as dead letters: see the alarm dead-letters. If their messages are lost, give --unpublished.";

/** The records, the oldest first, and how many others the filters would have selected, by the reason. */
interface Selection {
  readonly records: ListedRecord[];
  readonly late: number;
  readonly unpublished: number;
}

async function selected(
  shell: Shell,
  store: EventStore,
  ingestIds: readonly string[],
  query: EventQuery,
  options: ReplayOptions,
): Promise<Selection> {
  if (ingestIds.length > 0) return { records: await named(store, ingestIds, options), late: 0, unpublished: 0 };
  const found = (await listed(shell, store, query)).reverse();
  const records = found.filter((record) => record.status !== "late" && !isTooEarly(record, options));
  const late = found.filter(({ status }) => status === "late").length;
  return { records, late, unpublished: found.length - records.length - late };
}

/** Whether the consumer will still publish the event. It does not know of the replay, so the bus would get the event twice. */
function isTooEarly({ status }: ListedRecord, { unpublished }: ReplayOptions): boolean {
  return status === "received" && !unpublished;
}

/** @throws CommandError if one of the events is not there, or is not to be published. */
async function named(store: EventStore, ingestIds: readonly string[], options: ReplayOptions): Promise<ListedRecord[]> {
  const records: ListedRecord[] = [];
  const missing: string[] = [];
  for (const ingestId of new Set(ingestIds)) {
    const record = await store.find(ingestId);
    if (record === undefined) missing.push(ingestId);
    else records.push(withoutBody(record));
  }
  if (missing.length > 0)
    throw new CommandError(`the ledger has no event ${shortList(missing)}; nothing was published`);
  const early = records.filter((record) => isTooEarly(record, options)).map(({ ingestId }) => ingestId);
  if (early.length > 0)
    throw new CommandError(
      `not on the bus yet (status received): ${shortList(early)}; nothing was published. ${unpublishedHint}`,
    );
  return records.sort((one, other) => (one.receivedAt < other.receivedAt ? -1 : 1));
}

function withoutBody({ body: _, ...record }: ListedRecord & { readonly body: Uint8Array }): ListedRecord {
  return record;
}

function describe(records: readonly ListedRecord[]): string {
  const [first, last] = [records.at(0), records.at(-1)];
  const period = first === last ? `at ${first?.receivedAt}` : `from ${first?.receivedAt} to ${last?.receivedAt}`;
  return countOf(records, `received ${period}`);
}

function outcome(count: number, { data }: ReceiverChoice): string {
  if (data === undefined) return `Published again: ${count}.`;
  return `Queued: ${count}. The receiver of ${data} publishes them within a second if it runs, or else when it starts.`;
}

/**
 * @param again how to go on if this is interrupted.
 * @throws CommandError that says which events are left if one cannot be published.
 */
function replayAll(
  shell: Shell,
  store: EventStore,
  records: readonly ListedRecord[],
  { replayId, again }: { replayId: string; again: string },
): Promise<void> {
  return withProgress(shell, "publishing", async (progress) => {
    for (const [index, { ingestId, receivedAt }] of records.entries()) {
      progress.show(`published: ${index} of ${records.length} events`);
      try {
        const record = await store.find(ingestId);
        if (record === undefined) throw new Error("the ledger does not have it any more");
        await store.replay(record, replayId);
      } catch (cause) {
        const done = `published ${index} of ${records.length} events again, with the replayId ${replayId}`;
        const failed = `the next one, ${ingestId} of ${receivedAt}, failed: ${messageOf(cause)}`;
        const next = "Events are published in the order in which they were received";
        throw new CommandError(`${done}; ${failed}. ${next}. To go on, ${again}`, { cause });
      }
    }
  });
}
