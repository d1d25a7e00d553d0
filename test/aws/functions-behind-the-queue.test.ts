import { type AttributeValue, DynamoDBClient, ScanCommand } from "@aws-sdk/client-dynamodb";
import { beforeAll, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import { type LivePlatform, openPlatform } from "../engine/harness/live-platform.ts";
import { pythonSetUpSeconds } from "../python/prepare-python.ts";
import { payload } from "../receiver/fixtures.ts";
import { takeMessages } from "./queues.ts";
import { deployReceiver, type ReceiverStack, token } from "./receiver-stack.ts";
import { startFunctionOf } from "./runtime/function-of-stack.ts";
import { runtimeSetUpSeconds } from "./runtime/prepare-runtime.ts";
import { urlEvent } from "./runtime/url-event.ts";
import { type EventsOnBus, subscribeToBus } from "./subscribe-to-bus.ts";

// A webhook passes through the bundles of a stack, and a sweep finds a missing one. AWS's runtime runs the functions, and
// moto provides queue, ledger and bus. The tests invoke the consumer themselves, as moto has no event source mapping.

let platform: LivePlatform;
let stack: ReceiverStack;
let eventsOnBus: EventsOnBus;

beforeAll(
  () =>
    endAfterTests(async (open) => {
      platform = open.use(await openPlatform());
      stack = open.use(await deployReceiver(platform.emulator.url, platform.emulator.apiKey));
      eventsOnBus = await subscribeToBus(stack);
    }),
  (pythonSetUpSeconds + runtimeSetUpSeconds) * 1000,
);

test("delivers a webhook from the URL to the ledger and the bus, and drops its duplicate", async () => {
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
  const events = await eventsOnBus();
  expect(events).toHaveLength(2);
  expect(events).toEqual(
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

test("returns only the messages to the queue that it could not consume", async () => {
  await using consume = await startFunctionOf(stack, "consume");
  const message = await webhookMessage("{}");
  const Records = [
    { messageId: "m-1", body: "not a message of the acknowledging function" },
    { messageId: "m-2", body: message },
  ];
  expect(await consume.invoke({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier: "m-1" }] });
});

test("fails if it could consume no message, and logs the causes", async () => {
  await using consume = await startFunctionOf(stack, "consume", { LEDGER_TABLE: "not-there" });
  const Records = [{ messageId: "m-1", body: await webhookMessage("{}") }];
  const failure = { errorType: "Error", errorMessage: "none of the 1 messages could be consumed" };
  expect(await consume.invoke({ Records })).toMatchObject(failure);
  const entries = logEntries(consume.logged());
  const cause = { name: "ResourceNotFoundException" };
  expect(entries).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        message: "message not consumed",
        ingestId: expect.any(String),
        error: expect.objectContaining(cause),
        MessagesNotConsumed: 1,
      }),
      expect.objectContaining({
        message: "invocation failed",
        error: expect.objectContaining({ cause: expect.objectContaining(cause) }),
      }),
    ]),
  );
});

test("finds a tenant without a webhook after the baseline, with the API key from Secrets Manager", async () => {
  await using reconcile = await startFunctionOf(stack, "reconcile", { LEDGER_RETENTION_DAYS: "40" });
  await eventsOnBus();
  expect(await reconcile.invoke({})).toMatchObject({ isBaseline: true, reconciled: 0 });
  await platform.call("POST", "/v2/tenants", { integration_id: 101, name: "unannounced" });

  await expect.poll(() => reconcile.invoke({}), { timeout: 20_000 }).toMatchObject({ reconciled: 1 });
  expect(await eventsOnBus()).toMatchObject([
    {
      "detail-type": "new_tenant_created",
      detail: { reconciled: true, event: { tenant_name: "unannounced" } },
    },
  ]);
  expect(await reconcile.invoke({})).toMatchObject({ reconciled: 0, waiting: 0 });
  expect(reconcile.logged()).not.toContain(platform.emulator.apiKey);
  const records = (await recordsInLedger()).filter(({ reconciled }) => reconciled?.BOOL);
  expect(records.map(daysUntilExpiration)).toEqual([40]);
});

test("lets records expire so many days after their arrival as the environment says, and none without it", async () => {
  const messages = [await webhookMessage('{"n":1}'), await webhookMessage('{"n":2}')];
  const before = new Set((await recordsInLedger()).map(({ pk }) => pk?.S));
  await using forEver = await startFunctionOf(stack, "consume");
  await using forDays = await startFunctionOf(stack, "consume", { LEDGER_RETENTION_DAYS: "30" });
  await forEver.invoke({ Records: [{ messageId: "m-1", body: messages[0] }] });
  await forDays.invoke({ Records: [{ messageId: "m-2", body: messages[1] }] });
  const records = (await recordsInLedger()).filter(({ pk }) => !before.has(pk?.S));
  expect(new Map(records.map((record) => [record.body?.S, daysUntilExpiration(record)]))).toEqual(
    new Map([
      ['{"n":1}', undefined],
      ['{"n":2}', 30],
    ]),
  );
});

/** The message of a webhook, as the acknowledging function puts it into the queue. */
async function webhookMessage(body: string): Promise<string> {
  await using acknowledge = await startFunctionOf(stack, "acknowledge");
  await acknowledge.invoke(urlEvent({ query: `token=${token}`, body }));
  const [message] = await takeMessages(stack.moto, stack.outputs.queueUrl);
  return message?.Body ?? "";
}

/** The lines of a function's log that are JSON objects. */
function logEntries(log: string): unknown[] {
  return log
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
}

async function statusesInLedger(): Promise<(string | undefined)[]> {
  return (await recordsInLedger()).map(({ status }) => status?.S);
}

async function recordsInLedger(): Promise<Record<string, AttributeValue>[]> {
  const command = new ScanCommand({ TableName: stack.outputs.ledgerName });
  const { Items: items = [] } = await new DynamoDBClient(stack.moto.client).send(command);
  return items.filter(({ sk }) => sk?.S === "record");
}

/** Whole days from the arrival of an event to its expiration. */
function daysUntilExpiration({ expiration, receivedAt }: Record<string, AttributeValue>): number | undefined {
  if (expiration?.N === undefined) return undefined;
  return Math.floor((Number(expiration.N) - Date.parse(receivedAt?.S ?? "") / 1000) / 86_400);
}
