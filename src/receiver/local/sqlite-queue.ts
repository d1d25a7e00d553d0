import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import type { Queue } from "../ports.ts";
import type { Commit } from "./group-commit.ts";

/** A queue in SQLite, in the table of `openDatabase`. */
export interface SqliteQueue extends Queue {
  /** Up to `count` messages, the oldest first. They stay in the queue. */
  take(count: number): QueuedMessage[];
  /** Takes messages out. */
  remove(ids: readonly number[]): Promise<void>;
}

export type QueuedMessage = z.infer<typeof queuedMessageSchema>;

const queuedMessageSchema = z.object({ id: z.number(), message: z.string() });

export function sqliteQueue(database: DatabaseSync, commit: Commit): SqliteQueue {
  const insertOne = database.prepare("INSERT INTO queue (message) VALUES (?)");
  const select = database.prepare("SELECT id, message FROM queue ORDER BY id LIMIT ?");
  const deleteOne = database.prepare("DELETE FROM queue WHERE id = ?");

  return {
    keep: (message) => commit(() => void insertOne.run(message)),
    take: (count) => z.array(queuedMessageSchema).parse(select.all(count)),
    remove: (ids) =>
      commit(() => {
        for (const id of ids) deleteOne.run(id);
      }),
  };
}
