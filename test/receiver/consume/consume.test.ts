import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { consume, consumeWebhook } from "../../../src/receiver/consume/consume.ts";
import type { LogEntry } from "../../../src/receiver/log.ts";
import { decodeMessage, encodeMessage, type Webhook } from "../../../src/receiver/message.ts";
import { failingPorts } from "../failing-ports.ts";
import { eventNames, payload } from "../fixtures.ts";
import { openLedger } from "../open-ledger.ts";

/** Encodes a webhook as a message of the queue. Returns its ingest id too. */
function encode(body: string | Uint8Array, facts: Partial<Webhook> = {}) {
  const ingestId = facts.ingestId ?? randomUUID();
  const webhook = { ingestId, receivedAt: "2026-03-04T05:06:08.000Z", sourceIp: "192.0.2.7", ...facts };
  return { ingestId, message: encodeMessage({ ...webhook, body: Buffer.from(body) }) ?? "" };
}

/** The consuming function with a ledger in memory, and a bus that collects its events. */
function testFunction() {
  const logged: LogEntry[] = [];
  const ports = { ...failingPorts(openLedger()), log: (entry: LogEntry) => void logged.push(entry) };
  return {
    ...ports,
    logged,
    consumeOne: (message: string) => consumeWebhook(decodeMessage(message), ports),
    consumeBatch: (messages: string[]) => consume(batchOf(messages), ports),
  };
}

function batchOf(messages: string[]) {
  return { Records: messages.map((body, index) => ({ messageId: `m${index}`, body })) };
}

describe("a message", () => {
  test.each(eventNames)("with %s is stored in the ledger and published under its type", async (name) => {
    const { consumeOne, ledger, published } = testFunction();
    const { ingestId, message } = encode(JSON.stringify(payload(name, { extra: 1 })));
    expect(await consumeOne(message)).toEqual({ status: "published", isDuplicate: false });
    const facts = { ingestId, receivedAt: "2026-03-04T05:06:08.000Z", reconciled: false, isWhole: true, problems: [] };
    expect(published).toEqual([{ detailType: name, detail: { ...facts, event: payload(name, { extra: 1 }) } }]);
    const record = { status: "published", kind: "known", eventType: name, sourceIp: "192.0.2.7", reconciled: false };
    expect(await ledger.find(ingestId)).toMatchObject(record);
  });

  test.each([
    ["an unknown type", '{"event_type":"tenant_renamed","a":1}', "unknown", "unknown type"],
    ["text that is not JSON", "nope", "malformed", "not JSON"],
    ["an empty body", "", "malformed", "not JSON"],
  ])("with %s is stored and published too, with its body and its problems", async (_, body, detailType, kind) => {
    const { consumeOne, ledger, published } = testFunction();
    const { ingestId, message } = encode(body);
    await consumeOne(message);
    expect(published).toMatchObject([{ detailType, detail: { ingestId, body, bodyEncoding: "utf8", isWhole: true } }]);
    expect(published[0]?.detail.problems).not.toEqual([]);
    expect(await ledger.find(ingestId)).toMatchObject({ status: "published", kind });
  });

  test.each([
    ["known although a name is null and an id is a string", "known", { integration_name: null, account_id: "42" }],
    ["known although the links are missing", "known", { admin_link: undefined, api_link: undefined }],
    ["malformed because the run's id is missing", "malformed", { run_id: undefined }],
  ])("with an event that is %s keeps its detail type and what was sent", async (_, kind, fields) => {
    const { consumeOne, ledger, published } = testFunction();
    const body = JSON.stringify(payload("run_failed", fields));
    const { ingestId, message } = encode(body);
    await consumeOne(message);
    expect(published).toMatchObject([{ detailType: "run_failed", detail: { isWhole: true } }]);
    expect(published[0]?.detail.event).toEqual(JSON.parse(body));
    expect(published[0]?.detail.problems).toHaveLength(Object.keys(fields).length);
    expect(await ledger.find(ingestId)).toMatchObject({ kind, eventType: "run_failed", tenantId: 5001 });
  });

  test("is stored with the tenant and the run that it is about, also if their ids are strings", async () => {
    const { consumeOne, ledger } = testFunction();
    const run = encode(JSON.stringify(payload("run_failed", { run_id: "7001" })));
    const integration = encode(JSON.stringify(payload("new_integration_created")));
    for (const { message } of [run, integration]) await consumeOne(message);
    const subjects = [await ledger.find(run.ingestId), await ledger.find(integration.ingestId)];
    expect(subjects.map((record) => [record?.tenantId, record?.runId])).toEqual([
      [5001, 7001],
      [undefined, undefined],
    ]);
  });

  test.each([
    ["an unknown type", { event_type: "tenant_renamed", note: "Authorization: Bearer abc.def.ghi-123456789" }],
    ["no type", { note: "Authorization: Bearer abc.def.ghi-123456789" }],
  ])("with %s is published without credentials, which the ledger keeps", async (_, sent) => {
    const { consumeOne, ledger, published } = testFunction();
    const { ingestId, message } = encode(JSON.stringify(sent));
    await consumeOne(message);
    expect(JSON.stringify(published)).not.toContain("abc.def.ghi");
    expect(Buffer.from((await ledger.find(ingestId))?.body ?? []).toString()).toBe(JSON.stringify(sent));
  });

  test("with a body that is not UTF-8 is published in base64", async () => {
    const { consumeOne, published } = testFunction();
    await consumeOne(encode(Buffer.from([0xff, 0xfe])).message);
    expect(published).toMatchObject([{ detailType: "malformed", detail: { body: "//4=", bodyEncoding: "base64" } }]);
  });

  test("that arrives again is dropped, but an equal body with another ingest id is another event", async () => {
    const { consumeOne, published } = testFunction();
    const { message } = encode(JSON.stringify(payload("run_failed")));
    await consumeOne(message);
    expect(await consumeOne(message)).toEqual({ status: "published", isDuplicate: true });
    expect(published).toHaveLength(1);
    await consumeOne(encode(JSON.stringify(payload("run_failed"))).message);
    expect(published).toHaveLength(2);
  });

  test("that the acknowledging function did not write is an error", async () => {
    const { consumeBatch, published, logged } = testFunction();
    for (const message of ["hello", '{"version":2}']) {
      await expect(consumeBatch([message])).rejects.toThrow("none of the 1 messages could be consumed");
    }
    expect(published).toEqual([]);
    const reason = expect.stringContaining("the acknowledging function did not write this message");
    expect(logged).toMatchObject([{ error: { message: reason } }, { error: { message: reason } }]);
  });
});

