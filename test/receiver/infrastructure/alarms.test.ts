import { existsSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import type { WebhookReceiverArgs } from "../../../src/receiver/args.ts";
import { alarmTexts } from "../../../src/receiver/infrastructure/alarm-texts.ts";
import { ofType, registerReceiver } from "../mocked-program.ts";
import { alarmTextsOf, exampleHandles } from "./example-handles.ts";

const topic = "arn:aws:sns:eu-central-1:123456789012:on-call";
const tokens = ["c5f1a09be27d438690bbfed5213ac874"];
const platform = { baseUrl: "https://platform.example.com", apiKey: "a-confidential-key" };

async function alarmsOf(args: Omit<WebhookReceiverArgs, "tokens">) {
  const { resources } = await registerReceiver({ tokens, ...args });
  const alarms = ofType(resources, "MetricAlarm");
  return Object.fromEntries(alarms.map(({ name, inputs }) => [name.replace(/^events-|-alarm$/g, ""), inputs]));
}

describe("the alarms of a receiver with everything", () => {
  let alarms: Awaited<ReturnType<typeof alarmsOf>>;

  beforeAll(async () => {
    alarms = await alarmsOf({ platform, silenceHours: 24, alarmTopicArn: topic });
  }, 60_000);

  test("watch each condition that loses, delays or changes events", () => {
    const watched = Object.entries(alarms).map(([name, { metricName, dimensions, metricQueries }]) => [
      name,
      metricQueries ? Object(metricQueries)[0].label : `${Object.values(Object(dimensions))} ${metricName}`,
    ]);
    expect(Object.fromEntries(watched)).toEqual({
      "not-stored": "events-acknowledge Url5xxCount",
      "not-queued": "events-acknowledge WebhooksNotQueued",
      rejected: "events-acknowledge WebhooksRejected",
      "refused-events": "events-acknowledge RefusedEvents",
      "refused-by-aws": "Refused by AWS",
      "not-consumed": "events-consume MessagesNotConsumed",
      "dead-letters": "events-dead-letters ApproximateNumberOfMessagesVisible",
      age: "events-queue ApproximateAgeOfOldestMessage",
      unreadable: "MalformedEvents + UnknownEvents",
      reconciled: "events-reconcile ReconciledEvents",
      "no-sweep": "SweepsCompleted",
      withheld: "events-reconcile EventsWithheld",
      "key-refused": "events-reconcile KeyRefused",
      "acknowledge-errors": "events-acknowledge Errors",
      "acknowledge-throttles": "events-acknowledge Throttles",
      "consume-errors": "events-consume Errors",
      "consume-throttles": "events-consume Throttles",
      "reconcile-errors": "events-reconcile Errors",
      "reconcile-throttles": "events-reconcile Throttles",
      silence: "events-queue NumberOfMessagesSent",
    });
  });

  test("notify the topic when they start and end, and the one for silence also when data is missing", () => {
    for (const alarm of Object.values(alarms)) {
      expect(alarm).toMatchObject({ alarmActions: [topic], okActions: [topic] });
    }
    expect(alarms.silence).toMatchObject({ insufficientDataActions: [topic] });
  });

  test("name the real resources in their texts", () => {
    expect(alarms["dead-letters"]?.alarmDescription).toContain(
      "aws sqs start-message-move-task --source-arn arn:aws:sqs:eu-central-1:123456789012:events-dead-letters --region eu-central-1",
    );
    expect(alarms["not-consumed"]?.alarmDescription).toContain("aws logs tail /aws/lambda/events-consume --since 1h");
    expect(alarms["not-consumed"]?.alarmDescription).toContain("every 3 minutes, 10 times");
    for (const { alarmDescription } of Object.values(alarms)) expect(alarmDescription).not.toMatch(/undefined|Calling/);
  });
});

test("without a platform and a topic there are fewer alarms, and they notify nobody", async () => {
  const alarms = await alarmsOf({});
  expect(alarms["not-consumed"]?.alarmDescription).toContain("every 3 minutes, 10 times");
  expect(Object.keys(alarms)).toEqual(
    expect.not.arrayContaining(["silence", "reconciled", "no-sweep", "reconcile-errors"]),
  );
  expect(JSON.stringify(alarms)).not.toMatch(/Actions/);
});

test("behind a REST API, the text about lost webhooks names bodies that AWS refuses", async () => {
  const { "not-stored": behind } = await alarmsOf({ restApi: {} });
  expect(behind?.alarmDescription).toContain("a body of more than about 4.5 MB");
  expect(alarmTexts["not-stored"](exampleHandles)).not.toContain("4.5 MB");
});

describe("the text of each alarm", () => {
  const restApi = { apiName: "x".repeat(64), stageName: "webhooks", isFiltered: true };
  const texts = [
    ...alarmTextsOf(exampleHandles),
    alarmTexts["not-stored"]({ ...exampleHandles, restApi }),
    alarmTexts["refused-by-aws"]({ ...exampleHandles, restApi }),
  ];
  const runbook = new URL("../../../docs/guides/receiver-runbook.md", import.meta.url);

  test.each(texts.map((text) => [/"([^"]*)"$/.exec(text)?.[1] ?? "?", text]))("%s", (heading, text) => {
    expect(text.length).toBeLessThanOrEqual(1024); // the maximum of CloudWatch
    expect(text).toMatch(/^aws [a-z]+ [a-z-]+ .*--region ap-southeast-7$/m);
    expect(text).not.toMatch(/<\w+>/); // a shell reads them as redirections
    expect(existsSync(runbook)).toBe(true);
    expect(readFileSync(runbook, "utf8")).toMatch(new RegExp(`^### .*\\b${heading}\\b`, "m"));
  });
});
