import { isUtf8 } from "node:buffer";
import { isDeeperThan } from "../../json/depth.ts";
import { hideCredentials, withoutCredentials } from "../../settings/hide-credentials.ts";
import type { Delivery } from "../events/event-handlers.ts";
import { type ParsedEvent, type Payload, parseEvent } from "../events/parse-event.ts";
import { fieldsOf } from "../events/payloads.ts";
import type { LedgerRecord } from "../ledger/ledger.ts";

/** An event on the bus. On EventBridge its source is {@link busSource}. */
export interface BusEvent {
  /**
   * The `event_type` if the specification defines it. Otherwise `unknown` for another `event_type`, and `malformed` for a body
   * without one.
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

interface BusEventOptions {
  /** Identifies the replay. Default: the event is no replay. */
  readonly replayId?: string | undefined;
}

/**
 * Creates the bus event for a record. Omits what is too large for the bus, and reports the omission in `problems`: the
 * ledger holds the whole body.
 *
 * @param parsed the body of the record.
 */
export function busEventOf(record: LedgerRecord, parsed: ParsedEvent, options: BusEventOptions = {}): BusEvent {
  const detailType = detailTypeOf(parsed);
  const facts = factsOf(record, parsed, options);
  for (const detail of [wholeDetail(record, parsed, facts), specifiedDetail(parsed, facts)]) {
    if (detail !== undefined && fits({ detailType, detail })) return { detailType, detail };
  }
  const problems = [...facts.problems, "too large for the bus: the body is only in the ledger"];
  return { detailType, detail: { ...facts, isWhole: false, problems } };
}

/** Creates the bus event for a record of the ledger again. It is the same as the first time, except for the `replayId`. */
export function busEventOfRecord(record: LedgerRecord, { replayId }: BusEventOptions = {}): BusEvent {
  return busEventOf(record, parseEvent(record.body), { replayId });
}

function detailTypeOf({ kind, eventType }: ParsedEvent): string {
  return kind === "unknown type" ? "unknown" : (eventType ?? "malformed");
}

type Facts = Omit<Delivery, "isWhole">;

function factsOf(record: LedgerRecord, parsed: ParsedEvent, { replayId }: BusEventOptions): Facts {
  const { ingestId, receivedAt, reconciled } = record;
  return {
    ingestId,
    ...(replayId !== undefined && { replayId }),
    receivedAt,
    reconciled,
    // A reconciled event lacks what the platform's lists do not provide, which is no deviation of a payload.
    problems: reconciled ? [] : [...parsed.problems],
  };
}

function wholeDetail({ body }: LedgerRecord, parsed: ParsedEvent, facts: Facts): Delivery | undefined {
  if (!("payload" in parsed)) {
    const bodyEncoding = isUtf8(body) ? "utf8" : "base64";
    const text = Buffer.from(body).toString(bodyEncoding);
    return { ...facts, body: bodyEncoding === "utf8" ? hideCredentials(text) : text, bodyEncoding, isWhole: true };
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
