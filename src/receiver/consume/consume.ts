import { busEventOf } from "../delivery/bus-event.ts";
import { type DeliveryOutcome, type DeliveryPorts, deliver } from "../delivery/deliver.ts";
import { type ParsedEvent, type PlatformEvent, parseEvent } from "../events/index.ts";
import type { Ledger, LedgerRecord, TenantEvent } from "../ledger/ledger.ts";
import { describeError, type Log } from "../log.ts";
import { decodeMessage } from "../message.ts";

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
}

/** Consumes each message of a batch by itself: a message that fails does not affect the others. */
export async function consume({ Records }: QueueBatch, ports: ConsumePorts): Promise<BatchFailures> {
  const isConsumed = await Promise.all(Records.map((record) => tryConsume(record, ports)));
  const failed = Records.filter((_, index) => isConsumed[index] === false);
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

async function tryConsume({ messageId, body }: QueueBatch["Records"][number], ports: ConsumePorts): Promise<boolean> {
  try {
    await consumeMessage(body, ports);
    return true;
  } catch (error) {
    ports.log({ level: "error", message: "message not consumed", messageId, error: describeError(error) });
    return false;
  }
}

/**
 * Delivers the webhook in a message to the ledger and the bus. A body that is not an event is delivered too, with its
 * problems. Messages with the same ingest id are the same event, even if their bodies differ.
 *
 * @throws Error if the delivery is not finished. The message must return to the queue.
 */
export async function consumeMessage(message: string, ports: ConsumePorts): Promise<DeliveryOutcome> {
  const webhook = decodeMessage(message);
  const parsed = parseEvent(webhook.body);
  const record: LedgerRecord = { ...webhook, reconciled: false, kind: parsed.kind, eventType: eventTypeOf(parsed) };
  const event = busEventOf(record, parsed.kind === "known" ? { ...parsed, problems: [] } : parsed);
  const isLate = async () => parsed.kind === "known" && isReconciled(ports.ledger, record, parsed.event);

  const outcome = await deliver(ports, record, event, isLate);
  const { ingestId, kind, eventType } = record;
  const { problems } = event.detail;
  const level = problems.length > 0 ? "warn" : "info";
  ports.log({ level, message: "webhook consumed", ingestId, kind, eventType, problems, ...outcome });
  return outcome;
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
  return Date.parse(event.timestamp) <= Date.parse(existing.at) + clockSkewSeconds * 1000;
}

function tenantEventOf(event: PlatformEvent): TenantEvent | undefined {
  if (event.event_type === "new_tenant_created") return { tenantId: event.tenant_id, eventKind: "created" };
  if (event.event_type === "tenant_archived") return { tenantId: event.tenant_id, eventKind: "archived" };
  return undefined;
}

/** Truncates an unknown event type, which may be as long as a body. */
function eventTypeOf(parsed: ParsedEvent): string | undefined {
  if (parsed.kind === "known") return parsed.event.event_type;
  return parsed.kind === "unknown type" ? parsed.eventType.slice(0, 200).toWellFormed() : undefined;
}
