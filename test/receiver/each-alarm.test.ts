import * as aws from "@pulumi/aws";
import { beforeAll, describe, expect, test } from "vitest";
import { ApiError } from "../../src/api/index.ts";
import { createTenant } from "../emulator/running-emulator.ts";
import { declareReceiver, startWatchedReceiver, type WatchedReceiver } from "./alarm-clock/watched-receiver.ts";
import { payload } from "./fixtures.ts";
import { type Platform, startWithBaseline } from "./reconcile/test-platform.ts";

// Each alarm of a receiver rings for its failure, and is silent while the receiver works. The code of the functions runs here;
// the clock plays CloudWatch, and the metrics that only AWS writes are put into it.

let resources: Awaited<ReturnType<typeof declareReceiver>>;
let behindRestApi: typeof resources;

beforeAll(async () => {
  const platform = { baseUrl: "https://platform.example.com", apiKey: "a-confidential-key" };
  resources = await declareReceiver({ silenceHours: 24, platform }, (receiver) => {
    const handler = new aws.lambda.Function("handler", { role: "arn:aws:iam::123456789012:role/handler" });
    receiver.onEvent("all", handler);
    receiver.onEvent("all", "arn:aws:lambda:eu-central-1:123456789012:function:page");
  });
  behindRestApi = await declareReceiver({ restApi: {} });
}, 60_000);

const event = (fields: object = {}) => JSON.stringify(payload("run_failed", fields));
const ofFunction = (part: string, metricName: string) => ({
  namespace: "AWS/Lambda",
  metricName,
  dimensions: { FunctionName: `events-${part}` },
});
const awsCounts = (part: string, metricName: string, value: number) => async (receiver: WatchedReceiver) =>
  receiver.clock.put(ofFunction(part, metricName), value);
const messagesIn = (queue: string) => ({
  namespace: "AWS/SQS",
  metricName: "ApproximateNumberOfMessagesVisible",
  dimensions: { QueueName: `events-${queue}` },
});
const holdsMessages = (queue: string) => async (receiver: WatchedReceiver) => receiver.clock.put(messagesIn(queue), 1);
const dropped = { namespace: "AWS/Lambda", metricName: "AsyncEventsDropped", dimensions: { FunctionName: "page" } };
const repeat = async (times: number, work: () => Promise<unknown>) => {
  for (let count = 0; count < times; count++) await work();
};
const sweeping = (work: (platform: Platform, receiver: WatchedReceiver) => Promise<unknown>) => {
  return async (receiver: WatchedReceiver) => {
    const platform = await startWithBaseline();
    await work(platform, receiver);
  };
};
const loseWebhook = (platform: Platform) => platform.whileDown(() => createTenant(platform.emulator, { name: "lost" }));

/** What makes each alarm ring, and after how many minutes. */
const failures: Record<string, readonly [fail: (receiver: WatchedReceiver) => Promise<unknown>, minutes: number]> = {
  "not-stored": [
    async ({ broken, post }) => {
      Object.assign(broken, { queue: true, table: true });
      await post(event());
    },
    1,
  ],
  "not-queued": [
    async ({ broken, post }) => {
      broken.queue = true;
      await post(event());
    },
    1,
  ],
  rejected: [async ({ post }) => post("x".repeat(1_100_000)), 1],
  "refused-events": [async ({ post }) => repeat(3, () => post(event(), { token: "" })), 1],
  "refused-by-aws": [awsCounts("acknowledge", "Url4xxCount", 3), 1],
  "not-consumed": [
    async ({ broken, post }) => {
      broken.table = true;
      await post(event());
    },
    1,
  ],
  "dead-letters": [async ({ queue }) => queue.deadLetters.push("a message that was given up"), 1],
  age: [
    async ({ queue, post }) => {
      queue.isConsumed = false;
      await post(event());
    },
    16,
  ],
  unreadable: [async ({ post }) => post("{broken"), 1],
  reconciled: [
    sweeping(async (platform, { reconcilerLog }) => {
      await loseWebhook(platform);
      await platform.sweep({ graceSeconds: 0, log: reconcilerLog });
    }),
    1,
  ],
  withheld: [
    sweeping(async (platform, { reconcilerLog }) => {
      await repeat(3, () => loseWebhook(platform));
      await platform.sweep({ graceSeconds: 0, maximumEvents: 2, log: reconcilerLog });
    }),
    1,
  ],
  "key-refused": [
    sweeping(async (platform, { reconcilerLog }) => {
      platform.emulator.fault({ kind: "status", status: 403, times: 1, match: { path: "^/v2/tenants" } });
      await expect(platform.sweep({ log: reconcilerLog })).rejects.toThrow(ApiError);
    }),
    1,
  ],
  "no-sweep": [async () => undefined, 1],
  "acknowledge-errors": [awsCounts("acknowledge", "Errors", 1), 1],
  "acknowledge-throttles": [awsCounts("acknowledge", "Throttles", 1), 1],
  "consume-errors": [awsCounts("consume", "Errors", 1), 1],
  "consume-throttles": [awsCounts("consume", "Throttles", 1), 1],
  "reconcile-errors": [awsCounts("reconcile", "Errors", 1), 1],
  "reconcile-throttles": [awsCounts("reconcile", "Throttles", 1), 1],
  "handler-dead-letters": [holdsMessages("handler-dead-letters"), 1],
  "page-dead-letters": [holdsMessages("page-dead-letters"), 1],
  "handler-failures": [holdsMessages("handler-failures"), 1],
  "page-dropped": [async ({ clock }) => clock.put(dropped, 1), 1],
  silence: [async () => undefined, 25 * 60],
};

