import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { CreateEventBusCommand, EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { CreateRoleCommand, IAMClient, PutRolePolicyCommand } from "@aws-sdk/client-iam";
import { AssumeRoleCommand, STSClient } from "@aws-sdk/client-sts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { pythonSetUpSeconds } from "../python/prepare-python.ts";
import { anything, attempts } from "./attempts.ts";
import type { Moto } from "./moto/start-moto.ts";
import { bringUpReceiver, type ReceiverStack } from "./receiver-stack.ts";

// moto refuses by the roles' policies, resource by resource; it knows nothing of what AWS may demand besides.

describe("the role of each function", () => {
  let stack: ReceiverStack;

  beforeAll(async () => {
    stack = await bringUpReceiver();
    await new EventBridgeClient(stack.moto.client).send(new CreateEventBusCommand({ Name: "customers" }));
    await new DynamoDBClient(stack.moto.client).send(
      new CreateTableCommand({
        TableName: "customers",
        BillingMode: "PAY_PER_REQUEST",
        KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
        AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
      }),
    );
  }, pythonSetUpSeconds * 1000);
  afterAll(() => stack?.[Symbol.asyncDispose]());

  const itsLog = (part: string) => [`create a stream in the log of ${part}`, `write to the log of ${part}`];
  const useLedger = ["get from the ledger", "put into the ledger", "update in the ledger"];

  it.each([
    ["acknowledge", [...itsLog("acknowledge"), "send to the queue"]],
    [
      "consume",
      [
        ...itsLog("consume"),
        "ask about the queue",
        "delete from the queue",
        "receive from the queue",
        ...useLedger,
        "put onto the bus",
      ],
    ],
    [
      "reconcile",
      [...itsLog("reconcile"), ...useLedger, "get many from the ledger", "put onto the bus", "read the secret api-key"],
    ],
  ])("lets it do what it must, and nothing else: %s", async (part, rights) => {
    const { permitted } = await tryAll(String(stack.stateOf("Role", `events-${part}`).arn));
    expect(permitted.sort()).toEqual(rights.sort());
  });

  it("is what refuses: a role that may do anything can do all of it", async () => {
    const { permitted, all } = await tryAll(await roleForAnything(stack.moto));
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
    const { Credentials: given } = await new STSClient(stack.moto.client).send(
      new AssumeRoleCommand({ RoleArn: role, RoleSessionName: "test" }),
    );
    return {
      accessKeyId: given?.AccessKeyId ?? "",
      secretAccessKey: given?.SecretAccessKey ?? "",
      sessionToken: given?.SessionToken ?? "",
    };
  }
});

async function roleForAnything(moto: Moto): Promise<string> {
  const iam = new IAMClient(moto.client);
  const name = { RoleName: "anything" };
  const { Role: role } = await iam.send(new CreateRoleCommand({ ...name, AssumeRolePolicyDocument: anything }));
  await iam.send(new PutRolePolicyCommand({ ...name, PolicyName: "anything", PolicyDocument: anything }));
  return role?.Arn ?? "";
}

/** Only a refusal counts. moto words it so that not every client of the SDK can read it; the status tells. */
async function isPermitted(name: string, attempt: () => Promise<unknown>): Promise<boolean> {
  try {
    await attempt();
    return true;
  } catch (error) {
    if (statusSchema.safeParse(error).data?.$metadata.httpStatusCode === 403) return false;
    throw new Error(`"${name}" failed, without a refusal`, { cause: error });
  }
}

const statusSchema = z.object({ $metadata: z.object({ httpStatusCode: z.int() }) });
