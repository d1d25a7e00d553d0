import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import type { Queue } from "../message.ts";
import type { Commit } from "./group-commit.ts";

/** A queue in the SQLite database of `openDatabase`. */
export interface SqliteQueue extends Queue {
  /** Returns up to `count` messages, the oldest first, without removing them. */
  peek(count: number): QueuedMessage[];
  /** Deletes messages from the queue. */
  remove(ids: readonly number[]): Promise<void>;
}

export type QueuedMessage = z.infer<typeof queuedMessageSchema>;

const queuedMessageSchema = z.object({ id: z.number(), message: z.string() });

export function sqliteQueue(database: DatabaseSync, commit: Commit): SqliteQueue {
  const insertMessage = database.prepare("INSERT INTO queue (message) VALUES (?)");
  const selectMessages = database.prepare("SELECT id, message FROM queue ORDER BY id LIMIT ?");
  const deleteMessage = database.prepare("DELETE FROM queue WHERE id = ?");

  return {
    enqueue: (message) => commit(() => void insertMessage.run(message)),
    peek: (count) => z.array(queuedMessageSchema).parse(selectMessages.all(count)),
    remove: (ids) =>
      commit(() => {
        for (const id of ids) deleteMessage.run(id);
      }),
  };
}