describe("an event that is too large for the bus", () => {
  const bytes = (detail: object) => Buffer.byteLength(JSON.stringify(detail));

  test.each([
    ["long", { note: "é".repeat(200_000) }],
    ["many", Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`field-${index}`, index]))],
    ["deep", JSON.parse(`{"a":${"[".repeat(1_000)}${"]".repeat(1_000)}}`)],
  ])("is published without its %s additional fields, and stored whole in the ledger", async (_, extra) => {
    const { consumeOne, ledger, published } = testFunction();
    const body = JSON.stringify(payload("tenant_archived", extra));
    const { ingestId, message } = encode(body);
    await consumeOne(message);
    const problems = [expect.stringContaining("additional fields")];
    expect(published).toMatchObject([{ detail: { event: payload("tenant_archived"), isWhole: false, problems } }]);
    expect(published[0]?.detail.event).toEqual(payload("tenant_archived"));
    expect(Buffer.from((await ledger.find(ingestId))?.body ?? "").toString()).toBe(body);
  });

  test.each([
    ["of an unknown type", JSON.stringify({ event_type: "x", note: "n".repeat(500_000) }), "unknown"],
    [
      "of a known type with a long name",
      JSON.stringify(payload("run_failed", { tenant_name: "n".repeat(500_000) })),
      "run_failed",
    ],
    ["of bytes", Buffer.alloc(300_000, 0xff), "malformed"],
    ["of control characters", "\u0001".repeat(100_000), "malformed"],
    ["of deep nesting", "[".repeat(400_000), "malformed"],
    ["of quoted tokens", '"token":"abc",'.repeat(40_000), "malformed"],
  ])("%s is published without its body, and stored whole in the ledger", async (_, body, detailType) => {
    const { consumeOne, ledger, published } = testFunction();
    const { ingestId, message } = encode(body);
    await consumeOne(message);
    expect(published).toMatchObject([{ detailType, detail: { ingestId, isWhole: false } }]);
    expect(published[0]?.detail).not.toHaveProperty("body");
    expect(bytes(published[0]?.detail ?? {})).toBeLessThan(1_000);
    expect(Buffer.from((await ledger.find(ingestId))?.body ?? "").equals(Buffer.from(body))).toBe(true);
  });

  test("is measured with its envelope: an event that just fits is published whole", async () => {
    const { consumeOne, published } = testFunction();
    for (const length of [239_000, 239_900]) await consumeOne(encode("x".repeat(length)).message);
    expect(published.map(({ detail }) => detail.isWhole)).toEqual([true, false]);
  });
});

