import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { eventTypes, parseEvent } from "../../../src/receiver/events/index.ts";
import { eventNames, payload } from "../fixtures.ts";

test("each of the five events has a fixture", () => {
  expect(eventNames).toHaveLength(5);
  expect([...eventNames].sort()).toEqual([...eventTypes].sort());
});

describe.each(eventNames)("%s", (name) => {
  test("is known with the payload of the specification", () => {
    expect(parseEvent(JSON.stringify(payload(name)))).toEqual({ kind: "known", event: payload(name) });
    expect(parseEvent(Buffer.from(JSON.stringify(payload(name))))).toEqual({ kind: "known", event: payload(name) });
  });

  test("keeps fields that the specification does not define", () => {
    const event = payload(name, { region: "eu", more: { deep: [1] } });
    expect(parseEvent(JSON.stringify(event))).toEqual({ kind: "known", event });
  });

  test.each(Object.keys(payload(name)).filter((field) => field !== "event_type"))(
    "is malformed if %s is missing or of another type, and the problem names the field",
    (field) => {
      for (const value of [undefined, null, ["secret"]]) {
        const parsed = parseEvent(JSON.stringify(payload(name, { [field]: value })));
        expect(parsed).toEqual({ kind: "malformed", problems: [expect.stringContaining(`${field}: `)] });
        expect(JSON.stringify(parsed)).not.toContain("secret");
      }
    },
  );
});

test.each([
  ['{"event_type": "tenant_renamed", "tenant_id": 1}', "unknown type"],
  ['{"event_type": "constructor"}', "unknown type"],
  ['{"event_type": 7}', "malformed"],
  ["{}", "malformed"],
  ["null", "malformed"],
  ['["new_tenant_created"]', "malformed"],
  ['"new_tenant_created"', "malformed"],
  ["", "not JSON"],
  ['{"event_type": "new_tenant_created"', "not JSON"],
  ["event_type=new_tenant_created", "not JSON"],
])("%s is %s", (text, kind) => {
  expect(parseEvent(text).kind).toBe(kind);
  expect(parseEvent(Buffer.from(text)).kind).toBe(kind);
});

test("invalid UTF-8 is not UTF-8, and a byte order mark is ignored", () => {
  expect(parseEvent(Buffer.from([0x7b, 0xff, 0x7d])).kind).toBe("not UTF-8");
  const text = `\ufeff${JSON.stringify(payload("tenant_archived"))}`;
  expect(parseEvent(Buffer.from(text)).kind).toBe("known");
});

test("an id that JSON.parse would round is malformed", () => {
  const text = JSON.stringify(payload("tenant_archived")).replace("5001", "9007199254740993");
  expect(parseEvent(text)).toMatchObject({ kind: "malformed" });
});

test("no input makes it throw", () => {
  const deep = "[".repeat(500_000) + "]".repeat(500_000);
  expect(parseEvent(deep).kind).toBe("malformed");
  const json = fc.json().map((text) => Buffer.from(text));
  const near = fc.dictionary(fc.string(), fc.jsonValue()).map((extra) => {
    return Buffer.from(JSON.stringify({ ...payload("run_failed"), ...extra }));
  });
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), json, near), (bytes) => {
      expect(["known", "unknown type", "malformed", "not JSON", "not UTF-8"]).toContain(parseEvent(bytes).kind);
    }),
  );
});
