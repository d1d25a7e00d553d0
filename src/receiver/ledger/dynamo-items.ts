import { isUtf8 } from "node:buffer";
import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import {
  type LedgerRecord,
  type ListedRecord,
  listedRecordSchema,
  type Observation,
  observationSchema,
  type TenantEvent,
} from "./ledger.ts";

/** The key of an item in the ledger's table; `docs/decisions/the-ledger.md` describes the items. */
export interface ItemKey {
  readonly pk: string;
  readonly sk: string;
}

export const baselineKey: ItemKey = { pk: "reconciliation", sk: "baseline" };

export const sweepKey: ItemKey = { pk: "reconciliation", sk: "sweep" };

/** The key of a record, or of a part of its body. */
export function recordKey(ingestId: string, part?: number): ItemKey {
  return { pk: `event#${ingestId}`, sk: part === undefined ? "record" : `body#${part}` };
}

/**
 * The index that lists records by time. Its partition key is the `day` of a record, and its sort key `receivedAt`. Only
 * records have a `day`, so the index has neither parts of bodies nor observations.
 */
export const timeIndexName = "byTime";

/** The day of a time, UTC: `2026-11-23`. */
export function dayOf(time: string): string {
  return time.slice(0, 10);
}

/** In place of the day of a record that no queue holds: a partition of the index that is nearly always empty. */
export const unqueued = "unqueued";

/**
 * The items of a record: the parts of a long body, and the record itself.
 *
 * @param retentionDays how long after the arrival of the event DynamoDB deletes the items. Default: never.
 */
export function recordItems(
  { ingestId, body, ...record }: LedgerRecord,
  retentionDays?: number,
  day = dayOf(record.receivedAt),
) {
  const stored = storeBody(body);
  const parts = "text" in stored ? [] : stored.parts;
  const expiration = expirationOf(record.receivedAt, retentionDays);
  return {
    parts: parts.map((part, index) => ({ ...recordKey(ingestId, index), part, expiration })),
    item: {
      ...recordKey(ingestId),
      ...record,
      day,
      status: "received",
      expiration,
      ...("text" in stored ? { body: stored.text } : { bodyParts: parts.length }),
    },
  };
}

/** In seconds since the epoch, as DynamoDB's Time to Live needs it. */
function expirationOf(receivedAt: string, retentionDays: number | undefined): number | undefined {
  return retentionDays === undefined ? undefined : Math.ceil(Date.parse(receivedAt) / 1000) + retentionDays * 86_400;
}

export const recordItemSchema = listedRecordSchema.omit({ ingestId: true }).extend({
  body: z.string().optional(),
  bodyParts: z.number().default(0),
});

/** A record as the index has it. */
export const listedItemSchema = listedRecordSchema
  .omit({ ingestId: true })
  .extend({ pk: z.string() })
  .transform(({ pk, ...record }): ListedRecord => ({ ingestId: pk.slice(recordKey("").pk.length), ...record }));

export const partItemSchema = z.object({ part: z.instanceof(Uint8Array) });

export function observationKey({ tenantId, eventKind }: TenantEvent): ItemKey {
  return { pk: `tenant#${tenantId}`, sk: eventKind };
}

export function observationItem(event: TenantEvent, { state, at, ingestId }: Observation) {
  return { ...observationKey(event), state, at, ingestId };
}

export const observationItemSchema = observationSchema.extend({ pk: z.string(), sk: z.string() });

/** How DynamoDB stores a body, as an item holds at most 400 KB: short text as a string, anything else as gzipped parts. */
export type StoredBody = { readonly text: string } | { readonly parts: readonly Uint8Array[] };

const maxTextBytes = 100_000;
const maxPartBytes = 350_000;

export function storeBody(body: Uint8Array): StoredBody {
  if (body.byteLength <= maxTextBytes && isUtf8(body)) return { text: Buffer.from(body).toString("utf8") };
  const compressed = gzipSync(body);
  const count = Math.ceil(compressed.byteLength / maxPartBytes);
  const part = (_: unknown, index: number) => compressed.subarray(index * maxPartBytes, (index + 1) * maxPartBytes);
  return { parts: Array.from({ length: count }, part) };
}

export function restoreBody(stored: StoredBody): Uint8Array {
  return "text" in stored ? Buffer.from(stored.text, "utf8") : gunzipSync(Buffer.concat(stored.parts));
}
