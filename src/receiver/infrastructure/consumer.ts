import * as aws from "@pulumi/aws";
import { busUse } from "./bus.ts";
import { type ReceiverFunction, receiverFunction } from "./function.ts";
import { ledgerUse } from "./ledger.ts";
import type { Scope } from "./scope.ts";
import { consumerTimeoutSeconds } from "./time-limits.ts";

/** What the consumer works with. */
export interface ConsumerSettings {
  readonly queue: aws.sqs.Queue;
  readonly ledger: aws.dynamodb.Table;
  readonly bus: aws.cloudwatch.EventBus;
  readonly logRetentionDays: number;
}

/** The function that brings messages from the queue into the ledger and onto the bus. */
export function consumer(scope: Scope, { queue, ledger, bus, logRetentionDays }: ConsumerSettings): ReceiverFunction {
  const made = receiverFunction(scope, {
    name: "consume",
    description: "Webhook receiver: from the queue into the ledger and onto the bus",
    timeoutSeconds: consumerTimeoutSeconds,
    memoryMegabytes: 256,
    environment: { LEDGER_TABLE: ledger.name, BUS_NAME: bus.name },
    statements: [
      { actions: ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"], resource: queue.arn },
      ledgerUse(ledger),
      busUse(bus),
    ],
    logRetentionDays,
  });
  new aws.lambda.EventSourceMapping(
    scope.named("consume"),
    {
      eventSourceArn: queue.arn,
      functionName: made.lambda.name,
      batchSize: 10,
      functionResponseTypes: ["ReportBatchItemFailures"],
      // A flood waits in the queue instead of taking the account's concurrency from the acknowledging function.
      scalingConfig: { maximumConcurrency: 10 },
    },
    { ...scope.options, dependsOn: [made.policy] },
  );
  return made;
}
