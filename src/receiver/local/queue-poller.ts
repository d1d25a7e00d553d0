import { setTimeout as sleep } from "node:timers/promises";
import { describeError, type Log } from "../log.ts";
import type { Outcome, QueuedMessage, SqliteQueue } from "./sqlite-queue.ts";

/** Consumes the messages of a queue, as the event source mapping does on AWS. */
export interface QueuePoller {
  /** Starts consuming, and looks once a second for messages that another process has put into the queue. */
  start(): void;
  /** Consumes at once if the queue may have messages. */
  poll(): void;
  /** Resolves when the queue is empty. */
  settled(): Promise<void>;
  /** Consumes the remaining messages once, then stops. Messages that fail now stay in the queue. */
  close(): Promise<void>;
}

export interface QueuePollerOptions {
  readonly queue: SqliteQueue;
  /** Consumes a message. Rejects if the message must return to the queue. */
  readonly consume: (message: QueuedMessage) => Promise<void>;
  readonly log: Log;
  /** The pause after a batch with a failure, in seconds. Default 1. */
  readonly pauseSeconds?: number | undefined;
}

/** How many messages are consumed concurrently: their writes to the ledger share a commit. */
const batchSize = 100;

/** How often the poller looks for messages that another process has put into the queue. */
const pollSeconds = 1;

export function createQueuePoller({ queue, consume, log, pauseSeconds = 1 }: QueuePollerOptions): QueuePoller {
  const closing = new AbortController();
  let polling: Promise<void> | undefined;

  /** Resolves to undefined if the queue is empty, otherwise to whether all messages of a batch were consumed. */
  const consumeBatch = async (): Promise<boolean | undefined> => {
    const batch = queue.peek(batchSize);
    if (batch.length === 0) return undefined;
    const outcomes = await Promise.all(batch.map((message) => outcomeOf(message, consume)));
    for (const deadLetter of await queue.finish(outcomes)) {
      log({ level: "error", message: "message moved to the dead letters", ...deadLetter });
    }
    return outcomes.every(({ failure }) => failure === undefined);
  };
  const tryConsumeBatch = () =>
    consumeBatch().catch((error: unknown) => {
      log({ level: "error", message: "the queue cannot be read or written", error: describeError(error) });
      return false;
    });
  const consumeAll = async () => {
    for (;;) {
      const isConsumed = await tryConsumeBatch();
      if (isConsumed === undefined || (!isConsumed && closing.signal.aborted)) return;
      if (isConsumed) continue;
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
  let timer: NodeJS.Timeout | undefined;

  return {
    start: () => {
      timer = setInterval(poll, pollSeconds * 1000).unref();
      poll();
    },
    poll,
    settled,
    close: async () => {
      clearInterval(timer);
      closing.abort();
      await settled();
    },
  };
}

async function outcomeOf(message: QueuedMessage, consume: QueuePollerOptions["consume"]): Promise<Outcome> {
  try {
    await consume(message);
    return { message };
  } catch (error) {
    return { message, failure: { error } };
  }
}
