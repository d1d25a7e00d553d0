import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { beforeAll, describe, expect, test } from "vitest";
import { eventTypes } from "../../src/receiver/events/index.ts";
import { WebhookReceiver } from "../../src/receiver/resource.ts";
import { detailTypes } from "../../src/receiver/subscribed-types.ts";
import { ofType, type RegisteredResource, registerReceiver } from "./mocked-program.ts";

const token = "7f3a91c04be6d258730e1b9fa4c85d6217e0f9384ab5c6d1";
const alarmTopicArn = "arn:aws:sns:eu-central-1:123456789012:alarms";
const arnOf = (service: string, name: string) => `arn:aws:${service}:eu-central-1:123456789012:${name}`;

const functionOf = (name: string) =>
  new aws.lambda.Function(name, { role: `arn:aws:iam::123456789012:role/path/${name}-role` });

const one = (resources: readonly RegisteredResource[], type: string, name: string) => {
  const found = ofType(resources, type).find((resource) => resource.name === name);
  if (found === undefined) throw new Error(`there is no ${type} named ${name}`);
  return found.inputs;
};
const names = (resources: readonly RegisteredResource[], type: string) =>
  ofType(resources, type).map(({ name }) => name);
/** Without the schedules of the receivers. */
const subscriptionTargets = (resources: readonly RegisteredResource[]) =>
  names(resources, "EventTarget").filter((name) => !name.endsWith("-unqueued"));
const ownQueuePolicies = (resources: readonly RegisteredResource[]) =>
  names(resources, "QueuePolicy").filter((name) => !name.endsWith("-dead-letters"));
const statements = (policy: unknown) => JSON.parse(String(policy)).Statement;
const longName = "a-subscription-with-a-rather-long-name";

