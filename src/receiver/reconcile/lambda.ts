import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import * as z from "zod";
import { createClient } from "../../api/index.ts";
import { minLength } from "../../inputs/string-schema.ts";
import { eventBridgeBus } from "../delivery/event-bridge-bus.ts";
import { dynamoLedger } from "../ledger/dynamo-ledger.ts";
import { jsonLog, logFailures } from "../log.ts";
import { reconcile, type SweepResult } from "./reconcile.ts";

/** The environment variables of the reconciling function. */
export const environmentSchema = z.object({
  /** Name of the DynamoDB table that holds the ledger. */
  LEDGER_TABLE: z.string().check(minLength(1)),
  /** Name of the EventBridge bus. */
  BUS_NAME: z.string().check(minLength(1)),
  /** Base URL of the platform, without `/v2`. */
  PLATFORM_BASE_URL: z.url(),
  /** ARN of the secret in Secrets Manager that holds the API key as a string. */
  API_KEY_SECRET_ARN: z.string().check(minLength(1)),
  /** How long a webhook may lag behind the list of tenants, in seconds. */
  GRACE_SECONDS: z.coerce.number().min(0).default(900),
  /** How many events a sweep may publish. */
  MAXIMUM_EVENTS: z.coerce.number().int().positive().default(50),
  /** After how many days the ledger deletes a record. Default: never. */
  LEDGER_RETENTION_DAYS: z.coerce.number().int().positive().optional(),
});

const environment = environmentSchema.parse(process.env);

// A request that hangs ends as an error with its cause, long before AWS ends the function, which logs none.
const requestHandler = { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true };
const limits = { callTimeoutSeconds: 30, maxAttempts: 3, maxRetryAfterSeconds: 60 };
const maxReadingSeconds = 600;

const secrets = new SecretsManagerClient({ requestHandler });
const log = jsonLog(process.env.AWS_LAMBDA_FUNCTION_NAME);
const ports = {
  ledger: dynamoLedger(new DynamoDBClient({ requestHandler }), environment.LEDGER_TABLE, {
    retentionDays: environment.LEDGER_RETENTION_DAYS,
  }),
  bus: eventBridgeBus(new EventBridgeClient({ requestHandler }), environment.BUS_NAME),
  log,
  graceSeconds: environment.GRACE_SECONDS,
};

/** What an operator may pass to a sweep. The event of the schedule has none of it. */
const invocationSchema = z.object({ maximumEvents: z.int().positive().default(environment.MAXIMUM_EVENTS) });

/** The reconciling function. A schedule or an operator invokes it. */
export const handler: (event: unknown) => Promise<SweepResult | undefined> = logFailures(
  log,
  async (event: unknown) => {
    const { maximumEvents } = invocationSchema.parse(event ?? {});
    // Reads the key for each sweep, so that a rotated key takes effect at once.
    const apiKey = await readApiKey(environment.API_KEY_SECRET_ARN);
    const signal = AbortSignal.timeout(maxReadingSeconds * 1000);
    const client = createClient({ baseUrl: environment.PLATFORM_BASE_URL, apiKey, ...limits, signal });
    try {
      return await reconcile({ client, maximumEvents, ...ports });
    } finally {
      await client.close();
    }
  },
);

async function readApiKey(SecretId: string): Promise<string> {
  const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId }));
  if (SecretString !== undefined) return SecretString;
  throw new Error(`the secret ${SecretId} holds no string; store the platform's API key in it as a string`);
}
