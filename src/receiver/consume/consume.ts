import { parsePlatformDate } from "../../api/platform-clock.ts";
import { busEventOf } from "../delivery/bus-event.ts";
import { type Decision, type DeliveryOutcome, type DeliveryPorts, deliver } from "../delivery/deliver.ts";
import { type ParsedEvent, type PlatformEvent, parseEvent } from "../events/index.ts";
import { type LedgerRecord, recordOf, type TenantEvent } from "../ledger/ledger.ts";
import { describeError, type Log } from "../log.ts";
import { decodeMessage, type Webhook } from "../message.ts";
import type { Metrics } from "../metrics.ts";

/** A batch of SQS messages, as Lambda passes it: the part that {@link consume} reads. The event of a schedule has none. */
export interface QueueBatch {
  readonly Records?: readonly { readonly messageId: string; readonly body: string }[] | undefined;
}

/** The messages that return to the queue. Lambda reads it only if the event source mapping has `ReportBatchItemFailures`. */
export interface BatchFailures {
  readonly batchItemFailures: { itemIdentifier: string }[];
}

/** The services that the consumer uses. */
export interface ConsumePorts extends DeliveryPorts {
  readonly log: Log;
  /** The current time in milliseconds since the epoch. Default: the machine's clock. */
  readonly now?: (() => number) | undefined;
}

/**
 * Consumes each message of a batch by itself: a message that fails does not affect the others. Without a batch, consumes the
 * webhooks that the acknowledging function could not queue.
 *
 * @throws Error if every message fails. Lambda then counts an error, and returns the whole batch to the queue (AWS Lambda,
 * "Handling errors for an SQS event source"). It counts no error for messages in `batchItemFailures`.
 */
