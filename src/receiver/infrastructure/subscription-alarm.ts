import type * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { awsCommand, replayCommand, text } from "./alarm-texts.ts";
import { createAlarm, holdsMessages } from "./alarms.ts";
import type { Scope } from "./scope.ts";
import type { SubscriptionSource } from "./subscription-source.ts";

/** What the alarm of a subscription watches, and what its text names. */
export interface SubscriptionAlarmSettings extends Pick<SubscriptionSource, "bus" | "archive" | "alarmTopicArn"> {
  readonly deadLetters: aws.sqs.Queue;
  readonly rule: aws.cloudwatch.EventRule;
}

/** Creates the alarm that fires when the bus could not deliver an event. */
export function createSubscriptionAlarm(scope: Scope, settings: SubscriptionAlarmSettings): void {
  const { deadLetters, bus, rule, archive, alarmTopicArn } = settings;
  const names = pulumi.output({
    deadLettersUrl: deadLetters.url,
    bus: bus.arn,
    rule: rule.arn,
    archive: archive?.arn,
  });
  createAlarm(scope, alarmTopicArn)("dead-letters-alarm", names.apply(subscriptionText), holdsMessages(deadLetters));
}

/** The names in AWS that the text of the alarm needs. */
export interface SubscriptionHandles {
  readonly deadLettersUrl: string;
  /** The ARNs of the bus, the rule and the archive. */
  readonly bus: string;
  readonly rule: string;
  readonly archive?: string | undefined;
}

/**
 * What the alarm of a subscription tells. It names no redrive: SQS cannot redrive a queue that EventBridge fills
 * (Amazon SQS, StartMessageMoveTask).
 */
export function subscriptionText({ deadLettersUrl, bus, rule, archive }: SubscriptionHandles): string {
  const handles = { region: bus.split(":")[3] ?? "" };
  const command = (words: string) => awsCommand(words, handles);
  const destination = `Arn=${bus},FilterArns=${rule}`;
  const replay = `events start-replay --replay-name NAME --event-source-arn ${archive} --event-start-time FROM --event-end-time TO --destination ${destination}`;
  return text("subscription-dead-letters", [
    "The bus could not deliver events to the target of a subscription.",
    ["Read why:", command(`sqs receive-message --queue-url ${deadLettersUrl} --message-attribute-names All`)],
    archive === undefined
      ? [
          "Repair it, send the events to all subscriptions again, then purge the queue:",
          replayCommand(pulumi.getStack()),
        ]
      : ["Repair it, send the events of that time again, then purge the queue:", command(replay)],
  ]);
}
