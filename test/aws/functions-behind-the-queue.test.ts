import { DynamoDBClient, ScanCommand } from "@aws-sdk/client-dynamodb";
import { EventBridgeClient, PutRuleCommand, PutTargetsCommand } from "@aws-sdk/client-eventbridge";
import { CreateQueueCommand, SQSClient } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { type LivePlatform, openPlatform } from "../engine/harness/live-platform.ts";
import { pythonSetUpSeconds } from "../python/prepare-python.ts";
import { payload } from "../receiver/fixtures.ts";
import { takeMessages } from "./messages.ts";
import { bringUpReceiver, type ReceiverStack, token } from "./receiver-stack.ts";
import { startFunctionOf } from "./runtime/function-of-stack.ts";
import { runtimeSetUpSeconds } from "./runtime/prepare-runtime.ts";
import { urlEvent } from "./runtime/url-event.ts";

// A webhook's whole way through the bundles of a stack, and a sweep that finds what never came; each function run by
// AWS's runtime. moto carries what lies between them; that the queue invokes the consumer is played here.

let platform: LivePlatform;
let stack: ReceiverStack;
let heardOnBus: () => Promise<Record<string, unknown>[]>;

beforeAll(
  async () => {
    platform = await openPlatform();
    stack = await bringUpReceiver(platform.emulator.url, platform.emulator.apiKey);
    heardOnBus = await listenToBus(stack);
  },
  (pythonSetUpSeconds + runtimeSetUpSeconds) * 1000,
);
afterAll(async () => {
  await stack?.[Symbol.asyncDispose]();
  await platform?.[Symbol.asyncDispose]();
});

it("brings a webhook from the URL over the queue into the ledger and onto the bus, and drops its duplicate", async () => {
  await using acknowledge = await startFunctionOf(stack, "acknowledge");
  await using consume = await startFunctionOf(stack, "consume");
  const event = payload("run_failed");
  for (const body of [JSON.stringify(event), "{broken"]) {
    const answer = await acknowledge.invoke(urlEvent({ query: `token=${token}`, body }));
    expect(answer).toMatchObject({ statusCode: 200 });
  }

  const messages = await takeMessages(stack.moto, stack.outputs.queueUrl);
  const batch = { Records: messages.map(({ MessageId: messageId, Body: body }) => ({ messageId, body })) };
  expect(await consume.invoke(batch)).toEqual({ batchItemFailures: [] });
  expect(await consume.invoke(batch)).toEqual({ batchItemFailures: [] });

  expect(await statusesInLedger()).toEqual(["published", "published"]);
  const heard = await heardOnBus();
  expect(heard).toHaveLength(2);
  expect(heard).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        source: "integration-platform",
        "detail-type": "run_failed",
        detail: expect.objectContaining({ event, reconciled: false }),
      }),
      expect.objectContaining({ "detail-type": "malformed", detail: expect.objectContaining({ body: "{broken" }) }),
    ]),
  );
});

it("gives back to the queue what it could not consume, and that alone", async () => {
  await using consume = await startFunctionOf(stack, "consume");
  const Records = [{ messageId: "m-1", body: "no message of the acknowledging function" }];
  expect(await consume.invoke({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier: "m-1" }] });
  await using cutOff = await startFunctionOf(stack, "consume", { LEDGER_TABLE: "not-there" });
  await using acknowledge = await startFunctionOf(stack, "acknowledge");
  await acknowledge.invoke(urlEvent({ query: `token=${token}`, body: "{}" }));
  const [message] = await takeMessages(stack.moto, stack.outputs.queueUrl);
  const failing = { Records: [{ messageId: "m-2", body: message?.Body }] };
  expect(await cutOff.invoke(failing)).toEqual({ batchItemFailures: [{ itemIdentifier: "m-2" }] });
});

it("finds a tenant whose webhook never came: with the key from Secrets Manager, after taking stock", async () => {
  await using reconcile = await startFunctionOf(stack, "reconcile");
  await heardOnBus();
  expect(await reconcile.invoke({})).toMatchObject({ isStockTaking: true, reconciled: 0 });
  await platform.call("POST", "/v2/tenants", { integration_id: 101, name: "unannounced" });

  await expect.poll(() => reconcile.invoke({}), { timeout: 20_000 }).toMatchObject({ reconciled: 1 });
  expect(await heardOnBus()).toMatchObject([
    {
      "detail-type": "new_tenant_created",
      detail: { reconciled: true, event: { tenant_name: "unannounced" } },
    },
  ]);
  expect(await reconcile.invoke({})).toMatchObject({ reconciled: 0, waiting: 0 });
  expect(reconcile.logged()).not.toContain(platform.emulator.apiKey);
});

async function statusesInLedger(): Promise<(string | undefined)[]> {
  const command = new ScanCommand({ TableName: stack.outputs.ledgerName });
  const { Items: items = [] } = await new DynamoDBClient(stack.moto.client).send(command);
  return items.filter(({ sk }) => sk?.S === "record").map(({ status }) => status?.S);
}

/** Hangs a rule on the bus, as a user does, whose target is a queue. */
async function listenToBus({ moto, outputs }: ReceiverStack): Promise<typeof heardOnBus> {
  const { QueueUrl: queueUrl = "" } = await new SQSClient(moto.client).send(
    new CreateQueueCommand({ QueueName: "heard" }),
  );
  const events = new EventBridgeClient(moto.client);
  const EventPattern = JSON.stringify({ source: ["integration-platform"] });
  const rule = { EventBusName: outputs.busName };
  await events.send(new PutRuleCommand({ ...rule, Name: "all", EventPattern }));
  const Targets = [{ Id: "heard", Arn: "arn:aws:sqs:eu-central-1:123456789012:heard" }];
  await events.send(new PutTargetsCommand({ ...rule, Rule: "all", Targets }));
  return async () => {
    const messages = await takeMessages(moto, queueUrl);
    return messages.map(({ Body: body = "" }) => eventSchema.parse(JSON.parse(body)));
  };
}

const eventSchema = z.record(z.string(), z.unknown());
