import { existsSync } from "node:fs";
import { enqueue, replayMessage } from "../../receiver/local/local-receiver.ts";
import { openDatabase, sqliteLedger } from "../../receiver/local/sqlite-ledger.ts";
import type { EventStore } from "./event-store.ts";

/**
 * The events of a local receiver. Its file may be in use: the receiver publishes what is replayed.
 *
 * @throws Error if there is no such file, or if it is not a receiver's.
 */
export function openLocalEvents(file: string): EventStore {
  if (!existsSync(file)) throw new Error(`there is no file ${file}; name the file of \`receiver --data\``);
  const database = openDatabase(file);
  const { list, find } = sqliteLedger(database);
  return {
    list,
    find,
    replay: async ({ ingestId }, replayId) => enqueue(database, replayMessage(ingestId, replayId)),
    close: () => database.close(),
  };
}
