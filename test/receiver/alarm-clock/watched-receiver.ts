import { acknowledge } from "../../../src/receiver/acknowledge/acknowledge.ts";
import { tokenDigest } from "../../../src/receiver/acknowledge/token.ts";
import type { WebhookReceiverArgs } from "../../../src/receiver/args.ts";
import { consume } from "../../../src/receiver/consume/consume.ts";
import type { BusEvent } from "../../../src/receiver/delivery/bus-event.ts";
import type { Ledger, LedgerRecord } from "../../../src/receiver/ledger/ledger.ts";
import type { Log, LogEntry } from "../../../src/receiver/log.ts";
import type { WebhookReceiver } from "../../../src/receiver/resource.ts";
import { ofType, type RegisteredResource, registerReceiver } from "../mocked-program.ts";
import { openLedger } from "../open-ledger.ts";
import { type AlarmClock, startAlarmClock } from "./alarm-clock.ts";
import { declaredAlarm } from "./declared-alarm.ts";
import { type SimulatedQueue, simulateQueue } from "./simulated-queue.ts";

/** The code of a receiver in this process, watched by the alarms that the component declares. */
export interface WatchedReceiver {
  readonly clock: AlarmClock;
  readonly queue: SimulatedQueue;
  readonly ledger: Ledger;
  readonly published: readonly BusEvent[];
  /** Sends a webhook. Resolves to the status of the response. */
  post(body: string, options?: { readonly token?: string; readonly method?: string }): Promise<number>;
  /** The parts that fail from now on. */
  readonly broken: { table: boolean; queue: boolean };
  /** The logs so far. */
  readonly logged: Readonly<Record<"acknowledge" | "consume" | "reconcile", readonly LogEntry[]>>;
  /** The log of the reconciler. */
  readonly reconcilerLog: Log;
  /** The names of the alarms that rang so far, as `<minute> <name>`. */
  rung(): string[];
}

const token = "c5f1a09be27d438690bbfed5213ac874";

/** Declares a receiver named `events`. Resolves to its resources. */
export async function declareReceiver(
  args: Omit<WebhookReceiverArgs, "tokens">,
  declareMore?: (receiver: WebhookReceiver) => void,
): Promise<readonly RegisteredResource[]> {
  return (await registerReceiver({ tokens: [token], ...args }, declareMore)).resources;
}

/** Runs the functions of a declared receiver on a clock. It has no reconciler: call `reconcile` with its log. */
export function startWatchedReceiver(resources: readonly RegisteredResource[]): WatchedReceiver {
  const clock = startAlarmClock(
    ofType(resources, "MetricAlarm").map(({ name, inputs }) => declaredAlarm(name, inputs)),
  );
  const stored = openLedger();
  const broken = { table: false, queue: false };
  const published: BusEvent[] = [];
  const logged: Record<"acknowledge" | "consume" | "reconcile", LogEntry[]> = {
    acknowledge: [],
    consume: [],
    reconcile: [],
  };
  const logOf = (part: keyof typeof logged): Log => {
    const log = clock.logOf(`events-${part}`);
    return (entry) => {
      logged[part].push(entry);
      log(entry);
    };
  };

  const ledger: Ledger = {
    ...stored,
    putIfAbsent: async (record) => {
      if (broken.table) throw new Error("the table does not answer", { cause: new Error("ResourceNotFoundException") });
      return stored.putIfAbsent(record);
    },
    putUnqueued: async (record) => {
      if (broken.table) throw new Error("the table does not answer");
      await stored.putIfAbsent(record);
      unqueued.set(record.ingestId, record);
    },
    listUnqueued: async function* () {
      for (const record of unqueued.values()) yield { ...record, status: "received" };
    },
    updateStatus: async (record, status) => {
      await stored.updateStatus(record, status);
      unqueued.delete(record.ingestId);
    },
  };
  const unqueued = new Map<string, LedgerRecord>();
  const bus = { publish: async (event: BusEvent) => void published.push(event) };
  const queueInputs = ofType(resources, "Queue").find(({ name }) => name === "events-queue")?.inputs;
  const queue = simulateQueue(clock, {
    queueName: "events-queue",
    deadLettersName: "events-dead-letters",
    visibilitySeconds: Number(queueInputs?.visibilityTimeoutSeconds),
    maxReceiveCount: JSON.parse(String(queueInputs?.redrivePolicy)).maxReceiveCount,
    consumerName: "events-consume",
    consume: (batch) => consume(batch, { ledger, bus, log: logOf("consume") }),
  });
  const schedule = 5; // minutes; the schedule invokes the consumer without messages
  clock.everyMinute(async () => {
    if (clock.minute % schedule === schedule - 1) await consume({}, { ledger, bus, log: logOf("consume") });
  });

  const acknowledgePorts = {
    enqueue: async (message: string) => {
      if (broken.queue) throw new Error("the queue does not answer");
      queue.send(message);
    },
    putUnqueued: ledger.putUnqueued,
    tokenDigests: [Buffer.from(tokenDigest(token), "hex")],
    isAllowedSource: () => true,
    log: logOf("acknowledge"),
  };
  return {
    clock,
    queue,
    ledger,
    published,
    broken,
    logged,
    reconcilerLog: logOf("reconcile"),
    post: async (body, { token: sent = token, method = "POST" } = {}) => {
      const http = { method, sourceIp: "192.0.2.7" };
      const request = { rawQueryString: `token=${sent}`, requestContext: { http }, body, isBase64Encoded: false };
      const { statusCode } = await acknowledge(request, acknowledgePorts);
      const ofUrl = { namespace: "AWS/Lambda", dimensions: { FunctionName: "events-acknowledge" } };
      clock.put({ ...ofUrl, metricName: "Url4xxCount" }, statusCode >= 400 && statusCode < 500 ? 1 : 0);
      clock.put({ ...ofUrl, metricName: "Url5xxCount" }, statusCode >= 500 ? 1 : 0);
      return statusCode;
    },
    rung: () =>
      clock.changes
        .filter(({ state }) => state === "ALARM")
        .map(({ minute, alarm }) => `${minute} ${alarm.name.replace(/^events-(.*)-alarm$/, "$1")}`),
  };
}
