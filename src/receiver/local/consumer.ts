import { setTimeout as sleep } from "node:timers/promises";
import type { SqliteQueue } from "./sqlite-queue.ts";

/** Consumes the messages of a queue, the oldest first. */
export interface Consumer {
  /** To be called when there may be something in the queue. Does not wait for it. */
  poke(): void;
  /** Resolves when the queue is empty. */
  settled(): Promise<void>;
  /** Consumes what is in the queue, then no more. What fails now stays in the queue. */
  close(): Promise<void>;
}

/** As many messages are consumed at once: their writes to the ledger share their commits. */
const batchSize = 100;

/** The pause after a batch in which something failed. */
const pauseSeconds = 1;

/** @param isConsumed consumes a message; false if it has to come again. Never rejects. */
export function createConsumer(queue: SqliteQueue, isConsumed: (message: string) => Promise<boolean>): Consumer {
  const closing = new AbortController();
  let consuming: Promise<void> | undefined;

  const consumeAll = async () => {
    for (let batch = queue.take(batchSize); batch.length > 0; batch = queue.take(batchSize)) {
      const isDone = await Promise.all(batch.map(({ message }) => isConsumed(message)));
      await queue.remove(batch.filter((_, index) => isDone[index]).map(({ id }) => id));
      if (!isDone.includes(false)) continue;
      if (closing.signal.aborted) return;
      await sleep(pauseSeconds * 1000, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  const poke = () => {
    consuming ??= consumeAll().finally(() => {
      consuming = undefined;
    });
  };
  const settled = async () => {
    poke();
    await consuming;
  };

  return {
    poke,
    settled,
    close: async () => {
      closing.abort();
      await settled();
    },
  };
}
