import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { restoreBody, storeBody } from "./body-parts.ts";
import {
  type LedgerRecord,
  type RecordStatus,
  recordStatuses,
  type Sighting,
  type Subject,
  sightingStates,
} from "./ledger.ts";

/** An item of the table, whose key is `pk` and `sk`, both text. */
export type Item = Record<string, AttributeValue>;

export const stockKey: Item = key("reconciliation", "stock");

/** `sk` is `record`, or `body#0`, `body#1` ... for the parts of a long body. */
export function recordKey(ingestId: string, part?: number): Item {
  return key(`event#${ingestId}`, part === undefined ? "record" : `body#${part}`);
}

export function sightingKey({ tenantId, happening }: Subject): Item {
  return key(`tenant#${tenantId}`, happening);
}

/** The items of a record: the parts of its body, if it has any, and the record itself. */
export function recordItems(record: LedgerRecord): { readonly parts: readonly Item[]; readonly item: Item } {
  const { ingestId, receivedAt, sourceIp, reconciled, kind, eventType } = record;
  const stored = storeBody(record.body);
  const body: Item =
    "text" in stored ? { body: { S: stored.text } } : { bodyParts: { N: String(stored.parts.length) } };
  const parts = "text" in stored ? [] : stored.parts;
  return {
    parts: parts.map((part, index) => ({ ...recordKey(ingestId, index), part: { B: part } })),
    item: {
      ...recordKey(ingestId),
      status: { S: "received" },
      receivedAt: { S: receivedAt },
      reconciled: { BOOL: reconciled },
      kind: { S: kind },
      ...(sourceIp === undefined ? {} : { sourceIp: { S: sourceIp } }),
      ...(eventType === undefined ? {} : { eventType: { S: eventType } }),
      ...body,
    },
  };
}

/** @param parts the bytes of its parts, in their order. */
export function recordOf(item: Item, ingestId: string, parts: readonly Uint8Array[]) {
  const { body, bodyParts: _, ...facts } = recordItemSchema.parse(item);
  return { ingestId, ...facts, body: restoreBody(body === undefined ? { parts } : { text: body }) };
}

export function statusOf(item: Item): RecordStatus {
  return recordItemSchema.shape.status.parse(item.status);
}

export function partCountOf(item: Item): number {
  return recordItemSchema.shape.bodyParts.parse(item.bodyParts);
}

export function partOf(item: Item | undefined): Uint8Array {
  return z.object({ B: z.instanceof(Uint8Array) }).parse(item?.part).B;
}

export function sightingItem(subject: Subject, { state, at, ingestId }: Sighting): Item {
  const optional: Item = ingestId === undefined ? {} : { ingestId: { S: ingestId } };
  return { ...sightingKey(subject), state: { S: state }, at: { S: at }, ...optional };
}

/** The sighting in an item, and the key of its subject. */
export function sightingOf(item: Item): { readonly key: string; readonly sighting: Sighting } {
  const { pk, sk, ...sighting } = sightingItemSchema.parse(item);
  return { key: `${pk}#${sk}`, sighting };
}

export function stockItem(at: string): Item {
  return { ...stockKey, at: { S: at } };
}

export function stockTimeOf(item: Item | undefined): string | undefined {
  return text(z.string()).optional().parse(item?.at);
}

function key(pk: string, sk: string): Item {
  return { pk: { S: pk }, sk: { S: sk } };
}

const recordItemSchema = z.object({
  status: text(z.enum(recordStatuses)),
  receivedAt: text(z.string()),
  sourceIp: text(z.string()).optional(),
  reconciled: z.object({ BOOL: z.boolean() }).transform(({ BOOL }) => BOOL),
  kind: text(z.string()),
  eventType: text(z.string()).optional(),
  body: text(z.string()).optional(),
  bodyParts: z
    .object({ N: z.coerce.number() })
    .transform(({ N }) => N)
    .default(0),
});

const sightingItemSchema = z.object({
  pk: text(z.string()),
  sk: text(z.string()),
  state: text(z.enum(sightingStates)),
  at: text(z.string()),
  ingestId: text(z.string()).optional(),
});

function text<Value>(schema: z.ZodType<Value>) {
  return z.object({ S: schema }).transform(({ S }) => S);
}
