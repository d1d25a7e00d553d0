import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type ConsumePorts, consume, type Verification } from "../../../src/receiver/consume/consume.ts";
import type { LogEntry } from "../../../src/receiver/log.ts";
import { encodeMessage } from "../../../src/receiver/message.ts";
import { failingPorts } from "../failing-ports.ts";
import { payload } from "../fixtures.ts";
import { openLedger } from "../open-ledger.ts";

/** The consuming function, on a platform that answers as `answer` says at the moment. */
function verifyingFunction(first: Verification | "unreachable" = "verified") {
  const logged: LogEntry[] = [];
  const asked: unknown[] = [];
  const platform = { answer: first };
  const verify: ConsumePorts["verify"] = async (event, receivedAt) => {
    asked.push([event.event_type, receivedAt]);
    if (platform.answer === "unreachable") throw new Error("the platform does not answer");
    return platform.answer;
  };
  const ports = { ...failingPorts(openLedger()), verify, log: (entry: LogEntry) => void logged.push(entry) };
  return { ...ports, logged, asked, platform, consumeAll: (messages: Message[]) => consume(batchOf(messages), ports) };
}

interface Message {
  readonly ingestId: string;
  readonly body: string;
}

const receivedAt = "2026-03-04T05:06:08.000Z";

function batchOf(messages: readonly Message[]) {
  const encode = ({ ingestId, body }: Message) => {
    const webhook = { ingestId, receivedAt, sourceIp: "192.0.2.7", body: Buffer.from(body) };
    return { messageId: ingestId, body: encodeMessage(webhook) ?? "" };
  };
  return { Records: messages.map(encode) };
}

const messageOf = (eventType: string, fields: object = {}): Message => ({
  ingestId: randomUUID(),
  body: JSON.stringify(payload(eventType, fields)),
});

describe("an event", () => {
  test("that the platform confirms is published under its type", async () => {
    const { consumeAll, published, asked } = verifyingFunction("verified");
    expect(await consumeAll([messageOf("tenant_archived")])).toEqual({ batchItemFailures: [] });
    expect(published).toMatchObject([{ detailType: "tenant_archived", detail: { problems: [] } }]);
    expect(published[0]?.detail).not.toHaveProperty("verified");
    expect(asked).toEqual([["tenant_archived", receivedAt]]);
  });

  test.each([
    ["tenant_archived", {}, "tenant_id: the platform does not show this tenant as archived"],
    ["new_tenant_created", {}, "tenant_id: the platform has no such tenant"],
    ["run_failed", {}, "tenant_id: the platform has no such tenant"],
    ["run_failed", { tenant_id: undefined }, "not verified: the event names no tenant"],
    ["new_integration_created", {}, "integration_id: the platform has no such integration"],
    ["partner_integration_updated", {}, "integration_id: the platform has no such integration"],
  ])("%s with %j that is not confirmed is published as unverified, once", async (eventType, fields, problem) => {
    const { consumeAll, published, ledger, logged } = verifyingFunction("unverified");
    const message = messageOf(eventType, fields);
    for (let count = 0; count < 2; count += 1) {
      expect(await consumeAll([message])).toEqual({ batchItemFailures: [] });
    }
    const event = JSON.parse(message.body);
    expect(published).toMatchObject([{ detailType: "unverified", detail: { verified: false, event } }]);
    expect(published[0]?.detail.problems[0]).toBe(problem);
    expect(await ledger.find(message.ingestId)).toMatchObject({ status: "unverified", kind: "known", eventType });
    const entry = { level: "warn", message: "webhook consumed", status: "unverified" };
    expect(logged).toMatchObject([
      { ...entry, metrics: { UnverifiedEvents: 1 } },
      { ...entry, isDuplicate: true, metrics: undefined },
    ]);
    expect(logged[0]?.problems).toContain(problem);
  });

  test("that the platform does not confirm leaves the creation of the tenant to reconciliation", async () => {
    const { consumeAll, ledger } = verifyingFunction("unverified");
    await consumeAll([messageOf("new_tenant_created")]);
    const observations = await ledger.findObservations([{ tenantId: 5001, eventKind: "created" }]);
    expect(observations.size).toBe(0);
  });

  test("that the platform does not confirm yet returns to the queue, which is neither an error nor counted", async () => {
    const { consumeAll, published, ledger, logged, platform } = verifyingFunction("not yet");
    const message = messageOf("new_tenant_created");
    const returned = { batchItemFailures: [{ itemIdentifier: message.ingestId }] };
    expect(await consumeAll([message])).toEqual(returned);
    expect(published).toEqual([]);
    expect(await ledger.find(message.ingestId)).toMatchObject({ status: "received" });
    expect(logged).toMatchObject([
      { level: "info", message: "webhook waits in the queue", ingestId: message.ingestId },
    ]);
    expect(logged[0]).not.toHaveProperty("metrics");

    platform.answer = "verified";
    expect(await consumeAll([message])).toEqual({ batchItemFailures: [] });
    expect(published).toMatchObject([{ detailType: "new_tenant_created" }]);
  });

  test("stays in the queue while the platform does not answer, and this is an error", async () => {
    const { consumeAll, published, logged, platform } = verifyingFunction("unreachable");
    const message = messageOf("run_failed");
    await expect(consumeAll([message])).rejects.toThrow("none of the 1 messages could be consumed");
    expect(logged).toMatchObject([{ level: "error", ingestId: message.ingestId, metrics: { MessagesNotConsumed: 1 } }]);
    platform.answer = "verified";
    await consumeAll([message]);
    expect(published).toMatchObject([{ detailType: "run_failed" }]);
  });

  test("of a known type without its id does not count: a forged event could leave it out", async () => {
    const { consumeAll, published, logged, asked } = verifyingFunction("verified");
    await consumeAll([messageOf("run_failed", { run_id: undefined })]);
    expect(published).toMatchObject([{ detailType: "unverified", detail: { verified: false } }]);
    expect(logged).toMatchObject([{ metrics: { UnverifiedEvents: 1, MalformedEvents: 1 } }]);
    expect(asked).toEqual([]);
  });
});

test.each([
  ["unknown", '{"event_type":"tenant_renamed","tenant_id":5001}'],
  ["malformed", "nope"],
])("a body with the detail type %s is not verified", async (detailType, body) => {
  const { consumeAll, published, asked } = verifyingFunction("unverified");
  await consumeAll([{ ingestId: "i", body }]);
  expect(published).toMatchObject([{ detailType }]);
  expect(asked).toEqual([]);
});

test("a batch with an error and an event that is not confirmed yet is no error", async () => {
  const { consumeAll, failAt } = verifyingFunction("not yet");
  failAt(0);
  const messages = [messageOf("run_failed"), messageOf("run_failed")];
  const { batchItemFailures } = await consumeAll(messages);
  expect(batchItemFailures).toHaveLength(2);
});
