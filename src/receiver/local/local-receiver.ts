import { randomBytes } from "node:crypto";
import { acknowledge } from "../acknowledge/acknowledge.ts";
import { tokenDigest } from "../acknowledge/token.ts";
import { consumeBatch } from "../consume/consume-batch.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Log } from "../log.ts";
import type { BusEvent } from "../ports.ts";
import { createConsumer } from "./consumer.ts";
import { openDatabase } from "./database.ts";
import { listen } from "./function-url-server.ts";
import { groupCommit } from "./group-commit.ts";
import { sqliteLedger } from "./sqlite-ledger.ts";
import { sqliteQueue } from "./sqlite-queue.ts";

/** How a local receiver is to be. */
export interface LocalReceiverOptions {
  /** Default 0, any free one. */
  readonly port?: number | undefined;
  /** The file of queue and ledger, an SQLite database. Default: in memory. */
  readonly data?: string | undefined;
  /** The secret in the URL. Default: a random one. */
  readonly token?: string | undefined;
  /** Told of each event as it comes onto the bus. */
  readonly onEvent: (event: BusEvent) => void;
  readonly log: Log;
}

/** A receiver on this machine: the code of the Lambda functions, without AWS. */
export interface LocalReceiver {
  /** What to set as the webhook URL, with its token. */
  readonly url: string;
  readonly ledger: Ledger;
  /** Resolves when all that was acknowledged has been consumed. */
  settled(): Promise<void>;
  /** Takes no more, finishes what it has acknowledged, and ends. */
  close(): Promise<void>;
}

/**
 * Starts a receiver on loopback.
 *
 * @throws Error when the port is taken, the file of no use or the token too short.
 */
export async function startLocalReceiver(options: LocalReceiverOptions): Promise<LocalReceiver> {
  const { port = 0, data, token = randomBytes(24).toString("base64url"), onEvent, log } = options;
  if (token.length < 16) throw new Error("the token must have at least 16 characters");
  const database = openDatabase(data);
  const commit = groupCommit(database);
  const queue = sqliteQueue(database, commit);
  const ledger = sqliteLedger(database, commit);
  const consumePorts = { ledger, bus: { publish: async (event: BusEvent) => onEvent(event) }, log };
  const consumer = createConsumer(queue, async (message) => {
    const { batchItemFailures } = await consumeBatch(
      { Records: [{ messageId: "local", body: message }] },
      consumePorts,
    );
    return batchItemFailures.length === 0;
  });

  const keep = async (message: string, signal: AbortSignal) => {
    await queue.keep(message, signal);
    consumer.poke();
  };
  const ports = { keep, tokenDigests: [Buffer.from(tokenDigest(token), "hex")], isAllowedSource: () => true, log };
  const server = await orElse(
    () => listen((request) => acknowledge(request, ports), port),
    () => database.close(),
  );
  // What an earlier receiver had acknowledged and not consumed.
  consumer.poke();

  return {
    url: `http://127.0.0.1:${server.port}/?token=${encodeURIComponent(token)}`,
    ledger,
    settled: consumer.settled,
    close: async () => {
      await server.close();
      await consumer.close();
      database.close();
    },
  };
}

/** Cleans up where the work fails. */
async function orElse<Result>(work: () => Promise<Result>, cleanUp: () => void): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    cleanUp();
    throw error;
  }
}
