import { openExistingDatabase } from "../../receiver/local/database.ts";
import { sqliteDeadLetters } from "../../receiver/local/dead-letters.ts";
import { groupCommit } from "../../receiver/local/group-commit.ts";
import { encodeReplay } from "../../receiver/local/replay-message.ts";
import { sqliteLedger } from "../../receiver/local/sqlite-ledger.ts";
import { sqliteQueue } from "../../receiver/local/sqlite-queue.ts";
import type { DeadLetterStore, EventStore } from "./event-store.ts";

/** The events of a local receiver. Its file may be in use: the receiver publishes what is replayed. */
export function openLocalEvents(file: string): EventStore {
  const database = openExistingDatabase(file);
  const commit = groupCommit(database);
  const ledger = sqliteLedger(database, commit);
  const queue = sqliteQueue(database, commit);
  return {
    list: ledger.list,
    find: ledger.find,
    replay: ({ ingestId }, replayId) =>
      queue.enqueue(encodeReplay({ ingestId, replayId }), new AbortController().signal),
    close: () => database.close(),
  };
}

/** The dead letters of a local receiver. */
export function openLocalDeadLetters(file: string): DeadLetterStore {
  const database = openExistingDatabase(file);
  const deadLetters = sqliteDeadLetters(database, groupCommit(database));
  return {
    count: async () => deadLetters.count(),
    redrive: () => deadLetters.redrive(),
    close: () => database.close(),
  };
}
