import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import type { Scope } from "./scope.ts";

/** The queue of events that the bus could not deliver to a subscription's target. */
export interface SubscriptionDeadLetters {
  readonly queue: aws.sqs.Queue;
  /** Allows the rule to send to the queue. */
  readonly policy: aws.sqs.QueuePolicy;
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
): SubscriptionDeadLetters {
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
