import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import * as z from "zod";
import { minLength } from "../../inputs/string-schema.ts";
import { readApiKey } from "../api-key-secret.ts";
import { eventBridgeBus } from "../delivery/event-bridge-bus.ts";
import { dynamoLedger } from "../ledger/dynamo-ledger.ts";
import { jsonLog } from "../log.ts";
import { logFailures } from "../log-failures.ts";
import { type BatchFailures, consume, type QueueBatch } from "./consume.ts";
import { createVerifyingConsumer } from "./verifying-consumer.ts";

/** The environment variables of the consuming function. */
export const environmentSchema = z
  .object({
    /** Name of the DynamoDB table that holds the ledger. */
    LEDGER_TABLE: z.string().check(minLength(1)),
    /** Name of the EventBridge bus. */
    BUS_NAME: z.string().check(minLength(1)),
    /** Base URL of the platform, without `/v2`. Default: events are not verified. */
    PLATFORM_BASE_URL: z.url().optional(),
    /** ARN of the secret in Secrets Manager that holds the API key as a string. Given together with the base URL. */
    API_KEY_SECRET_ARN: z.string().check(minLength(1)).optional(),
    /** After how many days the ledger deletes a record. Default: never. */
    LEDGER_RETENTION_DAYS: z.coerce.number().int().positive().optional(),
  })
  .refine(
    ({ PLATFORM_BASE_URL: baseUrl, API_KEY_SECRET_ARN: secretArn }) =>
      (baseUrl === undefined) === (secretArn === undefined),
    "PLATFORM_BASE_URL and API_KEY_SECRET_ARN must be given together",
  );

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

/** The consuming function. An event source mapping invokes it with messages of the queue. */
export const handler: (batch: QueueBatch) => Promise<BatchFailures> = logFailures(log, consumerOf(environment));

function consumerOf({ PLATFORM_BASE_URL: baseUrl, API_KEY_SECRET_ARN: secretArn }: z.infer<typeof environmentSchema>) {
  if (baseUrl === undefined || secretArn === undefined) return (batch: QueueBatch) => consume(batch, ports);
  const secrets = new SecretsManagerClient({ requestHandler });
  return createVerifyingConsumer({ baseUrl, readApiKey: () => readApiKey(secrets, secretArn) }, ports);
}
