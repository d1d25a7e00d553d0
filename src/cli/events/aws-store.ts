// The only file of the command that loads the AWS SDK. The package has it bundled with the SDK, so it imports neither
// CommandError nor anything else of which there must be only one.
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { busEventOfRecord } from "../../receiver/delivery/bus-event.ts";
import { eventBridgeBus } from "../../receiver/delivery/event-bridge-bus.ts";
import { dynamoLedger } from "../../receiver/ledger/dynamo-ledger.ts";
import type { EventStore } from "./event-store.ts";

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

/** `arn:aws:sqs:eu-central-1:123456789012:name`. Without a region the SDK finds one, as the AWS CLI does. */
function regionOf(arn: string) {
  const region = arn.split(":")[3];
  return region ? { region } : {};
}
