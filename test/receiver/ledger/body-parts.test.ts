import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { restoreBody, storeBody } from "../../../src/receiver/ledger/body-parts.ts";

// What DynamoDB takes for an item, with room for its other attributes.
const itemBytes = 400_000 - 10_000;

test("short text lies as it is, all else in parts that fit into items", () => {
  expect(storeBody(Buffer.from("é{}"))).toEqual({ text: "é{}" });
  for (const body of [Buffer.from([0xff]), randomBytes(1_048_576), Buffer.from("x".repeat(100_001))]) {
    const stored = storeBody(body);
    const sizes = "parts" in stored ? stored.parts.map((part) => part.byteLength) : [];
    expect(sizes.length).toBe(Math.max(1, Math.ceil((body.length > 1_000_000 ? body.length : 1) / 350_000)));
    expect(sizes.filter((size) => size === 0 || size > itemBytes)).toEqual([]);
  }
});

test("any body comes back to the byte", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), fc.boolean(), (bytes, isLong) => {
      const body = isLong ? Buffer.concat([randomBytes(400_000), bytes]) : bytes;
      expect(Buffer.from(restoreBody(storeBody(body))).equals(body)).toBe(true);
    }),
    { numRuns: 50 },
  );
});
