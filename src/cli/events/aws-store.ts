// The only file of the command that loads the AWS SDK. The package has it bundled with the SDK, so it imports neither
// CommandError nor anything else of which there must be only one.
import { setTimeout as sleep } from "node:timers/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import {
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListMessageMoveTasksCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from "@aws-sdk/client-sqs";
import { busEventOfRecord } from "../../receiver/delivery/bus-event.ts";
import { eventBridgeBus } from "../../receiver/delivery/event-bridge-bus.ts";
import { dynamoLedger } from "../../receiver/ledger/dynamo-ledger.ts";
import type { DeadLetterStore, EventStore } from "./event-store.ts";

/** The resources of a receiver. */
export interface AwsEvents {
  readonly ledgerName: string;
  /** Only a replay needs it. */
  readonly busName?: string | undefined;
  /** Names the region. Default: the region that the environment or the AWS profile names. */
  readonly deadLetterQueueArn?: string | undefined;
}

/**
 * The events of a receiver on AWS. By AWS's documents, it needs the permissions `dynamodb:Query` on the index `byTime` of the ledger,
 * `dynamodb:GetItem` on the ledger, and for a replay `events:PutEvents` on the bus.
 */
export function openAwsEvents({ ledgerName, busName = "", deadLetterQueueArn = "" }: AwsEvents): EventStore {
  const settings = regionOf(deadLetterQueueArn);
  const [dynamodb, eventBridge] = [new DynamoDBClient(settings), new EventBridgeClient(settings)];
  const ledger = dynamoLedger(dynamodb, ledgerName);
  const bus = eventBridgeBus(eventBridge, busName);
  return {
    list: ledger.list,
    find: ledger.find,
    replay: (record, replayId) => bus.publish(busEventOfRecord(record, { replayId })),
    close: () => {
      dynamodb.destroy();
      eventBridge.destroy();
    },
  };
}

const pollSeconds = 2;

/**
 * The dead letters of a receiver on AWS. It probably needs the permissions `sqs:StartMessageMoveTask`,
 * `sqs:ListMessageMoveTasks`, `sqs:ReceiveMessage`, `sqs:DeleteMessage`, `sqs:GetQueueAttributes` and `sqs:GetQueueUrl` on the
 * dead-letter queue, and `sqs:SendMessage` on the queue. Nobody has tried them with an account.
 */
export function openAwsDeadLetters(arn: string): DeadLetterStore {
  const sqs = new SQSClient(regionOf(arn));
  const latestTask = async () => {
    const { Results } = await sqs.send(new ListMessageMoveTasksCommand({ SourceArn: arn, MaxResults: 1 }));
    return Results?.[0];
  };
  return {
    count: async () => {
      const [QueueOwnerAWSAccountId, QueueName] = arn.split(":").slice(4);
      const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName, QueueOwnerAWSAccountId }));
      const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["ApproximateNumberOfMessages"] });
      return Number((await sqs.send(command)).Attributes?.ApproximateNumberOfMessages);
    },
    redrive: async (onMoved) => {
      const before = (await latestTask())?.StartedTimestamp;
      await sqs.send(new StartMessageMoveTaskCommand({ SourceArn: arn }));
      for (;;) {
        const task = await latestTask();
        const moved = task?.ApproximateNumberOfMessagesMoved ?? 0;
        // The list may still lack the new task.
        if (task !== undefined && task.StartedTimestamp !== before && task.Status !== "RUNNING") {
          if (task.Status === "COMPLETED") return moved;
          const reason = task.FailureReason ?? `its status is ${task.Status}`;
          throw new Error(`SQS has moved ${moved} messages of ${arn}, and then ended: ${reason}`);
        }
        onMoved(moved);
        await sleep(pollSeconds * 1000);
      }
    },
    close: () => sqs.destroy(),
  };
}

/** `arn:aws:sqs:eu-central-1:123456789012:name`. Without a region the SDK finds one, as the AWS CLI does. */
function regionOf(arn: string) {
  const region = arn.split(":")[3];
  return region ? { region } : {};
}
