import { setTimeout as sleep } from "node:timers/promises";
import type { SqliteQueue } from "./sqlite-queue.ts";

/** Consumes the messages of a queue in order, as the event source mapping does on AWS. */
export interface QueuePoller {
  /** Starts consuming if the queue may have messages. Returns at once. */
  poll(): void;
  /** Resolves when the queue is empty. */
  settled(): Promise<void>;
  /** Consumes the remaining messages once, then stops. Messages that fail now stay in the queue. */
  close(): Promise<void>;
}

/** How many messages are consumed concurrently: their writes to the ledger share a commit. */
const batchSize = 100;

/** The pause after a batch with a failure. */
const pauseSeconds = 1;

/** @param consume consumes a message. Resolves to false if the message must return to the queue. Never rejects. */
export function createQueuePoller(queue: SqliteQueue, consume: (message: string) => Promise<boolean>): QueuePoller {
  const closing = new AbortController();
  let polling: Promise<void> | undefined;

  const consumeAll = async () => {
    for (let batch = queue.peek(batchSize); batch.length > 0; batch = queue.peek(batchSize)) {
      const isConsumed = await Promise.all(batch.map(({ message }) => consume(message)));
      await queue.remove(batch.filter((_, index) => isConsumed[index]).map(({ id }) => id));
      if (!isConsumed.includes(false)) continue;
      if (closing.signal.aborted) return;
      await sleep(pauseSeconds * 1000, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  const poll = () => {
    polling ??= consumeAll().finally(() => {
      polling = undefined;
    });
  };
  const settled = async () => {
    poll();
    await polling;
  };

  return {
    poll,
    settled,
    close: async () => {
      closing.abort();
      await settled();
    },
  };
}
