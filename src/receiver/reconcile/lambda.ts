import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import * as z from "zod";
import { createClient } from "../../api/index.ts";
import { minLength } from "../../inputs/string-schema.ts";
import { eventBridgeBus } from "../delivery/event-bridge-bus.ts";
import { dynamoLedger } from "../ledger/dynamo-ledger.ts";
import { jsonLog } from "../log.ts";
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
});

const environment = environmentSchema.parse(process.env);

const secrets = new SecretsManagerClient();
const ports = {
  ledger: dynamoLedger(new DynamoDBClient(), environment.LEDGER_TABLE),
  bus: eventBridgeBus(new EventBridgeClient(), environment.BUS_NAME),
  log: jsonLog(process.env.AWS_LAMBDA_FUNCTION_NAME),
  graceSeconds: environment.GRACE_SECONDS,
};

/** The reconciling function. A schedule invokes it. */
export async function handler(): Promise<SweepResult> {
  // Reads the key for each sweep, so that a rotated key takes effect at once.
  const client = createClient({ baseUrl: environment.PLATFORM_BASE_URL, apiKey: await readApiKey() });
  try {
    return await reconcile({ client, ...ports });
  } finally {
    await client.close();
  }
}

async function readApiKey(): Promise<string> {
  const secretArn = environment.API_KEY_SECRET_ARN;
  const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId: secretArn }));
  if (SecretString !== undefined) return SecretString;
  throw new Error(`the secret ${secretArn} holds no string; store the platform's API key in it as a string`);
}
