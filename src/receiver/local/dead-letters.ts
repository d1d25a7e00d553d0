import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import type { Commit } from "./group-commit.ts";

/** The dead letters in the SQLite database of `openDatabase`, for a command beside the receiver. */
export interface SqliteDeadLetters {
  count(): number;
  /** Moves all dead letters back to the queue, as if they had not been received yet. Resolves to their number. */
  redrive(): Promise<number>;
}

export function sqliteDeadLetters(database: DatabaseSync, commit: Commit): SqliteDeadLetters {
  const countLetters = database.prepare("SELECT count(*) AS count FROM dead_letters");
  const enqueueLetters = database.prepare("INSERT INTO queue (message) SELECT message FROM dead_letters ORDER BY id");
  const deleteLetters = database.prepare("DELETE FROM dead_letters");

  return {
    count: () => z.object({ count: z.number() }).parse(countLetters.get()).count,
    redrive: () =>
      commit(() => {
        enqueueLetters.run();
        return Number(deleteLetters.run().changes);
      }),
  };
}