describe("the subscriptions of a receiver", () => {
  let resources: readonly RegisteredResource[];

  beforeAll(async () => {
    ({ resources } = await registerReceiver({ tokens: [token], alarmTopicArn }, (receiver) => {
      const [page, audit] = [functionOf("page"), new aws.sqs.Queue("audit")];
      receiver.onEvent(["run_failed", "unknown"], page);
      receiver.onEvent(["malformed"], page, { name: "page-malformed" });
      receiver.onEvent("all", new aws.sns.Topic("pager"));
      receiver.onEvent(["run_failed"], audit);
      receiver.onEvent(["malformed"], audit, { name: "audit-malformed" });
      receiver.onEvent(["run_failed"], arnOf("lambda", "function:by-arn"), { name: "function-by-arn" });
      receiver.onEvent(["run_failed"], arnOf("sns", "topic-by-arn"));
      receiver.onEvent(["run_failed"], pulumi.output(arnOf("sqs", "queue-by-arn")), { name: longName });
    }));
  }, 60_000);

  test("deliver the events of their types", () => {
    expect(JSON.parse(String(one(resources, "EventRule", "events-page").eventPattern))).toEqual({
      source: ["integration-platform"],
      "detail-type": ["run_failed", "unknown"],
    });
    expect(JSON.parse(String(one(resources, "EventRule", "events-pager").eventPattern))).toEqual({
      source: ["integration-platform"],
    });
    expect(one(resources, "EventTarget", "events-page")).toMatchObject({
      rule: "events-page",
      eventBusName: "events-bus",
      arn: arnOf("lambda", "page"),
      deadLetterConfig: { arn: arnOf("sqs", "events-page-dead-letters") },
    });
  });

  test("allow only their own rule to invoke a function", () => {
    expect(one(resources, "Permission", "events-page")).toEqual({
      action: "lambda:InvokeFunction",
      principal: "events.amazonaws.com",
      function: "page",
      sourceArn: arnOf("cloudwatch", "events-page"),
    });
    expect(one(resources, "Permission", "events-page-malformed").function).toBe("page");
    expect(one(resources, "Permission", "events-function-by-arn").function).toBe(arnOf("lambda", "function:by-arn"));
  });

  test("send what a function fails to handle to one queue of the function, which has an alarm", () => {
    const queueArn = arnOf("sqs", "events-page-failures");
    expect(ofType(resources, "FunctionEventInvokeConfig").map(({ inputs }) => inputs)).toEqual([
      { functionName: "page", destinationConfig: { onFailure: { destination: queueArn } } },
    ]);
    const { role, policy } = one(resources, "RolePolicy", "events-page-failures");
    expect(role).toBe("page-role");
    expect(statements(policy)).toContainEqual({ Effect: "Allow", Action: "sqs:SendMessage", Resource: queueArn });
    const alarm = one(resources, "MetricAlarm", "events-page-failures-alarm");
    expect(alarm).toMatchObject({ dimensions: { QueueName: "events-page-failures" }, alarmActions: [alarmTopicArn] });
    expect(alarm.alarmDescription).toMatch(/^aws events start-replay .*:events-archive .*Arn=\S+:events-bus --region/m);
  });

  test("fire when Lambda drops an event of a function that is known by its ARN only", () => {
    expect(one(resources, "MetricAlarm", "events-function-by-arn-dropped-alarm")).toMatchObject({
      metricName: "AsyncEventsDropped",
      dimensions: { FunctionName: "by-arn" },
      alarmActions: [alarmTopicArn],
    });
  });

  test("allow a function to remember what it has handled, and to touch nothing else of the ledger", () => {
    const { policy } = one(resources, "RolePolicy", "events-page-failures");
    expect(statements(policy)).toHaveLength(2);
    expect(statements(policy)).toContainEqual({
      Effect: "Allow",
      Action: ["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem"],
      Resource: arnOf("dynamodb", "events-ledger"),
      Condition: { "ForAllValues:StringEquals": { "dynamodb:LeadingKeys": ["idempotency#page"] } },
    });
  });

  test("allow the bus to publish on a topic, and keep what the topic allows by default", () => {
    expect(names(resources, "TopicPolicy")).toEqual(["events-pager"]);
    const [byDefault, fromBus] = statements(one(resources, "TopicPolicy", "events-pager").policy);
    expect(byDefault).toMatchObject({
      Action: expect.arrayContaining(["SNS:Publish", "SNS:Subscribe"]),
      Resource: arnOf("sns", "pager"),
      Condition: { StringEquals: { "AWS:SourceOwner": "123456789012" } },
    });
    // EventBridge supports no conditions in the policy of a topic.
    expect(fromBus).toEqual({
      Effect: "Allow",
      Principal: { Service: "events.amazonaws.com" },
      Action: "sns:Publish",
      Resource: arnOf("sns", "pager"),
    });
  });

  test("allow the bus to send to a queue, once for all subscriptions", () => {
    expect(ownQueuePolicies(resources)).toEqual(["events-audit"]);
    expect(statements(one(resources, "QueuePolicy", "events-audit").policy)).toMatchObject([
      { Principal: { Service: "events.amazonaws.com" }, Action: "sqs:SendMessage", Resource: arnOf("sqs", "audit") },
    ]);
  });

  test("have a dead-letter queue each, encrypted, to which only their rule may send", () => {
    const deadLetters = subscriptionTargets(resources).map((name) => `${name}-dead-letters`);
    expect(names(resources, "Queue")).toEqual(expect.arrayContaining(deadLetters));
    expect(one(resources, "Queue", "events-page-dead-letters")).toMatchObject({
      sqsManagedSseEnabled: true,
      messageRetentionSeconds: 1_209_600,
    });
    expect(statements(one(resources, "QueuePolicy", "events-page-dead-letters").policy)).toEqual([
      {
        Effect: "Allow",
        Principal: { Service: "events.amazonaws.com" },
        Action: "sqs:SendMessage",
        Resource: arnOf("sqs", "events-page-dead-letters"),
        Condition: { ArnEquals: { "aws:SourceArn": arnOf("cloudwatch", "events-page") } },
      },
    ]);
  });

  test("have an alarm each that notifies the receiver's topic", () => {
    for (const name of subscriptionTargets(resources)) {
      expect(one(resources, "MetricAlarm", `${name}-dead-letters-alarm`)).toMatchObject({
        metricName: "ApproximateNumberOfMessagesVisible",
        dimensions: { QueueName: `${name}-dead-letters` },
        alarmActions: [alarmTopicArn],
        okActions: [alarmTopicArn],
      });
    }
  });

  test("have an alarm whose text says how to send the events again, and is not longer than CloudWatch accepts", () => {
    const text = String(one(resources, "MetricAlarm", `events-${longName}-dead-letters-alarm`).alarmDescription);
    expect(text).toMatch(/^aws events start-replay .*:events-archive .*Arn=\S+:events-bus,FilterArns=\S+-long-name /m);
    expect(text).toMatch(/^aws sqs receive-message --queue-url \S+-long-name-dead-letters .*--region eu-central-1$/m);
    expect(text.length).toBeLessThanOrEqual(1024);
  });

  test("can be for every event type of the specification", () => {
    const others = ["unknown", "malformed"];
    expect(detailTypes.filter((type) => !others.includes(type)).sort()).toEqual([...eventTypes].sort());
  });

  test("are served by an archive of 30 days", () => {
    expect(ofType(resources, "EventArchive").map(({ inputs }) => inputs)).toMatchObject([
      { eventSourceArn: arnOf("cloudwatch", "events-bus"), retentionDays: 30 },
    ]);
  });
});