const ringing = ({ clock }: WatchedReceiver) =>
  Object.keys(failures).filter((name) => clock.stateOf(`events-${name}-alarm`) === "ALARM");

describe("the alarm", () => {
  test.each(Object.entries(failures))("%s rings for its failure", async (name, [fail, minutes]) => {
    const receiver = startWatchedReceiver(resources);
    await fail(receiver);
    await receiver.clock.advance(minutes);
    expect(ringing(receiver)).toContain(name);
  });
});

test("these are all alarms of a receiver", () => {
  const declared = resources.filter(({ type }) => type.endsWith(":MetricAlarm")).map(({ name }) => name);
  expect(declared.sort()).toEqual(
    Object.keys(failures)
      .map((name) => `events-${name}-alarm`)
      .sort(),
  );
});

test("each alarm is silent while a receiver works, although strangers try its URL", async () => {
  const receiver = startWatchedReceiver(resources);
  const platform = await startWithBaseline();
  for (let hour = 0; hour < 30; hour++) {
    await platform.emulator.advance({ seconds: 3600 });
    await platform.sweep({ log: receiver.reconcilerLog });
    await receiver.post(event({ run_id: hour }));
    await receiver.post("{}", { token: "guess" });
    await receiver.post("", { token: "", method: "GET" });
    for (const part of ["acknowledge", "consume", "reconcile"]) {
      for (const metric of ["Errors", "Throttles"]) receiver.clock.put(ofFunction(part, metric), 0);
    }
    for (const queue of ["handler-dead-letters", "page-dead-letters", "handler-failures"]) {
      receiver.clock.put(messagesIn(queue), 0);
    }
    receiver.clock.put(dropped, 0);
    await receiver.clock.advance(1);
    expect(ringing(receiver)).toEqual([]);
    await receiver.clock.advance(59);
    expect(ringing(receiver)).toEqual([]);
  }
});

describe("behind a REST API, the alarm refused-by-aws", () => {
  const ofStage = (metricName: string) => ({
    namespace: "AWS/ApiGateway",
    metricName,
    dimensions: { ApiName: "events-api", Stage: "webhooks" },
  });

  test("rings if the API throttles three requests within an hour", async () => {
    const receiver = startWatchedReceiver(behindRestApi);
    receiver.clock.put(ofStage("4XXError"), 2);
    await receiver.clock.advance(30);
    expect(ringing(receiver)).toEqual([]);
    receiver.clock.put(ofStage("4XXError"), 1);
    await receiver.clock.advance(1);
    expect(ringing(receiver)).toEqual(["refused-by-aws"]);
  });

  test("is silent if the function refuses strangers, which the API counts too", async () => {
    const receiver = startWatchedReceiver(behindRestApi);
    for (let count = 0; count < 50; count++) {
      await receiver.post("{}", { token: "guess" });
      receiver.clock.put(ofStage("4XXError"), 1);
      await receiver.clock.advance(10);
      expect(ringing(receiver)).toEqual([]);
    }
  });
});
