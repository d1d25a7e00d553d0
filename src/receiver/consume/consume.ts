import { busEventOf } from "../delivery/bus-event.ts";
import { type Decision, type DeliveryOutcome, type DeliveryPorts, deliver } from "../delivery/deliver.ts";
import { type ParsedEvent, type PlatformEvent, parseEvent } from "../events/index.ts";
import type { Ledger, LedgerRecord, TenantEvent } from "../ledger/ledger.ts";
import { describeError, type Log } from "../log.ts";
import { decodeMessage, type Webhook } from "../message.ts";
import { logConsumed } from "./log-consumed.ts";
import { recordOf } from "./record-of.ts";

/** The part of a batch of SQS messages that the function reads. */
export interface QueueBatch {
  readonly Records: readonly { readonly messageId: string; readonly body: string }[];
}

/** The messages that return to the queue. The event source mapping needs `ReportBatchItemFailures`. */
export interface BatchFailures {
  readonly batchItemFailures: { itemIdentifier: string }[];
}

/** What consuming messages needs. */
export interface ConsumePorts extends DeliveryPorts {
  readonly log: Log;
  /**
   * Asks the platform about an event. Rejects if the platform does not answer. Default: events are not verified.
   *
   * @param receivedAt when the webhook arrived, ISO 8601, UTC.
   */
  readonly verify?: ((event: PlatformEvent, receivedAt: string) => Promise<Verification>) | undefined;
}

/**
 * What the platform shows of an event:
 * - `verified`: what the event reports.
 * - `refuted`: something else, and the event is too old to be merely ahead of the platform's lists.
 * - `not yet`: something else. Ask again later.
 */
export type Verification = "verified" | "refuted" | "not yet";

/**
 * Consumes each message of a batch by itself: a message that fails does not affect the others.
 *
 * @throws Error if every message fails, so that Lambda counts an error. Lambda then returns the whole batch to the queue
 * (AWS Lambda, "Handling errors for an SQS event source"), and does not count messages that a batch response reports.
 */
export async function consume({ Records }: QueueBatch, ports: ConsumePorts): Promise<BatchFailures> {
  const outcomes = await Promise.all(Records.map((record) => tryConsume(record, ports)));
  const errors = outcomes.filter((outcome) => "error" in outcome);
  if (Records.length > 0 && errors.length === Records.length) {
    throw new Error(`none of the ${Records.length} messages could be consumed`, { cause: errors[0]?.error });
  }
  const unfinished = Records.filter((_, index) => outcomes[index]?.isFinished === false);
  return { batchItemFailures: unfinished.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

type MessageOutcome = { readonly isFinished: boolean } | { readonly isFinished: false; readonly error: unknown };

async function tryConsume(
  { messageId, body }: QueueBatch["Records"][number],
  ports: ConsumePorts,
): Promise<MessageOutcome> {
  let ingestId: string | undefined;
  try {
    const webhook = decodeMessage(body);
    ingestId = webhook.ingestId;
    const { status } = await consumeWebhook(webhook, ports);
    return { isFinished: status !== "received" };
  } catch (error) {
    const facts = { messageId, ingestId, error: describeError(error) };
    ports.log({ level: "error", message: "message not consumed", ...facts, metrics: { MessagesNotConsumed: 1 } });
    return { isFinished: false, error };
  }
}

/**
 * Delivers a webhook to the ledger and the bus. A body that is not an event is delivered too, with its problems. Webhooks with
 * the same ingest id are the same event, even if their bodies differ.
 *
 * @returns status `received` if the platform does not confirm the event yet. The message must return to the queue.
 * @throws Error if the delivery is not finished. The message must return to the queue.
 */
export async function consumeWebhook(webhook: Webhook, ports: ConsumePorts): Promise<DeliveryOutcome> {
  const parsed = parseEvent(webhook.body);
  const record = recordOf(webhook, parsed);
  const outcome = await deliver(ports, record, () => decide(record, parsed, ports));
  logConsumed(ports.log, record, parsed, outcome);
  return outcome;
}

async function decide(record: LedgerRecord, parsed: ParsedEvent, ports: ConsumePorts): Promise<Decision> {
  const verification = await verify(record, parsed, ports);
  if (verification === "not yet") return { status: "received" };
  const isUnverified = verification === "refuted";
  if (!isUnverified && parsed.kind === "known" && (await isReconciled(ports.ledger, record, parsed.event))) {
    return { status: "late" };
  }
  const event = busEventOf(record, parsed, { isUnverified });
  return { status: isUnverified ? "unverified" : "published", event };
}

/** Resolves to undefined for an event that is not verified. */
async function verify(
  { receivedAt }: LedgerRecord,
  parsed: ParsedEvent,
  ports: ConsumePorts,
): Promise<Verification | undefined> {
  if (ports.verify === undefined || !("payload" in parsed)) return undefined;
  // Nothing can be read about it. It must not count either: anyone could leave out the id of a forged event.
  if (parsed.kind === "malformed") return "refuted";
  return ports.verify(parsed.event, receivedAt);
}

/** How far the platform's clock may be ahead of the receiver's. */
const clockSkewSeconds = 60;

/**
 * Records that a webhook reported a tenant event, and returns whether reconciliation has published the same event. If
 * the webhook reports a later archiving than the one that reconciliation saw, it is another event: the tenant was
 * restored and archived again.
 */
async function isReconciled(ledger: Ledger, record: LedgerRecord, event: PlatformEvent): Promise<boolean> {
  const tenantEvent = tenantEventOf(event);
  if (tenantEvent === undefined) return false;
  const observation = { state: "webhook", at: record.receivedAt, ingestId: record.ingestId } as const;
  const existing = await ledger.putObservation(tenantEvent, observation, ["noticed"]);
  if (existing?.state !== "reconciling" && existing?.state !== "reconciled") return false;
  if (tenantEvent.eventKind === "created") return true;
  // Without a valid time nobody knows which archiving it was: a second event does less harm than a lost one.
  return Date.parse(event.timestamp ?? "") <= Date.parse(existing.at) + clockSkewSeconds * 1000;
}

function tenantEventOf(event: PlatformEvent): TenantEvent | undefined {
  if (event.event_type === "new_tenant_created") return { tenantId: event.tenant_id, eventKind: "created" };
  if (event.event_type === "tenant_archived") return { tenantId: event.tenant_id, eventKind: "archived" };
  return undefined;
}
