import * as aws from "@pulumi/aws";
import type { environmentSchema } from "../consume/lambda.ts";
import {
  allowLedgerAccess,
  allowListing,
  allowPublishing,
  type DeliveryTargets,
  deliveryVariables,
} from "./delivery.ts";
import { createFunction, type EnvironmentOf, type ReceiverFunction } from "./function.ts";
import { allowApiKeyAccess, type Platform, platformVariables } from "./platform.ts";
import { consumerTimeoutSeconds } from "./queue.ts";
import { createSchedule } from "./schedule.ts";
import type { Scope } from "./scope.ts";

/** What the consuming function needs. */
export interface ConsumerSettings extends DeliveryTargets {
  readonly queue: aws.sqs.Queue;
  readonly logRetentionDays: number;
  /** How long the ledger retains events. Default: for ever. */
  readonly ledgerRetentionDays: number | undefined;
  /** Concurrent invocations at most. */
  readonly concurrency: number;
  /** The platform that confirms each event. Without it, events are not verified. */
  readonly verifiesWith: Platform | undefined;
}

/** Creates the function that delivers messages of the queue to the ledger and the bus. */
export function createConsumer(
  scope: Scope,
  { queue, logRetentionDays, ledgerRetentionDays, concurrency, verifiesWith, ...targets }: ConsumerSettings,
): ReceiverFunction {
  const created = createFunction(scope, {
    name: "consume",
    description: "Webhook receiver: delivers events from the queue to the ledger and the bus",
    timeoutSeconds: consumerTimeoutSeconds,
    memoryMegabytes: 512,
    environment: {
      ...deliveryVariables({ ...targets, ledgerRetentionDays }),
      ...(verifiesWith && platformVariables(verifiesWith)),
    } satisfies EnvironmentOf<typeof environmentSchema>,
    statements: [
      { actions: ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"], resource: queue.arn },
      allowLedgerAccess(targets),
      allowListing(targets),
      allowPublishing(targets),
      ...(verifiesWith ? [allowApiKeyAccess(verifiesWith)] : []),
    ],
    logRetentionDays,
  });
  createTrigger(scope, { queue, concurrency }, created);
  createSchedule(scope, "unqueued", created.lambda, unqueuedMinutes);
  return created;
}

/** How often the consumer looks for webhooks that the queue did not store. */
const unqueuedMinutes = 5;

function createTrigger(
  scope: Scope,
  { queue, concurrency }: Pick<ConsumerSettings, "queue" | "concurrency">,
  { lambda, policy }: ReceiverFunction,
): void {
  new aws.lambda.EventSourceMapping(
    scope.named("consume"),
    {
      eventSourceArn: queue.arn,
      functionName: lambda.name,
      batchSize: 10,
      functionResponseTypes: ["ReportBatchItemFailures"],
      // Limits the consumer, so that a flood cannot use up the concurrency that the acknowledging function needs.
      scalingConfig: { maximumConcurrency: concurrency },
    },
    { ...scope.options, dependsOn: [policy] },
  );
}
