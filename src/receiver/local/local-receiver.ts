import { randomBytes } from "node:crypto";
import { acknowledge } from "../acknowledge/acknowledge.ts";
import { tokenDigest } from "../acknowledge/token.ts";
import { consume } from "../consume/consume.ts";
import type { BusEvent } from "../delivery/bus-event.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Log } from "../log.ts";
import { openDatabase } from "./database.ts";
import { listen } from "./function-url-server.ts";
import { groupCommit } from "./group-commit.ts";
import { createQueuePoller } from "./queue-poller.ts";
import { sqliteLedger } from "./sqlite-ledger.ts";
import { sqliteQueue } from "./sqlite-queue.ts";

export interface LocalReceiverOptions {
  /** Default 0, which picks a free port. */
  readonly port?: number | undefined;
  /** The SQLite file that holds the queue and the ledger. Default: both are in memory. */
  readonly data?: string | undefined;
  /** The secret in the URL. Default: a random one. */
  readonly token?: string | undefined;
  /** Called with each event that is published on the bus. */
  readonly onEvent: (event: BusEvent) => void;
  readonly log: Log;
}

/** A receiver on this machine. It runs the code of the Lambda functions without AWS. */
export interface LocalReceiver {
  /** The webhook URL, with its token. */
  readonly url: string;
  readonly ledger: Ledger;
  /** Resolves when every acknowledged webhook is consumed. */
  settled(): Promise<void>;
  /** Accepts no more webhooks, consumes the acknowledged ones, and closes the database. */
  close(): Promise<void>;
}

/**
 * Starts a receiver on 127.0.0.1.
 *
 * @throws Error if the port is in use, the file cannot be used, or the token is too short.
 */
export async function startLocalReceiver(options: LocalReceiverOptions): Promise<LocalReceiver> {
  const { port = 0, data, token = randomBytes(24).toString("base64url"), onEvent, log } = options;
  if (token.length < 16) throw new Error("the token is too short; choose one of at least 16 characters");
  const database = openDatabase(data);
  const commit = groupCommit(database);
  const queue = sqliteQueue(database, commit);
  const ledger = sqliteLedger(database, commit);

  const consumePorts = { ledger, bus: { publish: async (event: BusEvent) => onEvent(event) }, log };
  const poller = createQueuePoller(queue, async (message) => {
    const batch = { Records: [{ messageId: "local", body: message }] };
    const { batchItemFailures } = await consume(batch, consumePorts);
    return batchItemFailures.length === 0;
  });

  const enqueue = async (message: string, signal: AbortSignal) => {
    await queue.enqueue(message, signal);
    poller.poll();
  };
  const tokenDigests = [Buffer.from(tokenDigest(token), "hex")];
  const acknowledgePorts = { enqueue, tokenDigests, isAllowedSource: () => true, log };
  const server = await onFailure(
    () => listen((request) => acknowledge(request, acknowledgePorts), port),
    () => database.close(),
  );
  // Consumes what an earlier receiver acknowledged with the same file.
  poller.poll();

  return {
    url: `http://127.0.0.1:${server.port}/?token=${encodeURIComponent(token)}`,
    ledger,
    settled: poller.settled,
    close: async () => {
      await server.close();
      await poller.close();
      database.close();
    },
  };
}

async function onFailure<Result>(work: () => Promise<Result>, cleanUp: () => void): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    cleanUp();
    throw error;
  }
}
