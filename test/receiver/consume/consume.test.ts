import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { consume } from "../../../src/receiver/consume/consume.ts";
import { consumeBatch } from "../../../src/receiver/consume/consume-batch.ts";
import { encodeMessage, type Webhook } from "../../../src/receiver/message.ts";
import { eventNames, payload } from "../fixtures.ts";
import { openLedger } from "../open-ledger.ts";
import { failingPorts } from "./failing-ports.ts";

const log = () => undefined;

/** A message of the queue, and the ingest id in it. */
function message(body: string | Uint8Array, facts: Partial<Webhook> = {}) {
  const ingestId = facts.ingestId ?? randomUUID();
  const webhook = { ingestId, receivedAt: "2026-03-04T05:06:08.000Z", sourceIp: "192.0.2.7", ...facts };
  return { ingestId, text: encodeMessage({ ...webhook, body: Buffer.from(body) }) ?? "" };
}

function stage() {
  const ports = { ...failingPorts(openLedger()), log };
  return {
    ...ports,
    consume: (text: string) => consume(text, ports),
    batch: (texts: string[]) => consumeBatch(batchOf(texts), ports),
  };
}

function batchOf(texts: string[]) {
  return { Records: texts.map((body, index) => ({ messageId: `m${index}`, body })) };
}

describe("a message", () => {
  test.each(eventNames)("with %s goes into the ledger and onto the bus, under its type", async (name) => {
    const { consume, ledger, published } = stage();
    const { ingestId, text } = message(JSON.stringify(payload(name, { extra: 1 })));
    expect(await consume(text)).toEqual({ status: "published", isDuplicate: false });
    const facts = { ingestId, receivedAt: "2026-03-04T05:06:08.000Z", reconciled: false, isWhole: true, problems: [] };
    expect(published).toEqual([{ detailType: name, detail: { ...facts, event: payload(name, { extra: 1 }) } }]);
    const record = { status: "published", kind: "known", eventType: name, sourceIp: "192.0.2.7", reconciled: false };
    expect(await ledger.find(ingestId)).toMatchObject(record);
  });

  test.each([
    ["an unknown type", '{"event_type":"tenant_renamed","a":1}', "unknown", "unknown type"],
    ["a known type without its fields", '{"event_type":"run_failed"}', "malformed", "malformed"],
    ["no JSON", "nope", "malformed", "not JSON"],
    ["nothing", "", "malformed", "not JSON"],
  ])("with %s goes the same way, marked, with its body", async (_, body, detailType, kind) => {
    const { consume, ledger, published } = stage();
    const { ingestId, text } = message(body);
    await consume(text);
    expect(published).toMatchObject([{ detailType, detail: { ingestId, body, bodyEncoding: "utf8", isWhole: true } }]);
    expect(published[0]?.detail.problems).not.toEqual([]);
    expect(await ledger.find(ingestId)).toMatchObject({ status: "published", kind });
  });

  test("with bytes that are no text carries them as base64", async () => {
    const { consume, published } = stage();
    await consume(message(Buffer.from([0xff, 0xfe])).text);
    expect(published).toMatchObject([{ detailType: "malformed", detail: { body: "//4=", bodyEncoding: "base64" } }]);
  });

  test("that comes again is dropped; the same said under another id is another event", async () => {
    const { consume, published } = stage();
    const { text } = message(JSON.stringify(payload("run_failed")));
    await consume(text);
    expect(await consume(text)).toEqual({ status: "published", isDuplicate: true });
    expect(published).toHaveLength(1);
    await consume(message(JSON.stringify(payload("run_failed"))).text);
    expect(published).toHaveLength(2);
  });

  test("that is not the acknowledging function's is an error, and comes again until it is a dead letter", async () => {
    const { consume, published } = stage();
    await expect(consume("hello")).rejects.toThrow("not one that the acknowledging function has sent");
    await expect(consume('{"version":2}')).rejects.toThrow();
    expect(published).toEqual([]);
  });
});

