import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { eventLine } from "../../../src/cli/receiver/render.ts";
import { consume } from "../../../src/receiver/consume/consume.ts";
import { busEventOfRecord } from "../../../src/receiver/delivery/bus-event.ts";
import type { Ledger } from "../../../src/receiver/ledger/ledger.ts";
import { encodeMessage } from "../../../src/receiver/message.ts";
import { failingPorts } from "../failing-ports.ts";
import { eventNames, payload } from "../fixtures.ts";
import { openLedger } from "../open-ledger.ts";
import { archive, publishedEvents, startWithBaseline } from "../reconcile/test-platform.ts";

/** Consumes a webhook with this body. */
async function publish(body: string | Uint8Array) {
  const ports = { ...failingPorts(openLedger()), log: () => undefined };
  const webhook = { ingestId: randomUUID(), receivedAt: "2026-03-04T05:06:08.000Z", sourceIp: "192.0.2.7" };
  const message = encodeMessage({ ...webhook, body: Buffer.from(body) }) ?? "";
  await consume({ Records: [{ messageId: "m0", body: message }] }, ports);
  return ports;
}

async function recordOf(ledger: Ledger, ingestId = "") {
  const record = await ledger.find(ingestId);
  if (record === undefined) throw new Error(`the ledger has no record ${ingestId}`);
  return record;
}

test.each<[string, string | Uint8Array]>([
  ...eventNames.map((name): [string, string] => [name, JSON.stringify(payload(name, { extra: [1] }))]),
  ["a known event with wrong fields", JSON.stringify(payload("run_failed", { account_id: "1", tenant_name: 7 }))],
  ["an event without its id", JSON.stringify(payload("run_failed", { run_id: undefined }))],
  ["an unknown type", JSON.stringify({ event_type: "tenant_renamed", a: 1 })],
  ["a body that is not JSON", "nope"],
  ["bytes", Buffer.from([0xff, 0xfe])],
  ["an event with long additional fields", JSON.stringify(payload("run_failed", { note: "n".repeat(300_000) }))],
  ["a long body", "n".repeat(300_000)],
])("a replay of %s is the event of the first time with a replayId", async (_, body) => {
  const { ledger, published } = await publish(body);
  const [first] = published;
  const record = await recordOf(ledger, first?.detail.ingestId);
  expect(busEventOfRecord(record)).toEqual(first);
  const detail = { ...first?.detail, replayId: "replay-1" };
  expect(busEventOfRecord(record, { replayId: "replay-1" })).toEqual({ detailType: first?.detailType, detail });
});

test("an event shows no credentials of the log in it, and the ledger has what was sent", async () => {
  const log = Array.from(
    { length: 50 },
    (_, number) => `${number % 2 ? "PLAIN" : "API_TOKEN"}_${number}=value-${number}`,
  );
  const links = { admin_link: "https://console.example/runs/1?token=for-the-reader" };
  const sent = payload("run_failed", { ...links, run_status: "Failed (token=value-0)", end_of_log: log.join("\n") });
  const { ledger, published } = await publish(JSON.stringify(sent));
  const [{ detail }] = published as [(typeof published)[number]];
  expect(detail.event).toMatchObject({ ...links, run_id: sent.run_id, run_status: "Failed (token=[hidden])" });
  const shown = JSON.stringify(detail) + eventLine({ detailType: "run_failed", detail });
  for (const [number, line] of log.entries()) expect(shown.includes(line)).toBe(number % 2 === 1);
  expect(String(Buffer.from((await recordOf(ledger, detail.ingestId)).body))).toContain("API_TOKEN_0=value-0");
});

test("a replay of a reconciled event has no problems either", async () => {
  const platform = await startWithBaseline();
  await platform.whileDown(() => archive(platform, 5001));
  await platform.sweep({ graceSeconds: 0 });
  expect(publishedEvents(platform)).toEqual([["tenant_archived", 5001]]);
  const record = await recordOf(platform.ledger, platform.published[0]?.detail.ingestId);
  expect(record).toMatchObject({ reconciled: true });
  expect(platform.published).toMatchObject([{ detail: { problems: [] } }]);
  expect([busEventOfRecord(record)]).toEqual(platform.published);
});
