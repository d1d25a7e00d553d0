import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { observationItem, recordItems, restoreBody, storeBody } from "../../../src/receiver/ledger/dynamo-items.ts";

// The maximum size of an item in DynamoDB, less a reserve for its other attributes.
const itemBytes = 400_000 - 10_000;

test("stores short text as it is, and any other body in parts that fit into items", () => {
  expect(storeBody(Buffer.from("é{}"))).toEqual({ text: "é{}" });
  for (const body of [Buffer.from([0xff]), randomBytes(1_048_576), Buffer.from("x".repeat(100_001))]) {
    const stored = storeBody(body);
    const sizes = "parts" in stored ? stored.parts.map((part) => part.byteLength) : [];
    expect(sizes.length).toBe(Math.max(1, Math.ceil((body.length > 1_000_000 ? body.length : 1) / 350_000)));
    expect(sizes.filter((size) => size === 0 || size > itemBytes)).toEqual([]);
  }
});

test("restores every byte of any body", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), fc.boolean(), (bytes, isLong) => {
      const body = isLong ? Buffer.concat([randomBytes(400_000), bytes]) : bytes;
      expect(Buffer.from(restoreBody(storeBody(body))).equals(body)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

describe("with a retention", () => {
  const facts = { ingestId: "1", receivedAt: "2026-03-04T05:06:07.891Z", reconciled: false, kind: "not UTF-8" };
  const record = { ...facts, body: randomBytes(400_000) };

  test("a record and all parts of its body expire so many days after the arrival of the event", () => {
    const { parts, item } = recordItems(record, 30);
    const expiration = Date.parse("2026-04-03T05:06:08Z") / 1000;
    expect(parts).toHaveLength(2);
    expect([item, ...parts]).toEqual(Array.from({ length: 3 }, () => expect.objectContaining({ expiration })));
  });

  test("nothing expires by default, and observations never do", () => {
    const { parts, item } = recordItems(record);
    const observation = observationItem({ tenantId: 1, eventKind: "created" }, { state: "baseline", at: "" });
    expect([item, ...parts, observation].map(Object).filter(({ expiration }) => expiration !== undefined)).toEqual([]);
  });
});

test("only the record itself is in the index by time, under its day in UTC", () => {
  const facts = { ingestId: "1", receivedAt: "2026-03-04T23:59:59.999Z", reconciled: false, kind: "not UTF-8" };
  const { parts, item } = recordItems({ ...facts, body: randomBytes(400_000) });
  expect(item).toMatchObject({ day: "2026-03-04", receivedAt: facts.receivedAt });
  expect(parts.filter((part) => "day" in part)).toEqual([]);
});
