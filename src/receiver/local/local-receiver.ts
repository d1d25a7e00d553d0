import { randomBytes } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { jsonIn } from "../../json/parse-json.ts";
import { closeOnce } from "../../server/http-server.ts";
import { acknowledge } from "../acknowledge/acknowledge.ts";
import { tokenDigest } from "../acknowledge/token.ts";
import { type ConsumePorts, consume } from "../consume/consume.ts";
import { type BusEvent, busEventOfRecord } from "../delivery/bus-event.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Log } from "../log.ts";
import { tokenProblem } from "../schema.ts";
import { listen } from "./function-url-server.ts";
import { openDatabase, sqliteLedger } from "./sqlite-ledger.ts";

export interface LocalReceiverOptions {
  /** Default 0, which picks a free port. */
  readonly port?: number | undefined;
  /** The SQLite file that holds the queue and the ledger, of one receiver at a time. Default: both are in memory. */
  readonly data?: string | undefined;
  /** The secret in the URL. The rules of tokens on AWS apply. Default: a random one. */
  readonly token?: string | undefined;
  /** Called with each event that is published on the bus. */
  readonly onEvent: (event: BusEvent) => void;
  readonly log: Log;
  /** How often to look for messages that failed, or that another process has put into the queue, in seconds. Default 1. */
  readonly pollSeconds?: number | undefined;
}

/** A receiver on this machine. It runs the code of the Lambda functions without AWS. */
export interface LocalReceiver {
  /** The webhook URL, with its token. */
  readonly url: string;
  readonly ledger: Ledger;
  /** Resolves when every acknowledged webhook is consumed. */
  settled(): Promise<void>;
  /** Accepts no more webhooks, tries once more to consume the acknowledged ones, and closes the database. */
  close(): Promise<void>;
}

/**
 * Starts a receiver on 127.0.0.1.
 *
 * @throws Error if the port is in use, if the file cannot be used, or if the token can be guessed.
 */
export async function startLocalReceiver(options: LocalReceiverOptions): Promise<LocalReceiver> {
  const { port = 0, data, token = randomBytes(24).toString("base64url"), onEvent, log, pollSeconds = 1 } = options;
  const problem = tokenProblem(token, "the token");
  if (problem !== undefined) throw new Error(problem);
  const database = openDatabase(data);
  const ledger = sqliteLedger(database);

  const consumePorts = { ledger, bus: { publish: async (event: BusEvent) => onEvent(event) }, log };
  let consuming: Promise<boolean> | undefined;
  const consumeNow = () => {
    consuming ??= consumeAll(database, consumePorts).finally(() => {
      consuming = undefined;
    });
    return consuming;
  };
  const putMessage = async (message: string) => {
    enqueue(database, message);
    consumeNow();
  };
  const tokenDigests = [Buffer.from(tokenDigest(token), "hex")];
  const { putUnqueued } = ledger;
  const acknowledgePorts = { enqueue: putMessage, putUnqueued, tokenDigests, isAllowedSource: () => true, log };
  const server = await listen((request) => acknowledge(request, acknowledgePorts), port);
  const timer = setInterval(consumeNow, pollSeconds * 1000).unref();
  consumeNow(); // what an earlier receiver acknowledged with the same file

  return {
    url: `http://127.0.0.1:${server.port}/?token=${encodeURIComponent(token)}`,
    ledger,
    settled: async () => {
      while (!(await consumeNow())) await sleep(pollSeconds * 1000);
    },
    close: closeOnce(async () => {
      await server.close();
      clearInterval(timer);
      await consumeNow();
      database.close();
    }),
  };
}

/** Puts a message into the queue of a receiver: a webhook, or a {@link replayMessage}. */
export function enqueue(database: DatabaseSync, message: string): void {
  database.prepare("INSERT INTO queue (message) VALUES (?)").run(message);
}

/** A message that asks the receiver to publish a record of its ledger again. */
export function replayMessage(ingestId: string, replayId: string): string {
  return JSON.stringify({ version: 1, replay: { ingestId, replayId } });
}

const replaySchema = z.object({ replay: z.object({ ingestId: z.string(), replayId: z.string() }) });

/** Consumes messages until the queue is empty or one fails. Resolves to whether the queue is empty. */
async function consumeAll(database: DatabaseSync, ports: ConsumePorts): Promise<boolean> {
  for (;;) {
    const { id, message } = database.prepare("SELECT * FROM queue ORDER BY id LIMIT 1").get() ?? {};
    if (id === undefined) return true;
    const isConsumed = await consumeQueued(String(id), String(message), ports);
    // A message that failed moves behind the others.
    const change = isConsumed ? "DELETE FROM queue" : "UPDATE queue SET id = (SELECT max(id) + 1 FROM queue)";
    database.prepare(`${change} WHERE id = ?`).run(id);
    if (!isConsumed) return false;
  }
}

/** Consumes a webhook as on AWS, or publishes a record again. Resolves to whether it succeeded; the log has the reason. */
async function consumeQueued(messageId: string, body: string, ports: ConsumePorts): Promise<boolean> {
  const { data: { replay } = {} } = replaySchema.safeParse(jsonIn(body));
  try {
    if (replay === undefined) {
      return (await consume({ Records: [{ messageId, body }] }, ports)).batchItemFailures.length === 0;
    }
    const record = await ports.ledger.find(replay.ingestId);
    if (record) await ports.bus.publish(busEventOfRecord(record, replay));
    else ports.log({ level: "error", message: "the ledger has no event to replay", ...replay });
    return true;
  } catch {
    return false;
  }
}
