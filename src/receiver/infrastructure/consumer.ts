import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import type { CheckedArgs } from "../checked-args.ts";
import type { environmentSchema } from "../consume/lambda.ts";
import { allowDelivering, type DeliveryTargets, ledgerVariables } from "./delivery.ts";
import { createFunction, createSchedule, type EnvironmentOf, type ReceiverFunction } from "./function.ts";
import { consumerTimeoutSeconds } from "./queue.ts";
import type { Scope } from "./scope.ts";

/** How often the consumer looks for webhooks that the queue did not store. */
const unqueuedMinutes = 5;

/** Creates the function that delivers messages of the queue to the ledger and the bus. */
export function createConsumer(
  scope: Scope,
  settings: DeliveryTargets &
    Pick<CheckedArgs, "logRetentionDays" | "ledgerRetentionDays" | "consumerConcurrency"> & {
      readonly queue: aws.sqs.Queue;
    },
): ReceiverFunction {
  const { queue, ledger, bus, logRetentionDays } = settings;
  const created = createFunction(scope, {
    name: "consume",
    description: "Webhook receiver: delivers events from the queue to the ledger and the bus",
    timeoutSeconds: consumerTimeoutSeconds,
    memoryMegabytes: 512,
    environment: { ...ledgerVariables(settings), BUS_NAME: bus.name } satisfies EnvironmentOf<typeof environmentSchema>,
    statements: [
      { actions: ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"], resource: queue.arn },
      { actions: ["dynamodb:Query"], resource: pulumi.interpolate`${ledger.arn}/index/byTime` },
      ...allowDelivering(settings),
    ],
    logRetentionDays,
  });
  new aws.lambda.EventSourceMapping(
    scope.named("consume"),
    {
      eventSourceArn: queue.arn,
      functionName: created.lambda.name,
      batchSize: 10,
      functionResponseTypes: ["ReportBatchItemFailures"],
      // Limits the consumer, so that a flood cannot use up the concurrency that the acknowledging function needs.
      scalingConfig: { maximumConcurrency: settings.consumerConcurrency },
    },
    { ...scope.options, dependsOn: [created.policy] },
  );
  createSchedule(scope, "unqueued", created.lambda, unqueuedMinutes);
  return created;
}
