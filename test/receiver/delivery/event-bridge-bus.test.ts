import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { consume } from "../../../src/receiver/consume/consume.ts";
import { eventBridgeBus } from "../../../src/receiver/delivery/event-bridge-bus.ts";
import { encodeMessage } from "../../../src/receiver/message.ts";
import { payload } from "../fixtures.ts";
import { openLedger } from "../open-ledger.ts";

const accepted = { FailedEntryCount: 0, Entries: [{ EventId: "e-1" }] };
const rejected = { FailedEntryCount: 1, Entries: [{ ErrorCode: "ThrottlingException", ErrorMessage: "slow down" }] };

/** A server that answers `PutEvents` of EventBridge with 200 and these bodies in turn. */
async function startEventBridge(responses: object[]) {
  const requests: unknown[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = await request.toArray();
    requests.push(JSON.parse(Buffer.concat(chunks).toString()));
    response.writeHead(200, { "content-type": "application/x-amz-json-1.1" });
    response.end(JSON.stringify(responses.shift() ?? accepted));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const client = new EventBridgeClient({ endpoint: `http://127.0.0.1:${port}`, region: "eu-west-1", credentials });
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  return { requests, client };
}

test("returns an event to the queue if EventBridge answers 200 but rejects it", async () => {
  const { requests, client } = await startEventBridge([rejected, accepted]);
  const ports = { ledger: openLedger(), bus: eventBridgeBus(client, "events"), log: () => undefined };
  const body = Buffer.from(JSON.stringify(payload("run_failed")));
  const ingestId = randomUUID();
  const message = encodeMessage({ ingestId, receivedAt: "2026-03-04T05:06:08.000Z", sourceIp: "192.0.2.7", body });
  const batch = { Records: [{ messageId: "m0", body: message ?? "" }] };

  await expect(consume(batch, ports)).rejects.toThrow("none of the 1 messages could be consumed");
  expect(await ports.ledger.find(ingestId)).toMatchObject({ status: "received" });

  expect(await consume(batch, ports)).toEqual({ batchItemFailures: [] });
  expect(await ports.ledger.find(ingestId)).toMatchObject({ status: "published" });
  const entry = { EventBusName: "events", DetailType: "run_failed", Detail: expect.stringContaining(ingestId) };
  expect(requests).toMatchObject([{ Entries: [entry] }, { Entries: [entry] }]);
});

test("publishes halves of characters as U+FFFD, which every receiver can parse, and what looks like one unchanged", async () => {
  const { requests, client } = await startEventBridge([]);
  const event = JSON.parse(
    String.raw`{"event_type":"run_failed","a\udc00":"\ud800x","b":"\ud83d\ude00","c":"\\ud800"}`,
  );
  const detail = { ingestId: "i", receivedAt: "", reconciled: false, isWhole: true, problems: [], event };
  await eventBridgeBus(client, "events").publish({ detailType: "run_failed", detail });
  const [{ Entries: [entry = { Detail: "" }] = [] } = {}] = requestsSchema.parse(requests);
  expect(entry.Detail).toMatch(/^[\x20-\x7e\u{1f600}]*$/u);
  expect(JSON.parse(entry.Detail).event).toEqual({
    event_type: "run_failed",
    "a\ufffd": "\ufffdx",
    b: "\u{1f600}",
    c: String.raw`\ud800`,
  });
});

const requestsSchema = z.array(z.object({ Entries: z.array(z.object({ Detail: z.string() })) }));
