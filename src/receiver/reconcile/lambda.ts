import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import * as z from "zod";
import { createClient } from "../../api/index.ts";
import { minLength } from "../../inputs/string-schema.ts";
import { readApiKey } from "../api-key-secret.ts";
import { eventBridgeBus } from "../delivery/event-bridge-bus.ts";
import { dynamoLedger } from "../ledger/dynamo-ledger.ts";
import { jsonLog } from "../log.ts";
import { logFailures } from "../log-failures.ts";
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
  /** After how many days the ledger deletes a record. Default: never. */
  LEDGER_RETENTION_DAYS: z.coerce.number().int().positive().optional(),
});

const environment = environmentSchema.parse(process.env);

const secrets = new SecretsManagerClient();
const log = jsonLog(process.env.AWS_LAMBDA_FUNCTION_NAME);
const ports = {
  ledger: dynamoLedger(new DynamoDBClient(), environment.LEDGER_TABLE, {
    retentionDays: environment.LEDGER_RETENTION_DAYS,
  }),
  bus: eventBridgeBus(new EventBridgeClient(), environment.BUS_NAME),
  log,
  graceSeconds: environment.GRACE_SECONDS,
};

/** The reconciling function. A schedule invokes it. */
export const handler: () => Promise<SweepResult> = logFailures(log, async () => {
  // Reads the key for each sweep, so that a rotated key takes effect at once.
  const apiKey = await readApiKey(secrets, environment.API_KEY_SECRET_ARN);
  const client = createClient({ baseUrl: environment.PLATFORM_BASE_URL, apiKey });
  try {
    return await reconcile({ client, ...ports });
  } finally {
    await client.close();
  }
});
