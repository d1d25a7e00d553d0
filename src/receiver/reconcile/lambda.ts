import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { createClient } from "../../api/index.ts";
import { eventBridgeBus } from "../consume/event-bridge-bus.ts";
import { dynamoLedger } from "../ledger/dynamo-ledger.ts";
import { jsonLog } from "../log.ts";
import { environmentSchema } from "./environment.ts";
import { reconcile, type SweepResult } from "./reconcile.ts";

const environment = environmentSchema.parse(process.env);
const secrets = new SecretsManagerClient();
const ledger = dynamoLedger(new DynamoDBClient(), environment.LEDGER_TABLE);
const bus = eventBridgeBus(new EventBridgeClient(), environment.BUS_NAME);

/** The reconciling function, behind a schedule. */
export async function handler(): Promise<SweepResult> {
  // Read anew each time: a rotated key is used at once.
  const client = createClient({ baseUrl: environment.PLATFORM_BASE_URL, apiKey: await readApiKey() });
  try {
    return await reconcile({ client, ledger, bus, log: jsonLog, graceSeconds: environment.GRACE_SECONDS });
  } finally {
    await client.close();
  }
}

async function readApiKey(): Promise<string> {
  const command = new GetSecretValueCommand({ SecretId: environment.API_KEY_SECRET_ARN });
  const { SecretString } = await secrets.send(command);
  if (SecretString === undefined) throw new Error(`the secret ${environment.API_KEY_SECRET_ARN} holds no text`);
  return SecretString;
}