describe("what is too large for the bus", () => {
  const bytes = (detail: object) => Buffer.byteLength(JSON.stringify(detail));

  test.each([
    ["long", { note: "é".repeat(200_000) }],
    ["deep", JSON.parse(`{"a":${"[".repeat(1_000)}${"]".repeat(1_000)}}`)],
  ])("in %s additional fields is left out there, and whole in the ledger", async (_, extra) => {
    const { consume, ledger, published } = stage();
    const body = JSON.stringify(payload("tenant_archived", extra));
    const { ingestId, text } = message(body);
    await consume(text);
    const problems = [expect.stringContaining("additional fields")];
    expect(published).toMatchObject([{ detail: { event: payload("tenant_archived"), isWhole: false, problems } }]);
    expect(published[0]?.detail.event).toEqual(payload("tenant_archived"));
    expect(Buffer.from((await ledger.find(ingestId))?.body ?? "").toString()).toBe(body);
  });

  test.each([
    ["an unknown event", JSON.stringify({ event_type: "x", note: "n".repeat(500_000) }), "unknown"],
    [
      "a known one with an endless name",
      JSON.stringify(payload("run_failed", { tenant_name: "n".repeat(500_000) })),
      "run_failed",
    ],
    ["bytes", Buffer.alloc(300_000, 0xff), "malformed"],
    ["control characters", "\u0001".repeat(100_000), "malformed"],
    ["depth", "[".repeat(400_000), "malformed"],
  ])("as %s is a note of it on the bus, and whole in the ledger", async (_, body, detailType) => {
    const { consume, ledger, published } = stage();
    const { ingestId, text } = message(body);
    await consume(text);
    expect(published).toMatchObject([{ detailType, detail: { ingestId, isWhole: false } }]);
    expect(published[0]?.detail).not.toHaveProperty("body");
    expect(bytes(published[0]?.detail ?? {})).toBeLessThan(1_000);
    expect(Buffer.from((await ledger.find(ingestId))?.body ?? "").equals(Buffer.from(body))).toBe(true);
  });

  test("is counted with its type and all: what just fits is whole", async () => {
    const { consume, published } = stage();
    for (const length of [239_000, 239_900]) await consume(message("x".repeat(length)).text);
    expect(published.map(({ detail }) => detail.isWhole)).toEqual([true, false]);
  });
});

describe("cut off", () => {
  const tenantSteps = ["keep", "sight webhook", "publish", "settle"];
  const runSteps = ["keep", "publish", "settle"];

  test.each([
    ["new_tenant_created", tenantSteps],
    ["tenant_archived", tenantSteps],
    ["run_failed", runSteps],
  ])("at no step, %s takes these", async (name, steps) => {
    const { consume, calls } = stage();
    await consume(message(JSON.stringify(payload(name))).text);
    expect(calls).toEqual(steps);
  });

  const cuts = [
    ...tenantSteps.map((step, number) => ({ name: "tenant_archived", step, number })),
    ...runSteps.map((step, number) => ({ name: "run_failed", step, number })),
  ].flatMap((cut) => [{ ...cut, moment: "before" } as const, { ...cut, moment: "after" } as const]);

  test.each(cuts)(
    "$moment $step of $name, it is finished by the next delivery: one record, on the bus",
    async (cut) => {
      const { consume, failAt, ledger, published } = stage();
      const { ingestId, text } = message(JSON.stringify(payload(cut.name)));
      failAt(cut.number, cut.moment);
      await expect(consume(text)).rejects.toThrow(`cut off ${cut.moment} ${cut.step}`);
      failAt();
      await consume(text);
      expect(await ledger.find(ingestId)).toMatchObject({ status: "published" });
      // Twice on the bus only if it was cut between the bus and the ledger's note of it; by its id the two are one.
      const isBetween =
        `${cut.moment} ${cut.step}` === "after publish" || `${cut.moment} ${cut.step}` === "before settle";
      expect(published.map(({ detail }) => detail.ingestId)).toEqual(isBetween ? [ingestId, ingestId] : [ingestId]);
      expect(await consume(text)).toEqual({ status: "published", isDuplicate: true });
    },
  );
});

describe("a batch", () => {
  test("reports the messages that failed, and only them", async () => {
    const { batch, published } = stage();
    const good = [message(JSON.stringify(payload("run_failed"))), message("nope")];
    const failures = await batch([good[0]?.text ?? "", "not ours", good[1]?.text ?? "", ""]);
    expect(failures).toEqual({ batchItemFailures: [{ itemIdentifier: "m1" }, { itemIdentifier: "m3" }] });
    expect(published.map(({ detail }) => detail.ingestId).sort()).toEqual(good.map(({ ingestId }) => ingestId).sort());
  });

  test("in which a message comes twice puts it on the bus, and leaves one record", async () => {
    const { batch, published, ledger } = stage();
    const { ingestId, text } = message("nope");
    expect(await batch([text, text])).toEqual({ batchItemFailures: [] });
    expect(new Set(published.map(({ detail }) => detail.ingestId))).toEqual(new Set([ingestId]));
    expect(await ledger.find(ingestId)).toMatchObject({ status: "published" });
  });

  test("logs what was wrong, and never a value", async () => {
    const logged: unknown[] = [];
    const ports = { ...failingPorts(openLedger()), log: (entry: unknown) => void logged.push(entry) };
    const body = JSON.stringify({ ...payload("run_failed"), run_id: "confidential" });
    await consumeBatch(batchOf([message(body).text, "confidential"]), ports);
    expect(logged).toMatchObject([
      { level: "error", messageId: "m1" },
      { level: "warn", kind: "malformed", problems: [expect.stringContaining("run_id")] },
    ]);
    expect(JSON.stringify(logged)).not.toContain("confidential");
  });
});