export async function consume({ Records }: QueueBatch, ports: ConsumePorts): Promise<BatchFailures> {
  if (Records === undefined) return consumeUnqueued(ports);
  const consumeOne = ({ messageId, body }: (typeof Records)[number]) =>
    tryConsume({ messageId }, async () => decodeMessage(body), ports);
  const characters = Records.reduce((sum, { body }) => sum + body.length, 0);
  const outcomes: MessageOutcome[] = [];
  if (characters > maxConcurrentCharacters) for (const record of Records) outcomes.push(await consumeOne(record));
  else outcomes.push(...(await Promise.all(Records.map(consumeOne))));
  const errors = outcomes.filter((outcome) => "error" in outcome);
  if (Records.length > 0 && errors.length === Records.length) {
    throw new Error(`none of the ${Records.length} messages could be consumed`, { cause: errors[0]?.error });
  }
  const unfinished = Records.filter((_, index) => outcomes[index]?.isFinished === false);
  return { batchItemFailures: unfinished.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

/** A larger batch is consumed one message after the other: each takes several times its length in memory. */
const maxConcurrentCharacters = 1_000_000;

/** A message that is not finished returns to the queue. */
type MessageOutcome = { readonly isFinished: boolean } | { readonly isFinished: false; readonly error: unknown };

async function consumeUnqueued(ports: ConsumePorts): Promise<BatchFailures> {
  const end = Date.now() + maxUnqueuedSeconds * 1000;
  let failure: { readonly error: unknown } | undefined;
  for await (const { ingestId } of ports.ledger.listUnqueued()) {
    if (Date.now() > end) break;
    const read = async () => {
      const record = await ports.ledger.find(ingestId);
      if (record === undefined) throw new Error(`the ledger lists ${ingestId}, and does not find it`);
      return { ...record, sourceIp: record.sourceIp ?? "" };
    };
    const outcome = await tryConsume({ ingestId }, read, ports);
    if ("error" in outcome) failure ??= outcome;
  }
  if (failure) throw new Error("webhooks that were not queued could not be consumed", { cause: failure.error });
  return { batchItemFailures: [] };
}

/** Less than the function's timeout. The next run continues. */
const maxUnqueuedSeconds = 20;

async function tryConsume(
  names: { readonly messageId?: string; readonly ingestId?: string },
  read: () => Promise<Webhook>,
  ports: ConsumePorts,
): Promise<MessageOutcome> {
  let { ingestId } = names;
  try {
    const webhook = await read();
    ingestId = webhook.ingestId;
    const { status } = await consumeWebhook(webhook, ports);
    return { isFinished: status !== "received" };
  } catch (error) {
    const facts = { ...names, ingestId, error: describeError(error) };
    ports.log({ level: "error", message: "message not consumed", ...facts, metrics: { MessagesNotConsumed: 1 } });
    return { isFinished: false, error };
  }
}

/**
 * Delivers a webhook to the ledger and the bus. A body that is not an event is delivered too, with its problems. Webhooks with
 * the same ingest id are the same event, even if their bodies differ.
 *
 * @returns an outcome with the status `received` if a sweep is about to publish the event. Then the message must return to the
 * queue.
 * @throws Error if the delivery failed. Then the message must return to the queue, too.
 */
export async function consumeWebhook(webhook: Webhook, ports: ConsumePorts): Promise<DeliveryOutcome> {
  const parsed = parseEvent(webhook.body);
  const record = recordOf(webhook, parsed);
  const outcome = await deliver(ports, record, () => decide(record, parsed, ports));
  logConsumed(ports.log, record, parsed, outcome);
  return outcome;
}

/** Decides whether an event is published, once it is in the ledger. */
async function decide(record: LedgerRecord, parsed: ParsedEvent, ports: ConsumePorts): Promise<Decision> {
  const arrival = parsed.kind === "known" ? await recordWebhook(ports, record, parsed.event) : "in time";
  if (arrival === "not yet known") return { status: "received" };
  if (arrival === "late") return { status: "late" };
  return { status: "published", event: busEventOf(record, parsed) };
}

/** Longer than a sweep may run, and shorter than a message stays in the queue. */
const stuckSeconds = 1_200;

/** How far the platform's clock may be ahead of the receiver's. */
const clockSkewSeconds = 60;

/**
 * Records in the ledger that a webhook reported a tenant event. Other events need no such record.
 *
 * @returns `late` if reconciliation has published the same event already, `not yet known` if it is about to, and otherwise
 * `in time`. If the webhook reports a later archiving than the one that reconciliation saw, it is another event: the tenant was
 * restored and archived again.
 */
async function recordWebhook(
  ports: ConsumePorts,
  record: LedgerRecord,
  event: PlatformEvent,
): Promise<"late" | "in time" | "not yet known"> {
  const tenantEvent = tenantEventOf(event);
  if (tenantEvent === undefined) return "in time";
  const observation = { state: "webhook", at: record.receivedAt, ingestId: record.ingestId } as const;
  const existing = await ports.ledger.putObservation(tenantEvent, observation, ["noticed"]);
  if (existing?.state !== "reconciling" && existing?.state !== "reconciled") return "in time";
  // That sweep may never end: its function may have died, and the tenant may be gone from the lists.
  const isStuck = (ports.now ?? Date.now)() > Date.parse(record.receivedAt) + stuckSeconds * 1000;
  if (existing.state === "reconciling" && isStuck) {
    ports.log({ level: "warn", message: "a sweep did not end; its event is published by its webhook", ...tenantEvent });
    await ports.ledger.putObservation(tenantEvent, observation, ["reconciling"]);
    return "in time";
  }
  const published = existing.state === "reconciled" ? "late" : "not yet known";
  if (tenantEvent.eventKind === "created") return published;
  // A missing or invalid time compares as false, so the event is published: a second event does less harm than a lost one.
  const isSameArchiving = parsePlatformDate(event.timestamp ?? "") <= Date.parse(existing.at) + clockSkewSeconds * 1000;
  return isSameArchiving ? published : "in time";
}

function tenantEventOf(event: PlatformEvent): TenantEvent | undefined {
  if (event.event_type === "new_tenant_created") return { tenantId: event.tenant_id, eventKind: "created" };
  if (event.event_type === "tenant_archived") return { tenantId: event.tenant_id, eventKind: "archived" };
  return undefined;
}

/** Logs what has become of a webhook, without its body. */
function logConsumed(log: Log, record: LedgerRecord, parsed: ParsedEvent, outcome: DeliveryOutcome): void {
  const { ingestId, tenantId, runId, kind, eventType } = record;
  const { problems } = parsed;
  const facts = { ingestId, tenantId, runId, kind, eventType, problems, ...outcome };
  if (outcome.status === "received") {
    log({ level: "info", message: "webhook waits in the queue", ...facts });
    return;
  }
  // A duplicate was counted when its event was delivered.
  const metrics = outcome.isDuplicate ? undefined : metricsOf(parsed);
  log({ level: problems.length > 0 ? "warn" : "info", message: "webhook consumed", ...facts, metrics });
}

/** Undefined if there is nothing to count. */
function metricsOf({ kind, problems }: ParsedEvent): Metrics | undefined {
  if (kind === "unknown type") return { UnknownEvents: 1 };
  if (kind !== "known") return { MalformedEvents: 1 };
  return problems.length > 0 ? { DeviatingEvents: 1 } : undefined;
}
