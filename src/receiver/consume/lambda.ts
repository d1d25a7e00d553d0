import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { dynamoLedger } from "../ledger/dynamo-ledger.ts";
import { jsonLog } from "../log.ts";
import { type BatchFailures, consumeBatch, type QueueBatch } from "./consume-batch.ts";
import { environmentSchema } from "./environment.ts";
import { eventBridgeBus } from "./event-bridge-bus.ts";

const environment = environmentSchema.parse(process.env);
const requestHandler = { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true };
const ports = {
  ledger: dynamoLedger(new DynamoDBClient({ requestHandler }), environment.LEDGER_TABLE),
  bus: eventBridgeBus(new EventBridgeClient({ requestHandler }), environment.BUS_NAME),
  log: jsonLog,
};

/** The consuming function, behind the queue, with `ReportBatchItemFailures`. */
export function handler(batch: QueueBatch): Promise<BatchFailures> {
  return consumeBatch(batch, ports);
}
