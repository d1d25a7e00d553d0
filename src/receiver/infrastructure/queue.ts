import * as aws from "@pulumi/aws";
import type { Scope } from "./scope.ts";
import { consumerTimeoutSeconds } from "./time-limits.ts";

/** What is acknowledged and not yet consumed, and what could not be. */
export interface MessageQueue {
  readonly queue: aws.sqs.Queue;
  readonly deadLetters: aws.sqs.Queue;
}

const retentionSeconds = 14 * 24 * 3600; // the longest there is
const largestMessageBytes = 1024 * 1024; // the provider's own default is a quarter of what SQS takes
// With the visibility below these are half an hour: a consumer that is broken for a moment costs nobody a redrive.
const attempts = 10;
const visibilitySeconds = 6 * consumerTimeoutSeconds; // AWS's advice for a queue that a function consumes

/** The queue, and the dead-letter queue for what the consumer has failed at ten times. */
export function messageQueue(scope: Scope, { isProtected }: { readonly isProtected: boolean }): MessageQueue {
  const options = { ...scope.options, protect: isProtected };
  const sealed = { sqsManagedSseEnabled: true, messageRetentionSeconds: retentionSeconds };
  const size = { maxMessageSize: largestMessageBytes };
  const deadLetters = new aws.sqs.Queue(scope.named("dead-letters"), { ...sealed, ...size }, options);
  const redrivePolicy = deadLetters.arn.apply((deadLetterTargetArn) =>
    JSON.stringify({ deadLetterTargetArn, maxReceiveCount: attempts }),
  );
  const queue = new aws.sqs.Queue(
    scope.named("queue"),
    { ...sealed, ...size, visibilityTimeoutSeconds: visibilitySeconds, redrivePolicy },
    options,
  );
  return { queue, deadLetters };
}
