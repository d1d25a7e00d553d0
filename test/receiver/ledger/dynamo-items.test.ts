import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fromAttributes, restoreBody, storeBody, toAttributes } from "../../../src/receiver/ledger/dynamo-items.ts";

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

test("converts values to DynamoDB's attribute values and back, without undefined ones", () => {
  const item = { text: "", count: 0, isTrue: true, isFalse: false, bytes: new Uint8Array([0, 255]) };
  const attributes = toAttributes({ ...item, absent: undefined });
  expect(attributes).toEqual({
    text: { S: "" },
    count: { N: "0" },
    isTrue: { BOOL: true },
    isFalse: { BOOL: false },
    bytes: { B: item.bytes },
  });
  expect(fromAttributes(attributes)).toEqual(item);
});
