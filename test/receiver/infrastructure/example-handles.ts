import {
  alarmTexts,
  errorsText,
  silenceText,
  throttlesText,
} from "../../../src/receiver/infrastructure/alarm-texts.ts";
import { failuresText } from "../../../src/receiver/infrastructure/function-failures.ts";
import type { Handles } from "../../../src/receiver/infrastructure/handles.ts";
import { subscriptionText } from "../../../src/receiver/infrastructure/subscription-dead-letters.ts";

const long = "x".repeat(64); // the longest name of a function
const part = { name: long, log: `/aws/lambda/${long}` };
const region = "ap-southeast-7";

/** Handles with names as long as AWS makes them. */
export const exampleHandles: Handles = {
  receiver: long,
  stack: long,
  region,
  queueUrl: `https://sqs.${region}.amazonaws.com/123456789012/${long}`,
  queueName: long,
  queueArn: `arn:aws:sqs:${region}:123456789012:${long}`,
  deadLettersUrl: `https://sqs.${region}.amazonaws.com/123456789012/${long}`,
  deadLettersName: long,
  deadLettersArn: `arn:aws:sqs:${region}:123456789012:${long}`,
  ledger: long,
  bus: long,
  acknowledge: part,
  consume: part,
  reconcile: part,
  restApi: undefined,
};

const arnOfEvents = (resource: string) => `arn:aws:events:${region}:123456789012:${resource}`;
const subscription = {
  deadLettersUrl: `https://sqs.${region}.amazonaws.com/123456789012/${"x".repeat(80)}`,
  bus: arnOfEvents(`event-bus/${long}`),
  rule: arnOfEvents(`rule/${long}/${long}`),
};
const archive = arnOfEvents(`archive/${"x".repeat(48)}`);
const failures = { queueUrl: subscription.deadLettersUrl, bus: subscription.bus };

/** The texts of all alarms. */
export function alarmTextsOf(handles: Handles): string[] {
  const parts = ["acknowledge", "consume", "reconcile"] as const;
  return [
    ...Object.values(alarmTexts).map((text) => text(handles)),
    ...parts.flatMap((name) => [errorsText(name, handles), throttlesText(name, handles)]),
    silenceText(168, handles),
    subscriptionText(subscription),
    subscriptionText({ ...subscription, archive }),
    failuresText(failures),
    failuresText({ ...failures, archive }),
  ];
}
