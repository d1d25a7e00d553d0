import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { type DescribedError, describeError } from "../log.ts";
import type { Queue } from "../message.ts";
import type { Commit } from "./group-commit.ts";

/** A queue in the SQLite database of `openDatabase`, with its dead letters. */
export interface SqliteQueue extends Queue {
  /** Returns up to `count` messages without removing them: first those that failed least often, then the oldest. */
  peek(count: number): QueuedMessage[];
  /**
   * Removes the messages that were consumed, and counts the failures of the others. A message that has failed
   * {@link maxReceives} times becomes a dead letter. Resolves to the new dead letters.
   */
  finish(outcomes: readonly Outcome[]): Promise<DeadLetter[]>;
}

export type QueuedMessage = z.infer<typeof queuedMessageSchema>;

/** How the attempt to consume a message ended. */
export interface Outcome {
  readonly message: QueuedMessage;
  /** Why the message was not consumed. */
  readonly failure?: { readonly error: unknown } | undefined;
}

/** A message that the receiver does not try to consume any more. */
export interface DeadLetter {
  /** The id of the message in the queue. */
  readonly messageId: string;
  readonly receiveCount: number;
  /** The last error. */
  readonly error: DescribedError;
}

/** How often a message is received before it becomes a dead letter, as on AWS. */
export const maxReceives = 10;

const queuedMessageSchema = z
  .object({ id: z.number(), message: z.string(), receive_count: z.number() })
  .transform(({ id, message, receive_count }) => ({ id, message, receiveCount: receive_count }));

export function sqliteQueue(database: DatabaseSync, commit: Commit): SqliteQueue {
  const insertMessage = database.prepare("INSERT INTO queue (message) VALUES (?)");
  const selectMessages = database.prepare("SELECT * FROM queue ORDER BY receive_count, id LIMIT ?");
  const updateMessage = database.prepare("UPDATE queue SET receive_count = ? WHERE id = ?");
  const deleteMessage = database.prepare("DELETE FROM queue WHERE id = ?");
  const insertDeadLetter = database.prepare(
    "INSERT INTO dead_letters (message, receive_count, error, at) VALUES (?, ?, ?, ?)",
  );

  const finishOne = ({ message: { id, message, ...before }, failure }: Outcome): DeadLetter[] => {
    const receiveCount = before.receiveCount + 1;
    if (failure !== undefined && receiveCount < maxReceives) {
      updateMessage.run(receiveCount, id);
      return [];
    }
    deleteMessage.run(id);
    if (failure === undefined) return [];
    const error = describeError(failure.error);
    insertDeadLetter.run(message, receiveCount, JSON.stringify(error), new Date().toISOString());
    return [{ messageId: String(id), receiveCount, error }];
  };

  return {
    enqueue: (message) => commit(() => void insertMessage.run(message)),
    peek: (count) => z.array(queuedMessageSchema).parse(selectMessages.all(count)),
    finish: (outcomes) => commit(() => outcomes.flatMap(finishOne)),
  };
}