describe("a program that allows the delivery itself, without an archive", () => {
  let resources: readonly RegisteredResource[];
  let declareWrong: Record<string, () => unknown> = {};

  beforeAll(async () => {
    ({ resources } = await registerReceiver({ tokens: [token], archiveDays: 0 }, (receiver) => {
      receiver.onEvent("all", new aws.sns.Topic("pager"), { allowDelivery: false });
      receiver.onEvent("all", new aws.sqs.Queue("audit"), { allowDelivery: false });
      receiver.onEvent("all", functionOf("page"), { allowDelivery: false });

      const shared = new aws.sns.Topic("shared");
      receiver.onEvent("all", shared);
      const other = new WebhookReceiver("others", { tokens: [token], archiveDays: 0 });
      declareWrong = {
        "of another receiver": () => other.onEvent("all", shared),
        "no name": () => receiver.onEvent("all", pulumi.output(alarmTopicArn)),
        // @ts-expect-error: there is no such type
        "no such type": () => receiver.onEvent(["run_faild"], alarmTopicArn),
        "no type": () => receiver.onEvent([], alarmTopicArn),
      };
    }));
  }, 60_000);

  test("gets rules and targets, but no policies and no settings of the function", () => {
    const targets = ["events-audit", "events-page", "events-pager"];
    expect(subscriptionTargets(resources)).toEqual([...targets, "events-shared"]);
    expect(names(resources, "TopicPolicy")).toEqual(["events-shared"]);
    expect(ownQueuePolicies(resources)).toEqual([]);
    expect(names(resources, "FunctionEventInvokeConfig")).toEqual([]);
    expect(names(resources, "RolePolicy")).not.toContain("events-page-failures");
    expect(names(resources, "Permission")).not.toContain("events-page");
  });

  test("gets alarms whose texts do not mention an archive", () => {
    expect(names(resources, "EventArchive")).toEqual([]);
    const { alarmDescription } = one(resources, "MetricAlarm", "events-page-dead-letters-alarm");
    expect(alarmDescription).toContain("integration-platform events replay");
    expect(alarmDescription).not.toContain("start-replay");
  });

  test.each([
    ["of another receiver", /"shared" already gets events from the receiver "events".*allowDelivery: false/],
    ["no name", /needs a name: .*name: "on-call"/],
    ["no such type", /list of event types: .*run_failed/],
    ["no type", /list of event types: .*run_failed/],
  ])("is told of its mistake: %s", (mistake, message) => {
    expect(declareWrong[mistake]).toThrow(message);
  });
});

test("a function may be named like a part of the receiver", async () => {
  const platform = { baseUrl: "https://platform.example.com", apiKey: pulumi.secret("key") };
  const { resources } = await registerReceiver({ tokens: [token], platform }, (receiver) => {
    for (const part of ["acknowledge", "consume", "reconcile"]) receiver.onEvent("all", functionOf(part));
  });
  expect(names(resources, "RolePolicy")).toEqual([
    "events-acknowledge",
    "events-acknowledge-failures",
    "events-consume",
    "events-consume-failures",
    "events-reconcile",
    "events-reconcile-failures",
  ]);
}, 60_000);

describe("what alarms or a rule cannot reach is refused in the preview:", () => {
  const problemsOf = async (target: string) => {
    const problems: unknown[] = [];
    const note = (problem: unknown) => void problems.push(problem);
    process.on("unhandledRejection", note);
    await registerReceiver({ tokens: [token] }, (receiver) => receiver.onEvent("all", target, { name: "it" })).catch(
      note,
    );
    process.off("unhandledRejection", note);
    return problems.map(String).join();
  };

  test.each([
    [
      "another region",
      "arn:aws:sqs:us-east-1:123456789012:audit",
      /is in the region us-east-1, and the receiver in eu-central-1/,
    ],
    [
      "another account",
      "arn:aws:sqs:eu-central-1:210987654321:audit",
      /is in the account 210987654321, and the receiver in 123456789012/,
    ],
  ])("a target in %s", async (_, target, message) => {
    expect(await problemsOf(target)).toMatch(message);
  });
});
