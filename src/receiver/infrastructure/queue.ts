import * as aws from "@pulumi/aws";
import type { Scope } from "./scope.ts";

/** The queue of acknowledged webhooks, and the queue of messages that could not be consumed. */
export interface MessageQueues {
  readonly queue: aws.sqs.Queue;
  readonly deadLetters: aws.sqs.Queue;
  /** How many times a message is received before it is given up. */
  readonly maxReceiveCount: number;
}

/** How the queues are created. */
export interface QueueSettings {
  readonly isProtected: boolean;
  /** True if the consumer reads from the platform whether an event is true. */
  readonly isVerifying: boolean;
}

/** How long the consumer may take for a batch. */
export const consumerTimeoutSeconds = 30;

const visibilitySeconds = 6 * consumerTimeoutSeconds; // AWS recommends six times the timeout of the consuming function

// With this visibility a consumer may fail for half an hour before messages are given up. If it reads the platform, for a day:
// the platform may be down for hours, which is nothing that somebody could repair here.
const maxReceiveCounts = { usual: 10, verifying: 480 };

const retentionSeconds = 14 * 24 * 3600; // the maximum of SQS
const maxMessageBytes = 1024 * 1024; // the maximum of SQS; the provider's default is a quarter of it

/** Creates the queue, and a dead-letter queue for the messages that the consumer failed to process again and again. */
export function createQueues(scope: Scope, { isProtected, isVerifying }: QueueSettings): MessageQueues {
  const maxReceiveCount = isVerifying ? maxReceiveCounts.verifying : maxReceiveCounts.usual;
  const options = { ...scope.options, protect: isProtected };
  const settings = {
    sqsManagedSseEnabled: true,
    messageRetentionSeconds: retentionSeconds,
    maxMessageSize: maxMessageBytes,
  };
  const deadLetters = new aws.sqs.Queue(scope.named("dead-letters"), settings, options);
  const redrivePolicy = deadLetters.arn.apply((deadLetterTargetArn) =>
    JSON.stringify({ deadLetterTargetArn, maxReceiveCount }),
  );
  const queue = new aws.sqs.Queue(
    scope.named("queue"),
    { ...settings, visibilityTimeoutSeconds: visibilitySeconds, redrivePolicy },
    options,
  );
  return { queue, deadLetters, maxReceiveCount };
}
