import { CloudWatchLogsClient, DeleteLogGroupCommand } from "@aws-sdk/client-cloudwatch-logs";
import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ListTablesCommand,
} from "@aws-sdk/client-dynamodb";
import {
  type FunctionConfiguration,
  GetFunctionUrlConfigCommand,
  GetPolicyCommand,
  LambdaClient,
  ListEventSourceMappingsCommand,
  ListFunctionsCommand,
  RemovePermissionCommand,
  ResourceNotFoundException,
} from "@aws-sdk/client-lambda";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { DeleteQueueCommand, GetQueueAttributesCommand, ListQueuesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { endAfterTests } from "../end-after-tests.ts";
import { changedPaths } from "../engine/harness/changed-paths.ts";
import { createProject, type Project } from "../engine/harness/create-project.ts";
import { encrypt } from "../engine/harness/encrypt.ts";
import { pythonSetUpSeconds } from "../python/prepare-python.ts";
import { sha256 } from "../receiver/sha256.ts";
import { type Moto, startMoto } from "./moto/start-moto.ts";
import { outputsSchema } from "./receiver-stack.ts";
import { type AwsProvider, startProvider } from "./start-provider.ts";

// One story on one stack with the real engine. Each test continues where the previous one ended.

const program = `
import * as pulumi from "@pulumi/pulumi";
import { WebhookReceiver } from "pulumi-integration-platform/receiver";
const config = new pulumi.Config();
const receiver = new WebhookReceiver("events", {
  tokens: config.requireSecretObject("tokens"),
  logRetentionDays: config.getNumber("logRetentionDays"),
  deletionProtection: config.getBoolean("deletionProtection"),
  platform: { baseUrl: "https://platform.example.com", apiKey: config.requireSecret("apiKey") },
});
export const { url, instructions, queueUrl, deadLetterQueueUrl, deadLetterQueueArn, ledgerName, busName } = receiver;
`;

const older = sha256("the older token");
const newest = sha256("the newest token");
const apiKey = "the-key-for-the-lists";

const policySchema = z.object({ Statement: z.array(z.object({ Sid: z.string(), Action: z.string() })) });

const loggingSchema = z.object({ loggingConfig: z.object({ logGroup: z.string() }) });

describe("a stack with a receiver", () => {
  let moto: Moto;
  let provider: AwsProvider;
  let project: Project;
  let encrypted: { older: string; newest: string; apiKey: string };
  let sqs: SQSClient;
  let lambda: LambdaClient;

  beforeAll(
    () =>
      endAfterTests(async (open) => {
        moto = open.use(await startMoto());
        provider = open.use(await startProvider(moto));
        project = open.use(
          await createProject({
            program,
            hasOwnSources: true,
            stackYaml: "config: {}\n",
            env: { ...moto.env, ...provider.env },
          }),
        );
        const [one = "", two = "", three = ""] = await encrypt(project, older, newest, apiKey);
        encrypted = { older: one, newest: two, apiKey: three };
        sqs = new SQSClient(moto.client);
        lambda = new LambdaClient(moto.client);
      }),
    pythonSetUpSeconds * 1000,
  );

  const configure = (tokens: readonly string[], more = "") =>
    project.writeStackYaml(`config:
  throw-away:tokens: [${tokens.join(", ")}]
  throw-away:apiKey: ${encrypted.apiKey}
${more}`);

  test("is previewed without changes in AWS", async () => {
    await configure([encrypted.older]);
    const { changeSummary } = await project.preview();
    expect(changeSummary).toEqual({ create: 57 });
    expect((await sqs.send(new ListQueuesCommand())).QueueUrls ?? []).toEqual([]);
  });

  test("is deployed with its parts connected", async () => {
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    const { queueUrl, deadLetterQueueUrl, ledgerName } = await outputs();

    const environment = await environmentOf("acknowledge");
    expect(environment).toEqual({
      LEDGER_TABLE: ledgerName,
      QUEUE_URL: queueUrl,
      TOKEN_DIGESTS: sha256(older),
      ALLOWED_SOURCES: "",
    });
    expect((await environmentOf("consume")).LEDGER_TABLE).toBe(ledgerName);
    expect((await environmentOf("reconcile")).PLATFORM_BASE_URL).toBe("https://platform.example.com");

    const [queue, deadLetters] = await Promise.all([queueUrl, deadLetterQueueUrl].map(attributesOf));
    expect(JSON.parse(queue?.RedrivePolicy ?? "")).toEqual({
      deadLetterTargetArn: deadLetters?.QueueArn,
      maxReceiveCount: 10,
    });
    expect(queue).toMatchObject({ MaximumMessageSize: "1048576", SqsManagedSseEnabled: "true" });
    const { EventSourceMappings: mappings = [] } = await lambda.send(new ListEventSourceMappingsCommand());
    expect(mappings.map(({ ScalingConfig }) => ScalingConfig)).toEqual([{ MaximumConcurrency: 2 }]);
  });

  test("writes the log of each function to the group with its name, on Node.js 24", async () => {
    for (const part of ["acknowledge", "consume", "reconcile"]) {
      const { FunctionName: name, Runtime: runtime } = await configurationOf(part);
      expect(name).toMatch(new RegExp(`^events-${part}-.{26}$`)); // what a role may write to is in policies.test.ts
      expect(await logGroupOf(part)).toBe(`/aws/lambda/${name}`);
      expect(runtime).toBe("nodejs24.x");
    }
  });

  test("has a ledger with an index by time, whose items may expire", async () => {
    const dynamodb = new DynamoDBClient(moto.client);
    const { ledgerName: TableName } = await outputs();
    const { Table: table } = await dynamodb.send(new DescribeTableCommand({ TableName }));
    expect(table?.GlobalSecondaryIndexes).toMatchObject([
      {
        IndexName: "byTime",
        KeySchema: [
          { AttributeName: "day", KeyType: "HASH" },
          { AttributeName: "receivedAt", KeyType: "RANGE" },
        ],
        Projection: { NonKeyAttributes: expect.arrayContaining(["status", "eventType", "tenantId", "runId"]) },
      },
    ]);
    const { TimeToLiveDescription: timeToLive } = await dynamodb.send(new DescribeTimeToLiveCommand({ TableName }));
    expect(timeToLive).toEqual({ AttributeName: "expiration", TimeToLiveStatus: "ENABLED" });
  });

  test("allows everybody to invoke the URL with both permissions that AWS requires", async () => {
    const { Policy: policy = "" } = await lambda.send(
      new GetPolicyCommand({ FunctionName: (await configurationOf("acknowledge")).FunctionName }),
    );
    const { Statement: statements } = JSON.parse(policy);
    const actions = statements.map(({ Action, Principal }: Record<string, unknown>) => [Action, Principal]);
    // Each once by the provider, and once as a resource of the stack.
    expect(actions.sort()).toEqual([
      ["lambda:InvokeFunction", "*"],
      ["lambda:InvokeFunction", "*"],
      ["lambda:InvokeFunctionUrl", "*"],
      ["lambda:InvokeFunctionUrl", "*"],
    ]);
  });

  test("stores the API key in Secrets Manager, and shows neither key nor token in its state or its output", async () => {
    const secrets = new SecretsManagerClient(moto.client);
    const { API_KEY_SECRET_ARN: arn } = await environmentOf("reconcile");
    expect((await secrets.send(new GetSecretValueCommand({ SecretId: arn }))).SecretString).toBe(apiKey);
    const { text } = await project.exportState();
    for (const secret of [older, apiKey]) {
      expect(text).not.toContain(secret);
      expect(project.printed()).not.toContain(secret);
    }
  });

  test("has no changes at the next up", async () => {
    await project.mustRun(["up", "--yes", "--skip-preview", "--expect-no-changes"]);
    await project.mustRun(["preview", "--expect-no-changes"]);
  });

  test("rotates the token with two valid tokens in between, and changes only the function and the outputs", async () => {
    await configure([encrypted.newest, encrypted.older]);
    expect(Object.keys(changedPaths(await project.preview())).sort()).toEqual(["events-acknowledge"]);
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect((await environmentOf("acknowledge")).TOKEN_DIGESTS).toBe(`${sha256(newest)},${sha256(older)}`);
    expect((await outputs("--show-secrets")).url).toMatch(new RegExp(`\\?token=${newest}$`));

    await configure([encrypted.newest]);
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect((await environmentOf("acknowledge")).TOKEN_DIGESTS).toBe(sha256(newest));
  });

  test("restores the permissions of the URL after somebody has removed all of them", async () => {
    const { FunctionName } = await configurationOf("acknowledge");
    const policyOf = async () => {
      const { Policy: policy = "" } = await lambda.send(new GetPolicyCommand({ FunctionName }));
      return policySchema.parse(JSON.parse(policy)).Statement;
    };
    for (const { Sid: StatementId } of await policyOf()) {
      await lambda.send(new RemovePermissionCommand({ FunctionName, StatementId }));
    }
    const { url } = await outputs("--show-secrets");
    await project.mustRun(["up", "--yes", "--skip-preview", "--refresh"]);
    expect((await policyOf()).map(({ Action }) => Action).sort()).toEqual([
      "lambda:InvokeFunction",
      "lambda:InvokeFunctionUrl",
    ]);
    expect((await outputs("--show-secrets")).url).toBe(url);
  });

  test("rejects a short token in the preview with instructions, and does not print it", async () => {
    await configure(['"too-short"']);
    const { code, stdout, stderr } = await project.run(["preview"]);
    expect(code).not.toBe(0);
    expect(stdout + stderr).toMatch(
      /webhook receiver "events" has invalid arguments: tokens\[0\]: .*openssl rand -hex 32/,
    );
    expect(stdout + stderr).not.toContain("too-short");
    await configure([encrypted.newest]);
  });

  test("detects a deleted queue by a refresh, and creates it again", async () => {
    const { queueUrl } = await outputs();
    await sqs.send(new DeleteQueueCommand({ QueueUrl: queueUrl }));
    await project.mustRun(["refresh", "--yes", "--skip-preview"]);
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect((await environmentOf("acknowledge")).QUEUE_URL).toBe((await outputs()).queueUrl);
    expect(await attributesOf((await outputs()).queueUrl)).toHaveProperty("QueueArn");
    await project.mustRun(["up", "--yes", "--skip-preview", "--refresh", "--expect-no-changes"]);
  });

  test("keeps the name and the URL of a function whose log group somebody has deleted", async () => {
    const { FunctionName: name } = await configurationOf("acknowledge");
    const logGroupName = await logGroupOf("acknowledge");
    const { url } = await outputs("--show-secrets");
    await new CloudWatchLogsClient(moto.client).send(new DeleteLogGroupCommand({ logGroupName }));
    await project.mustRun(["up", "--yes", "--skip-preview", "--refresh"]);
    expect((await outputs("--show-secrets")).url).toBe(url);
    expect((await configurationOf("acknowledge")).FunctionName).toBe(name);
    expect(await logGroupOf("acknowledge")).toMatch(/^\/aws\/lambda\/events-acknowledge-/);
    expect(await logGroupOf("acknowledge")).not.toBe(logGroupName);
    await project.mustRun(["up", "--yes", "--skip-preview", "--refresh", "--expect-no-changes"]);
  });

  test("is destroyed only without its protection: until then, what receives and stores events stays", async () => {
    const refused = await project.run(["destroy", "--yes"]);
    expect(refused.stdout).toMatch(/events-\w+" cannot be deleted\s+because it is protected/);
    expect(await countResources()).toEqual({ queues: 2, functions: 3, urls: 1, tables: 1 });
    expect((await project.destroy()).code).not.toBe(0); // skips the preview, which refused above
    expect(await countResources()).toMatchObject({ queues: 2, urls: 1, tables: 1 });
    expect((await configurationOf("acknowledge")).FunctionName).toMatch(/^events-acknowledge-/);

    await configure([encrypted.newest], "  throw-away:deletionProtection: false\n");
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    await project.mustRun(["destroy", "--yes", "--skip-preview"]);
    expect(await countResources()).toEqual({ queues: 0, functions: 0, urls: 0, tables: 0 });
  });

  async function countResources() {
    const { QueueUrls: queues = [] } = await sqs.send(new ListQueuesCommand());
    const { Functions: functions = [] } = await lambda.send(new ListFunctionsCommand());
    const { TableNames: tables = [] } = await new DynamoDBClient(moto.client).send(new ListTablesCommand());
    const urls = await Promise.all(functions.map(({ FunctionName }) => hasUrl(FunctionName)));
    return {
      queues: queues.length,
      functions: functions.length,
      urls: urls.filter(Boolean).length,
      tables: tables.length,
    };
  }

  async function outputs(...options: readonly string[]) {
    const { stdout } = await project.mustRun(["stack", "output", "--json", ...options]);
    return outputsSchema.parse(JSON.parse(stdout));
  }

  async function hasUrl(FunctionName: string | undefined): Promise<boolean> {
    try {
      await lambda.send(new GetFunctionUrlConfigCommand({ FunctionName }));
      return true;
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return false;
      throw error;
    }
  }

  async function configurationOf(part: string): Promise<FunctionConfiguration> {
    const { Functions: functions = [] } = await lambda.send(new ListFunctionsCommand());
    const found = functions.find(({ FunctionName: name }) => name?.startsWith(`events-${part}-`));
    return found ?? {};
  }

  /** moto does not store where a function logs. */
  async function logGroupOf(part: string): Promise<string> {
    const { resources } = await project.exportState();
    const found = resources.find(({ urn }) => urn.endsWith(`lambda/function:Function::events-${part}`));
    return loggingSchema.parse(found?.outputs).loggingConfig.logGroup;
  }

  async function environmentOf(part: string): Promise<Record<string, string>> {
    return (await configurationOf(part)).Environment?.Variables ?? {};
  }

  async function attributesOf(queueUrl: string): Promise<Partial<Record<string, string>>> {
    const command = new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ["All"] });
    return (await sqs.send(command)).Attributes ?? {};
  }
});
