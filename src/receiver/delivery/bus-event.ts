import { isUtf8 } from "node:buffer";
import { isDeeperThan } from "../../json/depth.ts";
import { type Delivery, deliveredEventSchema } from "../events/delivery.ts";
import type { LedgerRecord } from "../ledger/ledger.ts";

/** An event on the bus. On EventBridge its source is {@link busSource}. */
export interface BusEvent {
  /** The `event_type` of a known event, otherwise `unknown` or `malformed`. */
  readonly detailType: string;
  readonly detail: Delivery;
}

/** The source of all events on the bus. */
export const busSource = "integration-platform";

/**
 * The maximum size of an entry in bytes. EventBridge accepts 256 KiB for source, detail type and detail together, and
 * wraps the entry in an envelope for its targets.
 */
export const maxEntryBytes = 240_000;

/** The maximum nesting of an event: JSON.stringify and many consumers of the bus fail on deeper values. */
const maxDepth = 50;

/** What was read from the body of a webhook. */
export interface Content {
  /** Absent if the body is not a known event. */
  readonly event?: { readonly event_type: string } | undefined;
  readonly problems: readonly string[];
}

/**
 * Creates the bus event for a record. Omits what is too large for the bus, and reports the omission in `problems`: the
 * ledger holds the whole body.
 */
export function busEventOf(record: LedgerRecord, content: Content): BusEvent {
  const detailType = content.event?.event_type ?? (record.kind === "unknown type" ? "unknown" : "malformed");
  const { ingestId, receivedAt, reconciled } = record;
  const facts = { ingestId, receivedAt, reconciled, problems: [...content.problems] };
  for (const detail of [wholeDetail(record, content, facts), specifiedDetail(content, facts)]) {
    if (detail !== undefined && fits({ detailType, detail })) return { detailType, detail };
  }
  const problems = [...content.problems, "too large for the bus: the body is only in the ledger"];
  return { detailType, detail: { ...facts, isWhole: false, problems } };
}

type Facts = Omit<Delivery, "isWhole">;

function wholeDetail({ body }: LedgerRecord, { event }: Content, facts: Facts): Delivery | undefined {
  if (event === undefined) {
    const bodyEncoding = isUtf8(body) ? "utf8" : "base64";
    return { ...facts, body: Buffer.from(body).toString(bodyEncoding), bodyEncoding, isWhole: true };
  }
  return isDeeperThan(event, maxDepth) ? undefined : { ...facts, event: { ...event }, isWhole: true };
}

/** Only the fields that the specification defines. Additional fields may have any length and depth. */
function specifiedDetail({ event, problems }: Content, facts: Facts): Delivery | undefined {
  const option = deliveredEventSchema.options.find(({ shape }) => shape.event_type.value === event?.event_type);
  if (event === undefined || option === undefined) return undefined;
  const fields = Object.entries(event).filter(([name]) => Object.hasOwn(option.shape, name));
  const omission = "too large for the bus: additional fields are only in the ledger";
  return { ...facts, event: Object.fromEntries(fields), isWhole: false, problems: [...problems, omission] };
}

/** Measures an entry in the way EventBridge does. */
function fits({ detailType, detail }: BusEvent): boolean {
  return Buffer.byteLength(busSource + detailType + JSON.stringify(detail)) <= maxEntryBytes;
}
