import { randomUUID } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { SendMessageCommand, SQSClient, StartMessageMoveTaskCommand } from "@aws-sdk/client-sqs";
import { beforeAll, describe, expect, test } from "vitest";
import { consume } from "../../src/receiver/consume/consume.ts";
import { eventBridgeBus } from "../../src/receiver/delivery/event-bridge-bus.ts";
import { dynamoLedger } from "../../src/receiver/ledger/dynamo-ledger.ts";
import { encodeMessage } from "../../src/receiver/message.ts";
import { runCliProcess } from "../cli/run-cli.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { pythonSetUpSeconds } from "../python/prepare-python.ts";
import { payload } from "../receiver/fixtures.ts";
import { takeMessages } from "./queues.ts";
import { deployReceiver, type ReceiverStack } from "./receiver-stack.ts";
import { type EventsOnBus, subscribeToBus } from "./subscribe-to-bus.ts";

// The command `events` with a receiver that the real engine has deployed to moto. Its consumer has delivered two events.

const [failedId, brokenId] = [randomUUID(), randomUUID()];
const receivedAt = "2026-03-04T05:06:07.000Z";
const period = ["--since", "2026-03-04", "--until", "2026-03-05"] as const;

let stack: ReceiverStack;
let eventsOnBus: EventsOnBus;
let delivered: Record<string, unknown>[];

beforeAll(
  () =>
    endAfterTests(async (open) => {
      stack = open.use(await deployReceiver());
      eventsOnBus = await subscribeToBus(stack);
      await deliver(failedId, JSON.stringify(payload("run_failed", { tenant_id: 5001, run_id: 77 })));
      await deliver(brokenId, "{broken");
      delivered = await eventsOnBus();
    }),
  pythonSetUpSeconds * 1000,
);

async function deliver(ingestId: string, text: string): Promise<void> {
  const { moto, outputs } = stack;
  const message = encodeMessage({ ingestId, receivedAt, sourceIp: "192.0.2.7", body: Buffer.from(text) });
  await consume(
    { Records: [{ messageId: ingestId, body: message ?? "" }] },
    {
      ledger: dynamoLedger(new DynamoDBClient(moto.client), outputs.ledgerName),
      bus: eventBridgeBus(new EventBridgeClient(moto.client), outputs.busName),
      log: () => {},
    },
  );
}

/** Runs the command with the stack. The outputs of the stack name the region. */
function events(...args: readonly string[]) {
  const { project, moto } = stack;
  const env = { ...project.env, ...moto.env, AWS_REGION: "" };
  return runCliProcess(undefined, ["events", ...args, "--stack", project.stack, "--cwd", project.directory], env);
}

describe("events of a receiver on AWS", () => {
  test("are listed with their tenants and runs", async () => {
    const { code, stdout, stderr } = await events("list", ...period, "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const common = { receivedAt, sourceIp: "192.0.2.7", reconciled: false, status: "published" };
    const { events: listed } = JSON.parse(stdout);
    expect(listed).toHaveLength(2);
    expect(listed).toEqual(
      expect.arrayContaining([
        { ...common, ingestId: failedId, kind: "known", eventType: "run_failed", tenantId: 5001, runId: 77 },
        { ...common, ingestId: brokenId, kind: "not JSON" },
      ]),
    );
    const { stdout: table } = await events("list", ...period, "--tenant", "5001");
    expect(table).toContain(`run_failed  5001    77   published  ${failedId}`);
    expect(table).not.toContain(brokenId);
  });

  test("are shown with their bodies", async () => {
    const { stdout } = await events("show", brokenId, "--json");
    expect(JSON.parse(stdout)).toMatchObject({ ingestId: brokenId, body: "{broken", bodyEncoding: "utf8" });
  });

  test("are published again as they were, but with a replay id", async () => {
    const { code, stdout } = await events("replay", ...period, "--yes");
    expect(code).toBe(0);
    const [, replayId] = /replayId is (\S+)\. /.exec(stdout) ?? [];
    const again = await eventsOnBus();
    expect(delivered).toHaveLength(2);
    expect(again.map(factsOf)).toEqual(
      expect.arrayContaining(
        delivered.map(factsOf).map(({ type, detail }) => ({ type, detail: { ...detail, replayId } })),
      ),
    );
    expect(again).toHaveLength(2);
    expect(replayId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("are found by the names of the resources, without a stack", async () => {
    const { ledgerName, busName } = stack.outputs;
    const names = ["--ledger", ledgerName, "--bus", busName];
    const { code } = await runCliProcess(undefined, ["events", "replay", failedId, "--yes", ...names], stack.moto.env);
    expect(code).toBe(0);
    expect((await eventsOnBus()).map(factsOf)).toMatchObject([{ type: "run_failed", detail: { ingestId: failedId } }]);
  });

  test("are not published if the bus is not there, and the error says how far the replay came", async () => {
    const names = ["--ledger", stack.outputs.ledgerName, "--bus", "nowhere"];
    const args = ["events", "replay", failedId, "--yes", ...names];
    const { code, stderr } = await runCliProcess(undefined, args, stack.moto.env);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: published 0 of 1 events again, with the replayId \S+; the next one, /);
    expect(stderr).toContain(`${failedId} of ${receivedAt}, failed: `);
    expect(await eventsOnBus()).toEqual([]);
  });

  test("are not published by --dry-run", async () => {
    const { code, stdout } = await events("replay", ...period, "--type", "run_failed", "--dry-run");
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(": 1 run_failed\n") });
    expect(await eventsOnBus()).toEqual([]);
  });

  test("that a wrong name hides are an error of one line, which names the reason", async () => {
    const { code, stderr } = await runCliProcess(undefined, ["events", "list", "--ledger", "nowhere"], stack.moto.env);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: ResourceNotFoundException: [^\n]+\n$/);
  });
});

test("the dead letters of a receiver on AWS are in its queue again after AWS's own redrive", async () => {
  const { deadLetterQueueUrl, deadLetterQueueArn, queueUrl } = stack.outputs;
  const sqs = new SQSClient(stack.moto.client);
  for (const MessageBody of ["one", "two"]) {
    await sqs.send(new SendMessageCommand({ QueueUrl: deadLetterQueueUrl, MessageBody }));
  }
  await sqs.send(new StartMessageMoveTaskCommand({ SourceArn: deadLetterQueueArn }));
  expect((await takeMessages(stack.moto, queueUrl)).map(({ Body }) => Body).sort()).toEqual(["one", "two"]);
  expect(await takeMessages(stack.moto, deadLetterQueueUrl)).toEqual([]);
});

function factsOf({ "detail-type": type, detail }: Record<string, unknown>) {
  return { type, detail: Object(detail) };
}
