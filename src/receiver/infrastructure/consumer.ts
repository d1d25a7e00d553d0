import * as aws from "@pulumi/aws";
import type { environmentSchema } from "../consume/lambda.ts";
import { allowLedgerAccess, allowPublishing, type DeliveryTargets } from "./delivery.ts";
import { createFunction, type EnvironmentOf, type ReceiverFunction } from "./function.ts";
import { consumerTimeoutSeconds } from "./queue.ts";
import type { Scope } from "./scope.ts";

/** What the consuming function needs. */
export interface ConsumerSettings extends DeliveryTargets {
  readonly queue: aws.sqs.Queue;
  readonly logRetentionDays: number;
}

/** Creates the function that delivers messages of the queue to the ledger and the bus. */
export function createConsumer(
  scope: Scope,
  { queue, logRetentionDays, ...targets }: ConsumerSettings,
): ReceiverFunction {
  const created = createFunction(scope, {
    name: "consume",
    description: "Webhook receiver: delivers events from the queue to the ledger and the bus",
    timeoutSeconds: consumerTimeoutSeconds,
    memoryMegabytes: 256,
    environment: {
      LEDGER_TABLE: targets.ledger.name,
      BUS_NAME: targets.bus.name,
    } satisfies EnvironmentOf<typeof environmentSchema>,
    statements: [
      { actions: ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"], resource: queue.arn },
      allowLedgerAccess(targets),
      allowPublishing(targets),
    ],
    logRetentionDays,
  });
  createTrigger(scope, queue, created);
  return created;
}

function createTrigger(scope: Scope, queue: aws.sqs.Queue, { lambda, policy }: ReceiverFunction): void {
  new aws.lambda.EventSourceMapping(
    scope.named("consume"),
    {
      eventSourceArn: queue.arn,
      functionName: lambda.name,
      batchSize: 10,
      functionResponseTypes: ["ReportBatchItemFailures"],
      // Limits the consumer, so that a flood cannot use up the concurrency that the acknowledging function needs.
      scalingConfig: { maximumConcurrency: 10 },
    },
    { ...scope.options, dependsOn: [policy] },
  );
}
