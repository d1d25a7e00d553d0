import * as aws from "@pulumi/aws";
import type { Scope } from "./scope.ts";

/** The queue of acknowledged webhooks, and the queue of messages that could not be consumed. */
export type MessageQueues = ReturnType<typeof createQueues>;

/** How long the consumer may take for a batch. */
export const consumerTimeoutSeconds = 30;

const visibilitySeconds = 6 * consumerTimeoutSeconds; // AWS recommends six times the timeout of the consuming function

const maxReceiveCount = 10; // with this visibility a consumer may fail for half an hour before messages are given up

const retentionSeconds = 14 * 24 * 3600; // the maximum of SQS
const maxMessageBytes = 1024 * 1024; // the maximum of SQS; the provider's default is a quarter of it

/** Creates the queue, and a dead-letter queue for the messages that the consumer failed to process again and again. */
export function createQueues(scope: Scope, { isProtected }: { readonly isProtected: boolean }) {
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
  return { queue, deadLetters };
}
