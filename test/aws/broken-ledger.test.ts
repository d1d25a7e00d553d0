import { DeleteTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { endAfterTests } from "../end-after-tests.ts";
import { pythonSetUpSeconds } from "../python/prepare-python.ts";
import { type AlarmClock, startAlarmClock } from "../receiver/alarm-clock/alarm-clock.ts";
import { declaredAlarm } from "../receiver/alarm-clock/declared-alarm.ts";
import { type SimulatedQueue, simulateQueue } from "../receiver/alarm-clock/simulated-queue.ts";
import { payload } from "../receiver/fixtures.ts";
import { takeMessages } from "./queues.ts";
import { deployReceiver, type ReceiverStack, token } from "./receiver-stack.ts";
import { startFunctionOf } from "./runtime/function-of-stack.ts";
import { runtimeSetUpSeconds } from "./runtime/prepare-runtime.ts";
import type { RunningFunction } from "./runtime/start-function.ts";
import { urlEvent } from "./runtime/url-event.ts";

// The ledger's table is deleted in moto. AWS's runtime runs the bundles of the stack, and a clock of the tests evaluates the
// alarms as the engine deployed them, over the metrics in the function's log. It also plays the queue's delays.

let stack: ReceiverStack;
let clock: AlarmClock;
let queue: SimulatedQueue;
let consumer: RunningFunction;

beforeAll(
  () =>
    endAfterTests(async (open) => {
      stack = open.use(await deployReceiver());
      consumer = open.use(await startFunctionOf(stack, "consume"));
      const { resources } = await stack.project.exportState();
      const alarms = resources.filter(({ type }) => type.endsWith(":MetricAlarm"));
      clock = startAlarmClock(alarms.map(({ urn, outputs }) => declaredAlarm(urn.split("::").at(-1) ?? "", outputs)));
      queue = simulateQueue(clock, {
        queueName: nameOf("Queue", "events-queue"),
        deadLettersName: nameOf("Queue", "events-dead-letters"),
        visibilitySeconds: Number(stack.outputsOf("Queue", "events-queue").visibilityTimeoutSeconds),
        maxReceiveCount: 10,
        consumerName: nameOf("Function", "events-consume"),
        consume: async (batch) => {
          const before = consumer.logged().length;
          const result = await consumer.invoke(batch);
          clock.readLog(consumer.logged().slice(before));
          return resultSchema.parse(result); // an invocation that fails has an errorMessage instead
        },
      });
    }),
  (pythonSetUpSeconds + runtimeSetUpSeconds) * 1000,
);

test("without the table the operator knows within a minute, and the dead letters fire an alarm after half an hour", async () => {
  await using acknowledge = await startFunctionOf(stack, "acknowledge");
  const body = JSON.stringify(payload("run_failed", { tenant_name: "a confidential customer" }));
  await new DynamoDBClient(stack.moto.client).send(new DeleteTableCommand({ TableName: stack.outputs.ledgerName }));

  const answer = await acknowledge.invoke(urlEvent({ query: `token=${token}`, body }));
  expect(answer).toMatchObject({ statusCode: 200 });
  const [message] = await takeMessages(stack.moto, stack.outputs.queueUrl);
  queue.send(message?.Body ?? "");

  await clock.advance(1);
  expect(rung().sort()).toEqual(["1 events-consume-errors-alarm", "1 events-not-consumed-alarm"]);
  const notConsumed = clock.changes.find(({ alarm }) => alarm.name === "events-not-consumed-alarm");
  expect(notConsumed?.alarm.description).toContain(`/aws/lambda/${nameOf("Function", "events-consume")} `);

  await clock.advance(29);
  expect(queue.deadLetters).toEqual([]);
  await clock.advance(1);
  expect(rung().at(-1)).toBe("31 events-dead-letters-alarm");
  expect(rung()).not.toContainEqual(expect.stringContaining("age"));
});

test("the log names the event and the cause, and neither the token nor the body", () => {
  const entries = consumer.logged().split("\n").flatMap(parseEntry);
  const [entry] = entries.filter(({ message }) => message === "message not consumed");
  expect(entry).toMatchObject({
    level: "error",
    ingestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    error: { name: "ResourceNotFoundException" },
  });
  expect(consumer.logged()).not.toMatch(/a confidential customer/);
  expect(consumer.logged()).not.toContain(token);
});

const rung = () =>
  clock.changes
    .filter(({ state, alarm }) => state === "ALARM" && alarm.name !== "events-no-sweep-alarm") // no sweep runs here
    .map(({ minute, alarm }) => `${minute} ${alarm.name}`);

const nameOf = (type: string, name: string) => String(stack.outputsOf(type, name).name);

const resultSchema = z.object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })) });

const entrySchema = z.looseObject({ level: z.string(), message: z.string() });

function parseEntry(line: string) {
  try {
    return [entrySchema.parse(JSON.parse(line))];
  } catch {
    return []; // a line of AWS's runtime
  }
}
