import { CloudWatchClient, DescribeAlarmsCommand } from "@aws-sdk/client-cloudwatch";
import { EventBridgeClient, PutEventsCommand, StartReplayCommand } from "@aws-sdk/client-eventbridge";
import { GetFunctionEventInvokeConfigCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { CreateQueueCommand, ListQueuesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { endAfterTests } from "../end-after-tests.ts";
import { createProject, type Project } from "../engine/harness/create-project.ts";
import { pythonSetUpSeconds } from "../python/prepare-python.ts";
import { type Moto, startMoto } from "./moto/start-moto.ts";
import { takeMessages } from "./queues.ts";
import { requestSns } from "./sns.ts";
import { type AwsProvider, startProvider } from "./start-provider.ts";

// One story on one stack with the real engine. moto delivers the events, and checks the policies of queues and topics.

const program = `
import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { WebhookReceiver } from "pulumi-integration-platform/receiver";
const receiver = new WebhookReceiver("events", {
  tokens: ["7f3a91c04be6d258730e1b9fa4c85d6217e0f9384ab5c6d1"],
  deletionProtection: false,
});
const audit = new aws.sqs.Queue("audit");
const pager = new aws.sns.Topic("pager");
const closed = new aws.sqs.Queue("closed");
receiver.onEvent("all", audit);
receiver.onEvent(["run_failed"], pager);
const undelivered = receiver.onEvent(["run_failed"], closed, { allowDelivery: false });

const role = new aws.iam.Role("handler", { assumeRolePolicy: "{}" });
const handler = new aws.lambda.Function("handler", {
  runtime: "nodejs24.x",
  handler: "index.handler",
  role: role.arn,
  code: new pulumi.asset.AssetArchive({ "index.mjs": new pulumi.asset.StringAsset("export const handler = () => {};") }),
});
if (!new pulumi.Config().getBoolean("isFirstRemoved")) receiver.onEvent(["run_failed"], handler);
receiver.onEvent(["malformed"], handler, { name: "handler-malformed" });

export const { busName } = receiver;
export const [auditUrl, closedUrl, pagerArn, handlerName] = [audit.url, closed.url, pager.arn, handler.name];
export const undeliveredUrl = undelivered.deadLetterQueueUrl;
`;

const outputsSchema = z.object({
  busName: z.string(),
  auditUrl: z.string(),
  closedUrl: z.string(),
  pagerArn: z.string(),
  handlerName: z.string(),
  undeliveredUrl: z.string(),
});

let moto: Moto;
let provider: AwsProvider;
let project: Project;
let outputs: z.infer<typeof outputsSchema>;
let pagedUrl: string;

beforeAll(
  () =>
    endAfterTests(async (open) => {
      moto = open.use(await startMoto());
      provider = open.use(await startProvider(moto));
      const env = { ...moto.env, ...provider.env };
      project = open.use(await createProject({ program, hasOwnSources: true, stackYaml: "config: {}\n", env }));
    }),
  pythonSetUpSeconds * 1000,
);

test("subscriptions are deployed, and have no changes at the next up", async () => {
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  await project.mustRun(["up", "--yes", "--skip-preview", "--expect-no-changes"]);
  const { stdout } = await project.mustRun(["stack", "output", "--json"]);
  outputs = outputsSchema.parse(JSON.parse(stdout));
  pagedUrl = await createQueueBehindTopic();
});

test("events reach a queue and a topic by their types, and a target that refuses them fills the dead-letter queue", async () => {
  await publish("run_failed", "id-1");
  await publish("tenant_archived", "id-2");
  expect(await ingestIdsIn(outputs.auditUrl)).toEqual(["id-1", "id-2"]);
  expect(await ingestIdsIn(pagedUrl)).toEqual(["id-1"]);
  expect(await ingestIdsIn(outputs.closedUrl)).toEqual([]);
  expect(await ingestIdsIn(outputs.undeliveredUrl)).toEqual(["id-1"]);
});

test("the command in the alarm's text sends the archived events again, with the same ingest ids", async () => {
  const cloudwatch = new CloudWatchClient(moto.client);
  const { MetricAlarms: alarms = [] } = await cloudwatch.send(
    new DescribeAlarmsCommand({ AlarmNamePrefix: "events-closed-dead-letters-alarm" }),
  );
  const text = alarms[0]?.AlarmDescription ?? "";
  expect(text).toContain(`aws sqs receive-message --queue-url ${outputs.undeliveredUrl} `);
  const command = /--event-source-arn (\S+) .*--destination Arn=([^,\s]+),FilterArns=(\S+) /.exec(text);
  const [, EventSourceArn = "", Arn = "", ruleArn = ""] = command ?? [];
  expect(ruleArn).toContain(`:rule/${outputs.busName}/events-closed-`);

  await new EventBridgeClient(moto.client).send(
    new StartReplayCommand({
      ReplayName: "again-1",
      EventSourceArn,
      Destination: { Arn, FilterArns: [ruleArn] },
      EventStartTime: new Date(Date.now() - 3_600_000),
      EventEndTime: new Date(),
    }),
  );
  // moto replays for all rules. AWS would for that of the command only.
  expect(await ingestIdsIn(outputs.auditUrl)).toEqual(["id-1", "id-2"]);
});

test("a function keeps its setting for failures when the first of its subscriptions is removed", async () => {
  const destination = await destinationOfFailures();
  expect(destination).toMatch(/:events-handler-failures-/);
  await project.writeStackYaml("config:\n  throw-away:isFirstRemoved: true\n");
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  expect(await destinationOfFailures()).toBe(destination);
});

test("all is destroyed with the stack", async () => {
  await project.mustRun(["destroy", "--yes", "--skip-preview"]);
  expect((await project.exportState()).resources).toEqual([]);
  const { QueueUrls: urls = [] } = await new SQSClient(moto.client).send(new ListQueuesCommand());
  expect(urls).toEqual([pagedUrl]); // the test's own
});

async function destinationOfFailures(): Promise<string | undefined> {
  const { DestinationConfig: destinations } = await new LambdaClient(moto.client).send(
    new GetFunctionEventInvokeConfigCommand({ FunctionName: outputs.handlerName }),
  );
  return destinations?.OnFailure?.Destination;
}

async function publish(type: string, ingestId: string): Promise<void> {
  const entry = { Source: "integration-platform", DetailType: type, Detail: JSON.stringify({ ingestId }) };
  await new EventBridgeClient(moto.client).send(
    new PutEventsCommand({ Entries: [{ ...entry, EventBusName: outputs.busName }] }),
  );
}

async function createQueueBehindTopic(): Promise<string> {
  const { QueueUrl: url = "" } = await new SQSClient(moto.client).send(new CreateQueueCommand({ QueueName: "paged" }));
  const Endpoint = "arn:aws:sqs:eu-central-1:123456789012:paged";
  await requestSns(moto.env, "Subscribe", { TopicArn: outputs.pagerArn, Protocol: "sqs", Endpoint });
  return url;
}

const messageSchema = z.union([
  z.object({ detail: z.object({ ingestId: z.string() }) }),
  z.object({ Message: z.string() }), // of a topic
]);

async function ingestIdsIn(queueUrl: string): Promise<string[]> {
  const idOf = (body: string): string => {
    const message = messageSchema.parse(JSON.parse(body));
    return "detail" in message ? message.detail.ingestId : idOf(message.Message);
  };
  return (await takeMessages(moto, queueUrl)).map(({ Body: body = "" }) => idOf(body)).sort();
}
