import { randomBytes } from "node:crypto";
import { closeOnce } from "../../server/http-server.ts";
import { acknowledge } from "../acknowledge/acknowledge.ts";
import { tokenDigest } from "../acknowledge/token.ts";
import type { BusEvent } from "../delivery/bus-event.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Log } from "../log.ts";
import { tokenSchemaOf } from "../schema.ts";
import { consumeQueued } from "./consume-queued.ts";
import { openDatabase } from "./database.ts";
import { sqliteDeadLetters } from "./dead-letters.ts";
import { listen } from "./function-url-server.ts";
import { groupCommit } from "./group-commit.ts";
import { lockLedger } from "./ledger-lock.ts";
import { createQueuePoller } from "./queue-poller.ts";
import { sqliteLedger } from "./sqlite-ledger.ts";
import { type QueuedMessage, sqliteQueue } from "./sqlite-queue.ts";

export interface LocalReceiverOptions {
  /** Default 0, which picks a free port. */
  readonly port?: number | undefined;
  /** The SQLite file that holds the queue and the ledger. Default: both are in memory. */
  readonly data?: string | undefined;
  /** The secret in the URL. The rules of tokens on AWS apply. Default: a random one. */
  readonly token?: string | undefined;
  /** Called with each event that is published on the bus. */
  readonly onEvent: (event: BusEvent) => void;
  readonly log: Log;
  /** How long a message that was not consumed waits in the queue, in seconds. Default 1. */
  readonly retrySeconds?: number | undefined;
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
 * @throws Error if the port is in use, if the file cannot be used or another receiver uses it, or if the token can be guessed.
 */
export async function startLocalReceiver(options: LocalReceiverOptions): Promise<LocalReceiver> {
  const { port = 0, data, token = randomBytes(24).toString("base64url"), onEvent, log, retrySeconds } = options;
  checkToken(token);
  const { database, close } = openLocked(data);
  const commit = groupCommit(database);
  const queue = sqliteQueue(database, commit);
  const ledger = sqliteLedger(database, commit);

  const consumePorts = { ledger, bus: { publish: async (event: BusEvent) => onEvent(event) }, log };
  const consume = (message: QueuedMessage) => consumeQueued(message, consumePorts);
  const poller = createQueuePoller({ queue, consume, log, pauseSeconds: retrySeconds });

  const enqueue = async (message: string, signal: AbortSignal) => {
    await queue.enqueue(message, signal);
    poller.poll();
  };
  const tokenDigests = [Buffer.from(tokenDigest(token), "hex")];
  const acknowledgePorts = { enqueue, putUnqueued: ledger.putUnqueued, tokenDigests, isAllowedSource: () => true, log };
  const server = await onFailure(() => listen((request) => acknowledge(request, acknowledgePorts), port), close);
  const deadLetters = sqliteDeadLetters(database, commit).count();
  if (deadLetters > 0) {
    const redrive = `integration-platform events redrive --data ${data}`;
    log({ level: "warn", message: `the file has dead letters; to try them again: ${redrive}`, deadLetters });
  }
  // Also consumes what an earlier receiver acknowledged with the same file.
  poller.start();

  return {
    url: `http://127.0.0.1:${server.port}/?token=${encodeURIComponent(token)}`,
    ledger,
    settled: poller.settled,
    close: closeOnce(async () => {
      await server.close();
      await poller.close();
      close();
    }),
  };
}

/** Opens the database, and excludes other receivers from its file until it is closed. */
function openLocked(file: string | undefined) {
  const database = openDatabase(file);
  try {
    const lock = file === undefined ? undefined : lockLedger(file);
    const close = () => {
      database.close();
      lock?.release();
    };
    return { database, close };
  } catch (error) {
    database.close();
    throw error;
  }
}

function checkToken(token: string): void {
  const problem = tokenProblem(token, "the token");
  if (problem !== undefined) throw new Error(problem);
}

/** Why a string cannot be the token of a receiver. `name` is what the text calls it. */
export function tokenProblem(token: string, name: string): string | undefined {
  const { error } = tokenSchemaOf(name).safeParse(token);
  return error?.issues.map(({ message }) => message).join("; ");
}

async function onFailure<Result>(work: () => Promise<Result>, cleanUp: () => void): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    cleanUp();
    throw error;
  }
}
