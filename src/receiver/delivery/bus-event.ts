import { isUtf8 } from "node:buffer";
import { isDeeperThan } from "../../json/depth.ts";
import { withoutCredentials } from "../../settings/hide-credentials.ts";
import type { Delivery } from "../events/event-handlers.ts";
import { type ParsedEvent, type Payload, parseEvent } from "../events/parse-event.ts";
import { fieldsOf } from "../events/payloads.ts";
import type { LedgerRecord, RecordStatus } from "../ledger/ledger.ts";

/** An event on the bus. On EventBridge its source is {@link busSource}. */
export interface BusEvent {
  /**
   * The `event_type` if the specification defines it. Otherwise `unknown` for another `event_type`, and `malformed` for a body
   * without one. `unverified` for an event that the platform does not confirm.
   */
  readonly detailType: string;
  readonly detail: Delivery;
}

/** The source of all events on the bus. */
export const busSource = "integration-platform";

/**
 * The maximum size of an entry in bytes. EventBridge accepts 256 KiB for source, detail type and detail together, and
 * wraps the entry in an envelope for its targets.
 */
const maxEntryBytes = 240_000;

/** The maximum nesting of an event: JSON.stringify and many consumers of the bus fail on deeper values. */
const maxDepth = 50;

/** How a bus event differs from the usual one. */
interface BusEventOptions {
  /** Identifies the replay. Default: the event is no replay. */
  readonly replayId?: string | undefined;
  /** True if the platform does not confirm the event. Default false. */
  readonly isUnverified?: boolean | undefined;
}

/**
 * Creates the bus event for a record. Omits what is too large for the bus, and reports the omission in `problems`: the
 * ledger holds the whole body.
 *
 * @param parsed the body of the record.
 */
export function busEventOf(record: LedgerRecord, parsed: ParsedEvent, options: BusEventOptions = {}): BusEvent {
  const detailType = detailTypeOf(parsed, options);
  const facts = factsOf(record, parsed, options);
  for (const detail of [wholeDetail(record, parsed, facts), specifiedDetail(parsed, facts)]) {
    if (detail !== undefined && fits({ detailType, detail })) return { detailType, detail };
  }
  const problems = [...facts.problems, "too large for the bus: the body is only in the ledger"];
  return { detailType, detail: { ...facts, isWhole: false, problems } };
}

/**
 * Creates the bus event for a record of the ledger again. It is the same as the first time, except for the `replayId`. A
 * record that was not published is treated like one that was.
 */
export function busEventOfRecord(
  record: LedgerRecord & { readonly status: RecordStatus },
  { replayId }: Pick<BusEventOptions, "replayId"> = {},
): BusEvent {
  return busEventOf(record, parseEvent(record.body), { replayId, isUnverified: record.status === "unverified" });
}

function detailTypeOf({ kind, eventType }: ParsedEvent, { isUnverified }: BusEventOptions): string {
  if (isUnverified) return "unverified";
  return kind === "unknown type" ? "unknown" : (eventType ?? "malformed");
}

type Facts = Omit<Delivery, "isWhole">;

function factsOf(record: LedgerRecord, parsed: ParsedEvent, { replayId, isUnverified }: BusEventOptions): Facts {
  const { ingestId, receivedAt, reconciled } = record;
  return {
    ingestId,
    ...(replayId !== undefined && { replayId }),
    receivedAt,
    reconciled,
    ...(isUnverified && { verified: false }),
    // A reconciled event lacks what the platform's lists do not provide, which is no deviation of a payload.
    problems: [...(isUnverified ? [unverifiedReason(parsed)] : []), ...(reconciled ? [] : parsed.problems)],
  };
}

function wholeDetail({ body }: LedgerRecord, parsed: ParsedEvent, facts: Facts): Delivery | undefined {
  if (!("payload" in parsed)) {
    const bodyEncoding = isUtf8(body) ? "utf8" : "base64";
    return { ...facts, body: Buffer.from(body).toString(bodyEncoding), bodyEncoding, isWhole: true };
  }
  if (isDeeperThan(parsed.payload, maxDepth)) return undefined;
  return { ...facts, event: withHiddenCredentials(parsed), isWhole: true };
}

/**
 * The event with hidden credentials in the fields that the specification does not define, such as the end of a run's log, and in the
 * status of a run. The ledger holds what was sent.
 */
function withHiddenCredentials({ eventType, payload }: Extract<ParsedEvent, { payload: Payload }>): Payload {
  const specified = fieldsOf(eventType) ?? {};
  const isText = (name: string) => name === "run_status" || !Object.hasOwn(specified, name);
  const others = Object.fromEntries(Object.entries(payload).filter(([name]) => isText(name)));
  return { ...payload, ...Object(withoutCredentials(others)) };
}

/** Only the fields that the specification defines, if their values are short. Additional fields may have any length and depth. */
function specifiedDetail(parsed: ParsedEvent, facts: Facts): Delivery | undefined {
  if (!("payload" in parsed)) return undefined;
  const specified = fieldsOf(parsed.eventType) ?? {};
  const fields = Object.entries(parsed.payload).filter(([name]) => Object.hasOwn(specified, name));
  const event = withHiddenCredentials({ ...parsed, payload: Object.fromEntries(fields) });
  const omission = "too large for the bus: additional fields are only in the ledger";
  if (isDeeperThan(event, maxDepth)) return undefined;
  return { ...facts, event, isWhole: false, problems: [...facts.problems, omission] };
}

/** Measures an entry in the way EventBridge does. */
function fits({ detailType, detail }: BusEvent): boolean {
  return Buffer.byteLength(busSource + detailType + JSON.stringify(detail)) <= maxEntryBytes;
}

/** Describes why the platform does not confirm an event. The same event always gets the same description. */
export function unverifiedReason(parsed: ParsedEvent): string {
  if (parsed.kind !== "known") return "not verified: the event does not say what it is about";
  const { event } = parsed;
  switch (event.event_type) {
    case "new_integration_created":
    case "partner_integration_updated":
      return "integration_id: the platform has no such integration";
    case "tenant_archived":
      return "tenant_id: the platform does not show this tenant as archived";
    case "new_tenant_created":
      return noSuchTenant;
    case "run_failed":
      return event.tenant_id === undefined ? "not verified: the event names no tenant" : noSuchTenant;
    default:
      event satisfies never; // a new event needs a case of its own
      return "not verified";
  }
}

const noSuchTenant = "tenant_id: the platform has no such tenant";
