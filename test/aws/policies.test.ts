import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { CreateEventBusCommand, EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { CreateRoleCommand, IAMClient, PutRolePolicyCommand } from "@aws-sdk/client-iam";
import { AssumeRoleCommand, STSClient } from "@aws-sdk/client-sts";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { endAfterTests } from "../end-after-tests.ts";
import { pythonSetUpSeconds } from "../python/prepare-python.ts";
import { allowAnything, attempts } from "./attempts.ts";
import type { Moto } from "./moto/start-moto.ts";
import { deployReceiver, type ReceiverStack } from "./receiver-stack.ts";

// moto checks each request against the policies of the role, by action and resource. AWS may check more.

describe("the role of each function", () => {
  let stack: ReceiverStack;

  beforeAll(
    () =>
      endAfterTests(async (open) => {
        stack = open.use(await deployReceiver());
        await new EventBridgeClient(stack.moto.client).send(new CreateEventBusCommand({ Name: "customers" }));
        await new DynamoDBClient(stack.moto.client).send(
          new CreateTableCommand({
            TableName: "customers",
            BillingMode: "PAY_PER_REQUEST",
            KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
            AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
          }),
        );
      }),
    pythonSetUpSeconds * 1000,
  );

  const writeLog = (part: string) => [`create a stream in the log of ${part}`, `write to the log of ${part}`];
  const accessLedger = ["get from the ledger", "put into the ledger", "update in the ledger"];

  test.each([
    ["acknowledge", [...writeLog("acknowledge"), "send to the queue", "put into the ledger"]],
    [
      "consume",
      [
        ...writeLog("consume"),
        "get attributes of the queue",
        "delete from the queue",
        "receive from the queue",
        ...accessLedger,
        "list the ledger by time",
        "publish on the bus",
      ],
    ],
    [
      "reconcile",
      [
        ...writeLog("reconcile"),
        ...accessLedger,
        "get many from the ledger",
        "publish on the bus",
        "read the secret api-key",
      ],
    ],
  ])("permits what the function needs and nothing else: %s", async (part, needed) => {
    const { permitted } = await tryAll(String(stack.outputsOf("Role", `events-${part}`).arn));
    expect(permitted.sort()).toEqual(needed.sort());
  });

  test("is the only reason for a refusal: a role with all permissions succeeds with every request", async () => {
    const { permitted, all } = await tryAll(await createUnlimitedRole(stack.moto));
    expect(permitted).toEqual(all);
  });

  async function tryAll(role: string) {
    const client = { ...stack.moto.client, credentials: await credentialsOf(role), maxAttempts: 1 };
    const all = attempts(stack, client);
    const permitted: string[] = [];
    await stack.moto.enforcePolicies(true);
    try {
      for (const [name, attempt] of Object.entries(all)) if (await isPermitted(name, attempt)) permitted.push(name);
    } finally {
      await stack.moto.enforcePolicies(false);
    }
    return { permitted, all: Object.keys(all) };
  }

  async function credentialsOf(role: string) {
    const { Credentials: credentials } = await new STSClient(stack.moto.client).send(
      new AssumeRoleCommand({ RoleArn: role, RoleSessionName: "test" }),
    );
    return {
      accessKeyId: credentials?.AccessKeyId ?? "",
      secretAccessKey: credentials?.SecretAccessKey ?? "",
      sessionToken: credentials?.SessionToken ?? "",
    };
  }
});

async function createUnlimitedRole(moto: Moto): Promise<string> {
  const iam = new IAMClient(moto.client);
  const name = { RoleName: "anything" };
  const { Role: role } = await iam.send(new CreateRoleCommand({ ...name, AssumeRolePolicyDocument: allowAnything }));
  await iam.send(new PutRolePolicyCommand({ ...name, PolicyName: "anything", PolicyDocument: allowAnything }));
  return role?.Arn ?? "";
}

/** Decides by the status 403, because not every client of the SDK can parse moto's refusal. Rethrows other errors. */
async function isPermitted(name: string, attempt: () => Promise<unknown>): Promise<boolean> {
  try {
    await attempt();
    return true;
  } catch (error) {
    if (statusSchema.safeParse(error).data?.$metadata.httpStatusCode === 403) return false;
    throw new Error(`"${name}" failed for another reason than a refusal`, { cause: error });
  }
}

const statusSchema = z.object({ $metadata: z.object({ httpStatusCode: z.int() }) });