describe("a delivery", () => {
  const tenantSteps = ["putIfAbsent", "putObservation webhook", "publish", "updateStatus"];
  const runSteps = ["putIfAbsent", "publish", "updateStatus"];

  test.each([
    ["new_tenant_created", tenantSteps],
    ["tenant_archived", tenantSteps],
    ["run_failed", runSteps],
  ])("of %s takes these steps", async (name, steps) => {
    const { consumeOne, calls } = testFunction();
    await consumeOne(encode(JSON.stringify(payload(name))).message);
    expect(calls).toEqual(steps);
  });

  const interruptions = [
    ...tenantSteps.map((step, number) => ({ name: "tenant_archived", step, number })),
    ...runSteps.map((step, number) => ({ name: "run_failed", step, number })),
  ].flatMap((step) => [{ ...step, moment: "before" } as const, { ...step, moment: "after" } as const]);

  test.each(interruptions)(
    "of $name interrupted $moment $step is finished by the next one",
    async ({ name, step, number, moment }) => {
      const { consumeOne, failAt, ledger, published } = testFunction();
      const { ingestId, message } = encode(JSON.stringify(payload(name)));
      failAt(number, moment);
      await expect(consumeOne(message)).rejects.toThrow(`interrupted ${moment} ${step}`);
      failAt();
      await consumeOne(message);
      expect(await ledger.find(ingestId)).toMatchObject({ status: "published" });
      // Published twice, with the same ingest id, if the interruption falls between the bus and the ledger.
      const isBetween = ["after publish", "before updateStatus"].includes(`${moment} ${step}`);
      expect(published.map(({ detail }) => detail.ingestId)).toEqual(isBetween ? [ingestId, ingestId] : [ingestId]);
      expect(await consumeOne(message)).toEqual({ status: "published", isDuplicate: true });
    },
  );
});

describe("a batch", () => {
  test("reports only the messages that failed", async () => {
    const { consumeBatch, published } = testFunction();
    const good = [encode(JSON.stringify(payload("run_failed"))), encode("nope")];
    const failures = await consumeBatch([good[0]?.message ?? "", "not ours", good[1]?.message ?? "", ""]);
    expect(failures).toEqual({ batchItemFailures: [{ itemIdentifier: "m1" }, { itemIdentifier: "m3" }] });
    expect(published.map(({ detail }) => detail.ingestId).sort()).toEqual(good.map(({ ingestId }) => ingestId).sort());
  });

  test("with the same message twice publishes it and stores one record", async () => {
    const { consumeBatch, published, ledger } = testFunction();
    const { ingestId, message } = encode("nope");
    expect(await consumeBatch([message, message])).toEqual({ batchItemFailures: [] });
    expect(new Set(published.map(({ detail }) => detail.ingestId))).toEqual(new Set([ingestId]));
    expect(await ledger.find(ingestId)).toMatchObject({ status: "published" });
  });

  test("of which every message fails is an error with the first cause, and each message is logged and counted", async () => {
    const { consumeBatch, failAt, logged } = testFunction();
    const { ingestId, message } = encode("nope");
    failAt(0);
    const error = await consumeBatch([message, "not ours"]).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      message: "none of the 2 messages could be consumed",
      cause: { message: expect.stringMatching("interrupted before putIfAbsent") },
    });
    const counted = { level: "error", message: "message not consumed", metrics: { MessagesNotConsumed: 1 } };
    expect(logged).toHaveLength(2);
    expect(logged).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...counted, messageId: "m0", ingestId }),
        expect.objectContaining({ ...counted, messageId: "m1", ingestId: undefined }),
      ]),
    );
  });

  test("without messages is no error", async () => {
    expect(await testFunction().consumeBatch([])).toEqual({ batchItemFailures: [] });
  });
});

describe("the log", () => {
  const known = payload("run_failed");

  test.each([
    ["a known event", JSON.stringify(known), "info", { kind: "known", tenantId: 5001, runId: 7001 }, undefined],
    ["a known event with a wrong field", JSON.stringify({ ...known, account_id: "1" }), "warn", {}, "DeviatingEvents"],
    ["a known event without its id", JSON.stringify({ ...known, run_id: null }), "warn", {}, "MalformedEvents"],
    ["an unknown type", '{"event_type":"x"}', "warn", { eventType: "x" }, "UnknownEvents"],
    ["a body that is not JSON", "nope", "warn", { kind: "not JSON" }, "MalformedEvents"],
    ["a body that is not UTF-8", Buffer.from([0xff]), "warn", { kind: "not UTF-8" }, "MalformedEvents"],
  ])("has %s with its facts, and counts it once", async (_, body, level, facts, metric) => {
    const { consumeOne, logged } = testFunction();
    const { ingestId, message } = encode(body);
    await consumeOne(message);
    await consumeOne(message);
    const metrics = metric === undefined ? undefined : { [metric]: 1 };
    const entry = { level, message: "webhook consumed", ingestId, status: "published", ...facts };
    expect(logged).toMatchObject([
      { ...entry, isDuplicate: false, metrics },
      { ...entry, isDuplicate: true, metrics: undefined },
    ]);
  });

  test("has the problems of a message, but no values", async () => {
    const { consumeBatch, logged } = testFunction();
    const body = JSON.stringify({ ...payload("run_failed"), run_id: "confidential", admin_link: "confidential" });
    await consumeBatch([encode(body).message, "confidential"]);
    expect(logged).toMatchObject([
      { level: "error", messageId: "m1" },
      { kind: "malformed", problems: [expect.stringContaining("run_id"), expect.stringContaining("admin_link")] },
    ]);
    expect(JSON.stringify(logged)).not.toContain("confidential");
  });
});

