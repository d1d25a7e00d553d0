import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import * as z from "zod";
import { minLength } from "../../inputs/string-schema.ts";
import { eventBridgeBus } from "../delivery/event-bridge-bus.ts";
import { dynamoLedger } from "../ledger/dynamo-ledger.ts";
import { jsonLog, logFailures } from "../log.ts";
import { type BatchFailures, consume, type QueueBatch } from "./consume.ts";

/** The environment variables of the consuming function. */
export const environmentSchema = z.object({
  /** Name of the DynamoDB table that holds the ledger. */
  LEDGER_TABLE: z.string().check(minLength(1)),
  /** Name of the EventBridge bus. */
  BUS_NAME: z.string().check(minLength(1)),
  /** After how many days the ledger deletes a record. Default: never. */
  LEDGER_RETENTION_DAYS: z.coerce.number().int().positive().optional(),
});

const environment = environmentSchema.parse(process.env);

const requestHandler = { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true };
const log = jsonLog(process.env.AWS_LAMBDA_FUNCTION_NAME);
const ports = {
  ledger: dynamoLedger(new DynamoDBClient({ requestHandler }), environment.LEDGER_TABLE, {
    retentionDays: environment.LEDGER_RETENTION_DAYS,
  }),
  bus: eventBridgeBus(new EventBridgeClient({ requestHandler }), environment.BUS_NAME),
  log,
};

/** The consuming function. An event source mapping invokes it with messages of the queue, and a schedule without any. */
export const handler: (batch: QueueBatch) => Promise<BatchFailures> = logFailures(log, (batch) =>
  consume(batch, ports),
);
