import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { expect, onTestFinished, test } from "vitest";
import { consumeBatch } from "../../../src/receiver/consume/consume-batch.ts";
import { eventBridgeBus } from "../../../src/receiver/consume/event-bridge-bus.ts";
import { encodeMessage } from "../../../src/receiver/message.ts";
import { payload } from "../fixtures.ts";
import { openLedger } from "../open-ledger.ts";

const taken = { FailedEntryCount: 0, Entries: [{ EventId: "e-1" }] };
const notTaken = { FailedEntryCount: 1, Entries: [{ ErrorCode: "ThrottlingException", ErrorMessage: "slow down" }] };

/** EventBridge, as far as `PutEvents` goes: it gives these answers in turn, each with 200. */
async function startEventBridge(answers: object[]) {
  const asked: unknown[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = await request.toArray();
    asked.push(JSON.parse(Buffer.concat(chunks).toString()));
    response.writeHead(200, { "content-type": "application/x-amz-json-1.1" });
    response.end(JSON.stringify(answers.shift() ?? taken));
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
  return { asked, client };
}

test("an event that EventBridge answers with 200 and has not taken comes again, until it has", async () => {
  const { asked, client } = await startEventBridge([notTaken, taken]);
  const ports = { ledger: openLedger(), bus: eventBridgeBus(client, "events"), log: () => undefined };
  const body = Buffer.from(JSON.stringify(payload("run_failed")));
  const ingestId = randomUUID();
  const message = encodeMessage({ ingestId, receivedAt: "2026-03-04T05:06:08.000Z", sourceIp: "192.0.2.7", body });
  const batch = { Records: [{ messageId: "m0", body: message ?? "" }] };

  expect(await consumeBatch(batch, ports)).toEqual({ batchItemFailures: [{ itemIdentifier: "m0" }] });
  expect(await ports.ledger.find(ingestId)).toMatchObject({ status: "received" });

  expect(await consumeBatch(batch, ports)).toEqual({ batchItemFailures: [] });
  expect(await ports.ledger.find(ingestId)).toMatchObject({ status: "published" });
  const entry = { EventBusName: "events", DetailType: "run_failed", Detail: expect.stringContaining(ingestId) };
  expect(asked).toMatchObject([{ Entries: [entry] }, { Entries: [entry] }]);
});