describe("a webhook about an archiving that reconciliation published already", () => {
  const reconciledAt = "2026-03-04T05:06:00.000Z";

  test.each([
    ["is late if the platform's clock is half a minute ahead", "2026-03-04T05:06:30Z", "late", 0],
    ["is another event if its time is five minutes later", "2026-03-04T05:11:00Z", "published", 1],
    ["is published if its time is missing, as it may be another event", undefined, "published", 1],
  ])("%s", async (_, timestamp, status, publishedCount) => {
    const { consumeOne, ledger, published } = testFunction();
    const event = payload("tenant_archived", { timestamp });
    const tenantEvent = { tenantId: Number(event.tenant_id), eventKind: "archived" } as const;
    const observation = { state: "reconciled", at: reconciledAt, ingestId: "reconciled-1" } as const;
    await ledger.putObservation(tenantEvent, observation, []);
    const { ingestId, message } = encode(JSON.stringify(event), { receivedAt: "2026-03-04T05:12:00.000Z" });

    await consumeOne(message);

    expect(await ledger.find(ingestId)).toMatchObject({ status });
    expect(published).toHaveLength(publishedCount);
  });
});

test("a webhook waits while a sweep is about to publish its event, as that sweep may have died", async () => {
  const { consumeBatch, ledger, published } = testFunction();
  const event = payload("new_tenant_created", {});
  const tenantEvent = { tenantId: Number(event.tenant_id), eventKind: "created" } as const;
  const observation = { at: "2026-03-04T05:06:00.000Z", ingestId: "reconciled-1" };
  await ledger.putObservation(tenantEvent, { ...observation, state: "reconciling" }, []);
  const { ingestId, message } = encode(JSON.stringify(event), { receivedAt: new Date().toISOString() });

  expect((await consumeBatch([message])).batchItemFailures).toHaveLength(1);
  expect(await ledger.find(ingestId)).toMatchObject({ status: "received" });

  await ledger.putObservation(tenantEvent, { ...observation, state: "reconciled" }, ["reconciling"]);
  expect((await consumeBatch([message])).batchItemFailures).toEqual([]);
  expect(await ledger.find(ingestId)).toMatchObject({ status: "late" });
  expect(published).toEqual([]);
});

test("a webhook is published itself if the sweep that was about to publish its event does not end", async () => {
  const { consumeBatch, ledger, published, logged } = testFunction();
  const event = payload("new_tenant_created", {});
  const tenantEvent = { tenantId: Number(event.tenant_id), eventKind: "created" } as const;
  const observation = { at: "2026-03-04T05:06:00.000Z", ingestId: "reconciled-1", state: "reconciling" } as const;
  await ledger.putObservation(tenantEvent, observation, []);
  const receivedAt = new Date(Date.now() - 1_201_000).toISOString();
  const { ingestId, message } = encode(JSON.stringify(event), { receivedAt });
  expect((await consumeBatch([message])).batchItemFailures).toEqual([]);
  expect(published.map(({ detail }) => detail.ingestId)).toEqual([ingestId]);
  expect(logged[0]).toMatchObject({ level: "warn", message: expect.stringContaining("a sweep did not end") });
});

test("a large batch is consumed one message after the other, and a small one at once", async () => {
  for (const [length, expected] of [
    [150_000, 1],
    [100, 10],
  ] as const) {
    const { ledger, ...ports } = testFunction();
    let running = 0;
    let most = 0;
    const putIfAbsent: typeof ledger.putIfAbsent = async (record) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      return ledger.putIfAbsent(record);
    };
    const messages = Array.from({ length: 10 }, () => encode("x".repeat(length)).message);
    await consume(batchOf(messages), { ...ports, log: () => undefined, ledger: { ...ledger, putIfAbsent } });
    expect([length, most]).toEqual([length, expected]);
  }
});
