import { isUtf8 } from "node:buffer";
import { type Delivery, deliveredEventSchema } from "../events/delivery.ts";
import type { LedgerRecord } from "../ledger/ledger.ts";
import { type BusEvent, busSource } from "../ports.ts";

/**
 * The largest entry, in bytes. EventBridge takes 256 KiB for source, detail type and detail together, and what targets
 * are handed has some more around it.
 */
export const maxEntryBytes = 240_000;

/** How deep an event may be nested: neither JSON.stringify nor all who read the bus get along with any depth. */
const maxDepth = 50;

/** What a body says. */
export interface Content {
  /** Absent if the body is no known event. */
  readonly event?: { readonly event_type: string } | undefined;
  readonly problems: readonly string[];
}

/** The event to put on the bus. What is too large is left out, and marked: the ledger has all of it. */
export function busEventOf(record: LedgerRecord, content: Content): BusEvent {
  const detailType = content.event?.event_type ?? (record.kind === "unknown type" ? "unknown" : "malformed");
  const { ingestId, receivedAt, reconciled } = record;
  const facts = { ingestId, receivedAt, reconciled, problems: [...content.problems] };
  for (const detail of [wholeDetail(record, content, facts), bareDetail(content, facts)]) {
    if (detail !== undefined && fits({ detailType, detail })) return { detailType, detail };
  }
  const problems = [...content.problems, "too large for the bus: the body is in the ledger only"];
  return { detailType, detail: { ...facts, isWhole: false, problems } };
}

type Facts = Omit<Delivery, "isWhole">;

function wholeDetail({ body }: LedgerRecord, { event }: Content, facts: Facts): Delivery | undefined {
  if (event !== undefined)
    return isDeeperThan(maxDepth, event) ? undefined : { ...facts, event: { ...event }, isWhole: true };
  const bodyEncoding = isUtf8(body) ? "utf8" : "base64";
  return { ...facts, body: Buffer.from(body).toString(bodyEncoding), bodyEncoding, isWhole: true };
}

/** Without the fields that the specification does not know, which are the only ones that can be of any length and depth. */
function bareDetail({ event, problems }: Content, facts: Facts): Delivery | undefined {
  const option = deliveredEventSchema.options.find(({ shape }) => shape.event_type.value === event?.event_type);
  if (event === undefined || option === undefined) return undefined;
  const fields = Object.entries(event).filter(([name]) => Object.hasOwn(option.shape, name));
  const leftOut = "too large for the bus: additional fields are in the ledger only";
  return { ...facts, event: Object.fromEntries(fields), isWhole: false, problems: [...problems, leftOut] };
}

/** As EventBridge counts. */
function fits({ detailType, detail }: BusEvent): boolean {
  return Buffer.byteLength(busSource + detailType + JSON.stringify(detail)) <= maxEntryBytes;
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(levels - 1, item));
}
