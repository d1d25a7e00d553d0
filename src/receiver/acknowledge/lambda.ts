import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import * as z from "zod";
import { minLength } from "../../inputs/string-schema.ts";
import { dynamoLedger } from "../ledger/dynamo-ledger.ts";
import { jsonLog, logFailures } from "../log.ts";
import { acknowledge, type FunctionUrlResponse } from "./acknowledge.ts";
import { allowedSourcesSchema } from "./allowed-sources.ts";
import type { FunctionUrlRequest, RestApiRequest } from "./request.ts";
import { tokenDigestsSchema } from "./token.ts";

/** The environment variables of the acknowledging function. */
export const environmentSchema = z.object({
  /** URL of the queue between this function and the consumer. */
  QUEUE_URL: z.url(),
  /** Name of the DynamoDB table that holds the ledger, in which the function stores what it cannot enqueue. */
  LEDGER_TABLE: z.string().check(minLength(1)),
  /** After how many days the ledger deletes a record. Default: never. */
  LEDGER_RETENTION_DAYS: z.coerce.number().int().positive().optional(),
  /** One or two digests of tokens, the newest first, separated by a comma; see `tokenDigest`. */
  TOKEN_DIGESTS: tokenDigestsSchema,
  /** Addresses and CIDR ranges, separated by commas. Default: every source is allowed. */
  ALLOWED_SOURCES: allowedSourcesSchema.prefault(""),
});

// Parsed at the cold start: a wrong environment fails the function at once instead of failing each webhook.
const environment = environmentSchema.parse(process.env);

// One retry fits into the deadline. Without throwOnRequestTimeout the client would not retry a slow request.
const requestHandler = { connectionTimeout: 1_000, requestTimeout: 1_500, throwOnRequestTimeout: true };
const sqs = new SQSClient({ maxAttempts: 2, requestHandler });
const ledger = dynamoLedger(new DynamoDBClient({ maxAttempts: 2, requestHandler }), environment.LEDGER_TABLE, {
  retentionDays: environment.LEDGER_RETENTION_DAYS,
});
const log = jsonLog(process.env.AWS_LAMBDA_FUNCTION_NAME);
const ports = {
  enqueue,
  putUnqueued: ledger.putUnqueued,
  tokenDigests: environment.TOKEN_DIGESTS,
  isAllowedSource: environment.ALLOWED_SOURCES,
  log,
};

/** The acknowledging function. A function URL or a REST API invokes it. */
export const handler = logFailures(
  log,
  (request: FunctionUrlRequest | RestApiRequest): Promise<FunctionUrlResponse> => acknowledge(request, ports),
);

async function enqueue(message: string, signal: AbortSignal): Promise<void> {
  const command = new SendMessageCommand({ QueueUrl: environment.QUEUE_URL, MessageBody: message });
  await sqs.send(command, { abortSignal: signal });
}
