import { type ParsedEvent, type PlatformEvent, parseEvent } from "../events/index.ts";
import type { Ledger, LedgerRecord, Subject } from "../ledger/ledger.ts";
import type { Log } from "../log.ts";
import { decodeMessage } from "../message.ts";
import { busEventOf } from "./bus-event.ts";
import { type DeliveryOutcome, type DeliveryPorts, deliver } from "./deliver.ts";

export interface ConsumePorts extends DeliveryPorts {
  readonly log: Log;
}

/**
 * Takes one message of the queue: into the ledger, and onto the bus. What is not an event goes the same way, marked.
 * Messages of one ingest id are one event, whatever they say; the same said under two ids is two events.
 *
 * @throws Error if it is not done: the message has to come again.
 */
export async function consume(message: string, ports: ConsumePorts): Promise<DeliveryOutcome> {
  const webhook = decodeMessage(message);
  const parsed = parseEvent(webhook.body);
  const record: LedgerRecord = { ...webhook, reconciled: false, kind: parsed.kind, eventType: eventTypeOf(parsed) };
  const event = busEventOf(record, parsed.kind === "known" ? { ...parsed, problems: [] } : parsed);
  const isLate = async () => parsed.kind === "known" && hasBeenReconciled(ports.ledger, record, parsed.event);

  const outcome = await deliver(ports, record, event, isLate);
  const { ingestId, kind, eventType } = record;
  const { problems } = event.detail;
  ports.log({
    level: problems.length > 0 ? "warn" : "info",
    message: "webhook consumed",
    ingestId,
    kind,
    eventType,
    problems,
    ...outcome,
  });
  return outcome;
}

/** By how much the platform's clock may be ahead of ours. */
const clockSkewSeconds = 60;

/**
 * Notes that a webhook has told of what happened to a tenant; and tells whether reconciliation had done so already. A
 * webhook about something later than what reconciliation saw is about something else: a tenant that came back from
 * the archive and was archived again.
 */
async function hasBeenReconciled(ledger: Ledger, record: LedgerRecord, event: PlatformEvent): Promise<boolean> {
  const subject = subjectOf(event);
  if (subject === undefined) return false;
  const sighting = { state: "webhook", at: record.receivedAt, ingestId: record.ingestId } as const;
  const before = await ledger.sight(subject, sighting, ["noticed"]);
  if (before?.state !== "reconciling" && before?.state !== "reconciled") return false;
  if (subject.happening === "created") return true;
  return Date.parse(event.timestamp) <= Date.parse(before.at) + clockSkewSeconds * 1000;
}

function subjectOf(event: PlatformEvent): Subject | undefined {
  if (event.event_type === "new_tenant_created") return { tenantId: event.tenant_id, happening: "created" };
  if (event.event_type === "tenant_archived") return { tenantId: event.tenant_id, happening: "archived" };
  return undefined;
}

/** Cut: a type that the specification does not know can be as long as a body. */
function eventTypeOf(parsed: ParsedEvent): string | undefined {
  if (parsed.kind === "known") return parsed.event.event_type;
  return parsed.kind === "unknown type" ? parsed.eventType.slice(0, 200).toWellFormed() : undefined;
}
