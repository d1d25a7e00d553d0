import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { awsCommand, replayCommand, text } from "./alarm-texts.ts";
import { createAlarm, holdsMessages } from "./alarms.ts";
import type { Scope } from "./scope.ts";

/** The parts of a receiver that its subscriptions use. */
export interface SubscriptionSource {
  readonly receiver: pulumi.Resource;
  readonly bus: aws.cloudwatch.EventBus;
  readonly ledger: aws.dynamodb.Table;
  /** Absent if the receiver has no archive. */
  readonly archive: aws.cloudwatch.EventArchive | undefined;
  /** The SNS topic that the alarms notify. Default: they notify nobody. */
  readonly alarmTopicArn: pulumi.Input<string> | undefined;
}

const retentionSeconds = 14 * 24 * 3600; // the maximum of SQS
const maxMessageBytes = 1024 * 1024; // the maximum of SQS: Lambda wraps an event in a record of its failure

/** Creates a queue of events. It is not protected from deletion, as the ledger holds its events too. */
export function createEventQueue(scope: Scope, part: string): aws.sqs.Queue {
  return new aws.sqs.Queue(
    scope.named(part),
    { sqsManagedSseEnabled: true, messageRetentionSeconds: retentionSeconds, maxMessageSize: maxMessageBytes },
    scope.options,
  );
}

/** Creates the queue of events that the bus cannot deliver. */
export function createSubscriptionDeadLetters(
  scope: Scope,
  { rule }: { readonly rule: aws.cloudwatch.EventRule },
): { readonly queue: aws.sqs.Queue; readonly policy: aws.sqs.QueuePolicy } {
  const queue = createEventQueue(scope, "dead-letters");
  const policy = new aws.sqs.QueuePolicy(
    scope.named("dead-letters"),
    {
      queueUrl: queue.url,
      // Amazon EventBridge, "Using dead-letter queues to process undelivered events".
      policy: pulumi.jsonStringify({
        Version: "2012-10-17",
        Statement: [
          {
            Effect: "Allow",
            Principal: { Service: "events.amazonaws.com" },
            Action: "sqs:SendMessage",
            Resource: queue.arn,
            Condition: { ArnEquals: { "aws:SourceArn": rule.arn } },
          },
        ],
      }),
    },
    scope.options,
  );
  return { queue, policy };
}

/** Creates the alarm that fires when the bus could not deliver an event. */
export function createSubscriptionAlarm(
  scope: Scope,
  { bus, archive, alarmTopicArn }: Pick<SubscriptionSource, "bus" | "archive" | "alarmTopicArn">,
  { rule, queue }: { readonly rule: aws.cloudwatch.EventRule; readonly queue: aws.sqs.Queue },
): void {
  const names = pulumi.output({ deadLettersUrl: queue.url, bus: bus.arn, rule: rule.arn, archive: archive?.arn });
  createAlarm(scope, alarmTopicArn)("dead-letters-alarm", names.apply(subscriptionText), holdsMessages(queue));
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
