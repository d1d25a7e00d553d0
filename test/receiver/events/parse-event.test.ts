import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { eventTypes, parseEvent } from "../../../src/receiver/events/index.ts";
import { eventNames, payload } from "../fixtures.ts";

test("each of the five events has a fixture", () => {
  expect(eventNames).toHaveLength(5);
  expect([...eventNames].sort()).toEqual([...eventTypes].sort());
});

/** The field that identifies each event. */
const ids: Readonly<Record<string, string>> = {
  new_integration_created: "integration_id",
  new_tenant_created: "tenant_id",
  tenant_archived: "tenant_id",
  partner_integration_updated: "integration_id",
  run_failed: "run_id",
};

/** A payload of the specification with one field changed. A value of undefined leaves the field out. */
const bodyWith = (name: string, field: string, value: unknown) => JSON.stringify(payload(name, { [field]: value }));

describe.each(eventNames)("%s", (name) => {
  const id = ids[name] ?? "";
  const otherFields = Object.keys(payload(name)).filter((field) => !["event_type", id].includes(field));

  test("is known with the payload of the specification, and has no problems", () => {
    const event = payload(name);
    const known = { kind: "known", eventType: name, event, payload: event, problems: [] };
    expect(parseEvent(JSON.stringify(event))).toEqual(known);
    expect(parseEvent(Buffer.from(JSON.stringify(event)))).toEqual(known);
  });

  test("keeps fields that the specification does not define", () => {
    const event = payload(name, { region: "eu", more: { deep: [1] } });
    expect(parseEvent(JSON.stringify(event))).toMatchObject({ kind: "known", event, problems: [] });
  });

  test.each(otherFields)("stays known if %s is missing or of another type; a problem names the field", (field) => {
    for (const value of [undefined, null, ["secret"]]) {
      const parsed = parseEvent(bodyWith(name, field, value));
      const problems = [expect.stringMatching(`^${field}: expected [\\w ]+, got (nothing|null|array)$`)];
      const sent = JSON.parse(bodyWith(name, field, value));
      expect(parsed).toEqual({
        kind: "known",
        eventType: name,
        event: { ...sent, [field]: undefined },
        payload: sent,
        problems,
      });
    }
  });

  test("is malformed without its id, but its type is known and the other fields are kept", () => {
    for (const value of [undefined, null, ["secret"], "secret", "", 1.5, "1.5", "1e3", "9007199254740993"]) {
      const parsed = parseEvent(bodyWith(name, id, value));
      const problems = [expect.stringMatching(`^${id}: expected integer, got \\w+$`)];
      const sent = JSON.parse(bodyWith(name, id, value));
      expect(parsed).toEqual({ kind: "malformed", eventType: name, payload: sent, problems });
    }
  });

  test("with its id as a decimal string is known by the integer, and the problem names the type", () => {
    expect(parseEvent(bodyWith(name, id, "5001"))).toMatchObject({
      kind: "known",
      event: { [id]: 5001 },
      payload: { [id]: "5001" },
      problems: [`${id}: expected integer, got string`],
    });
  });
});

test("integers as decimal strings are integers in any field", () => {
  const sent = { account_id: "42", tenant_id: "5001", integration_id: "-1" };
  const parsed = parseEvent(JSON.stringify(payload("run_failed", sent)));
  expect(parsed).toMatchObject({ event: { account_id: 42, tenant_id: 5001, integration_id: -1 } });
  expect(parsed.problems).toHaveLength(3);
});

test("a time and a link of another format are problems, but can be read", () => {
  const sent = { timestamp: "4 March", admin_link: "/runs/7" };
  expect(parseEvent(JSON.stringify(payload("run_failed", sent)))).toMatchObject({
    kind: "known",
    event: sent,
    problems: ["timestamp: expected ISO 8601 time, got string", "admin_link: expected URL, got string"],
  });
});

test("an event of nothing but its type and its id is known", () => {
  const parsed = parseEvent('{"event_type":"run_failed","run_id":7}');
  expect(parsed).toMatchObject({ kind: "known", event: { event_type: "run_failed", run_id: 7 } });
  expect(parsed.problems).toHaveLength(Object.keys(payload("run_failed")).length - 2);
});

test("a problem never contains a value", () => {
  const sent = Object.fromEntries(Object.keys(payload("run_failed")).map((field) => [field, "secret"]));
  const { problems } = parseEvent(JSON.stringify({ ...sent, event_type: "run_failed" }));
  expect(problems).not.toEqual([]);
  expect(JSON.stringify(problems)).not.toContain("secret");
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
  expect(parseEvent(text)).toMatchObject({ kind: "malformed", eventType: "tenant_archived" });
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

test("tenant_created is another name of new_tenant_created", () => {
  const event = payload("new_tenant_created");
  const known = parseEvent(JSON.stringify(event));
  expect(parseEvent(JSON.stringify({ ...event, event_type: "tenant_created" }))).toEqual(known);
  const withoutId = JSON.stringify({ ...event, event_type: "tenant_created", tenant_id: null });
  expect(parseEvent(withoutId)).toMatchObject({ kind: "malformed", eventType: "new_tenant_created" });
});
