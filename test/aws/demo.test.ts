import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { CloudWatchClient, DescribeAlarmsCommand } from "@aws-sdk/client-cloudwatch";
import { DynamoDBClient, ScanCommand } from "@aws-sdk/client-dynamodb";
import { GetQueueAttributesCommand, ListQueuesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { expect, test, vi } from "vitest";
import { openReceiverSandbox, type ReceiverSandbox } from "../../demo/receiver/sandbox.ts";
import { receiverStory } from "../../demo/receiver/story.ts";
import { pythonSetUpSeconds } from "../python/prepare-python.ts";
import { runtimeSetUpSeconds } from "./runtime/prepare-runtime.ts";

const timeout = (pythonSetUpSeconds + runtimeSetUpSeconds) * 1000;

test("npm run demo -- receiver: a failed run arrives, a lost webhook is found, and a broken consumer loses nothing", {
  timeout,
}, async () => {
  const printed: string[] = [];
  using _ = vi.spyOn(console, "log").mockImplementation((text: unknown) => void printed.push(...lines(String(text))));
  await using box = await openReceiverSandbox();
  const { emulator } = box.platform;
  const statuses = () => emulator.deliveries().map(({ event, status }) => `${event} ${status}`);
  const cloudwatch = new CloudWatchClient(box.moto.client);

  const rung: Record<string, string[]> = {};
  let linesBefore = 0;
  let changesBefore = 0;
  for await (const { step, receiver } of receiverStory(box)) {
    const { MetricAlarms: alarms = [] } = await cloudwatch.send(new DescribeAlarmsCommand());
    const shown = printed.slice(linesBefore);
    linesBefore = printed.length;
    const headlines = shown.flatMap((line) => /minute \d+ {2}ALARM {2}(\S+)$/.exec(line)?.[1] ?? []);
    const starts = receiver.clock.changes.slice(changesBefore).filter(({ state }) => state === "ALARM");
    changesBefore = receiver.clock.changes.length;
    expect(headlines, step).toEqual(starts.map(({ alarm }) => alarm.name));
    for (const name of headlines) {
      const { AlarmDescription: description = "" } = alarms.find((alarm) => alarm.AlarmName === name) ?? {};
      const text = lines(description).filter((line) => line !== "");
      expect(text.length, name).toBeGreaterThan(1);
      for (const line of text) expect(withoutSpaces(shown)).toContain(withoutSpaces([line])); // a long word is cut
    }
    rung[step] = headlines.map((name) => name.replace(/^webhook-receiver-(.*)-alarm-\w+$/, "$1")).sort();

    const recorded = await recordsIn(box, receiver.outputs.ledgerName);
    const waiting = await waitingMessages(box);
    const { [queueOf(receiver.outputs.queueUrl)]: inQueue, [queueOf(receiver.outputs.deadLetterQueueUrl)]: givenUp } =
      waiting;
    expect([inQueue, givenUp], step).toEqual(
      step === "consumer broken" ? [1, 0] : step === "given up" ? [0, 1] : [0, 0],
    );
    if (step === "up") expect(recorded).toEqual([]);
    if (step === "run failed") {
      expect(statuses()).toEqual(["run_failed 200"]);
      expect(recorded).toEqual(["run_failed published"]);
    }
    if (step === "queue down") {
      expect(statuses().at(-1)).toBe("tenant_created 503");
      expect(recorded).toEqual(["run_failed published"]);
    }
    const withCedar = ["new_tenant_created published", "run_failed published"];
    if (step === "reconciled") expect(recorded).toEqual(withCedar);
    if (step === "given up") expect(recorded).toEqual(withCedar);
    if (step === "consumer broken") {
      expect(statuses().at(-1)).toBe("run_failed 200");
      expect(recorded).toEqual(withCedar);
    }
    if (step === "repaired" || step === "replayed") expect(recorded).toEqual([...withCedar, "run_failed published"]);
  }

  expect(rung).toEqual({
    up: [],
    "run failed": [],
    "queue down": ["not-stored"],
    reconciled: ["reconciled"],
    "consumer broken": ["consume-errors", "not-consumed"],
    "given up": ["dead-letters"],
    repaired: [],
    replayed: [],
  });
  const text = unwrapped(printed);
  expect(text).toMatch(/run_failed ingestId=\S+ reconciled=false tenant_name=acme/);
  expect(text).toMatch(/new_tenant_created ingestId=\S+ reconciled=true tenant_name=cedar/);
  expect(text.match(/run_failed ingestId=\S+ replayId=\S+/g)).toHaveLength(2);
  expect(withoutSpaces(printed)).not.toContain(box.token);
  expect(withoutSpaces(printed)).not.toContain(emulator.apiKey);
});

const lines = (text: string) => text.split("\n");
const withoutSpaces = (shown: readonly string[]) => unwrapped(shown).replaceAll(" ", "");
/** What the lines say, however the demo has wrapped them. */
const unwrapped = (shown: readonly string[]) =>
  shown
    .map((line) => line.replace(/^ {3}\| /, ""))
    .join(" ")
    .replaceAll(/\s+/g, " ")
    .trim();
const queueOf = (queueUrl: string) => queueUrl.slice(queueUrl.lastIndexOf("/") + 1);

async function recordsIn({ moto }: ReceiverSandbox, TableName: string): Promise<string[]> {
  const { Items: items = [] } = await new DynamoDBClient(moto.client).send(new ScanCommand({ TableName }));
  const records = items.filter(({ sk }) => sk?.S === "record");
  return records.map(({ eventType, status }) => `${eventType?.S} ${status?.S}`).sort();
}

/** The messages of each queue, those that are being consumed included. */
async function waitingMessages({ moto }: ReceiverSandbox): Promise<Record<string, number>> {
  const sqs = new SQSClient(moto.client);
  const { QueueUrls: urls = [] } = await sqs.send(new ListQueuesCommand());
  const names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"] as const;
  const counts = urls.map(async (QueueUrl) => {
    const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...names] });
    const { Attributes: counts = {} } = await sqs.send(command);
    return [queueOf(QueueUrl), names.reduce((sum, name) => sum + Number(counts[name]), 0)] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

test("ends all that it has started if it is stopped in the middle", { timeout }, async () => {
  const demo = spawn(process.execPath, [join(import.meta.dirname, "../../demo/main.ts"), "receiver"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const isOver = once(demo, "exit");
  let started: number[] = [];
  for await (const line of createInterface({ input: demo.stdout })) {
    if (!line.startsWith("2.")) continue;
    started = descendants(demo.pid);
    demo.kill("SIGTERM");
  }
  expect(await isOver).toEqual([143, null]);
  expect(started.length).toBeGreaterThan(4); // moto, the provider, and the runtime of three functions
  await expect.poll(() => started.filter(isRunning), { timeout: 30_000 }).toEqual([]);
});

function descendants(ancestor: number | undefined): number[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  const processes = lines.map((line) => line.trim().split(/\s+/).map(Number));
  const below = (parent: number | undefined): number[] =>
    processes.flatMap(([pid, of]) => (of === parent && pid !== undefined ? [pid, ...below(pid)] : []));
  return below(ancestor);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
