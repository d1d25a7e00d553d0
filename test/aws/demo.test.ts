import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DynamoDBClient, ScanCommand } from "@aws-sdk/client-dynamodb";
import { GetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { expect, test, vi } from "vitest";
import { openReceiverSandbox } from "../../demo/receiver/sandbox.ts";
import { receiverStory } from "../../demo/receiver/story.ts";
import { pythonSetUpSeconds } from "../python/prepare-python.ts";
import { runtimeSetUpSeconds } from "./runtime/prepare-runtime.ts";

const timeout = (pythonSetUpSeconds + runtimeSetUpSeconds) * 1000;

test("npm run demo -- receiver: a failed run arrives, a lost webhook is found, and a broken consumer loses nothing", {
  timeout,
}, async () => {
  const printed: string[] = [];
  using _ = vi.spyOn(console, "log").mockImplementation((text: unknown) => void printed.push(String(text)));
  await using box = await openReceiverSandbox();
  const { emulator } = box.platform;
  const statuses = () => emulator.deliveries().map(({ event, status }) => `${event} ${status}`);

  const steps: string[] = [];
  for await (const { step, receiver } of receiverStory(box)) {
    steps.push(step);
    const { ledgerName, queueUrl, deadLetterQueueUrl } = receiver.outputs;
    const recorded = async () => {
      const { Items: items = [] } = await new DynamoDBClient(box.moto.client).send(
        new ScanCommand({ TableName: ledgerName }),
      );
      const records = items.filter(({ sk }) => sk?.S === "record");
      return records.map(({ eventType, status }) => `${eventType?.S} ${status?.S}`).sort();
    };
    const waiting = async (QueueUrl: string) => {
      const names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"] as const;
      const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...names] });
      const { Attributes: counts = {} } = await new SQSClient(box.moto.client).send(command);
      return names.reduce((sum, name) => sum + Number(counts[name]), 0);
    };

    expect(await waiting(deadLetterQueueUrl), step).toBe(0);
    expect(await waiting(queueUrl), step).toBe(step === "consumer broken" ? 1 : 0);
    if (step === "up") expect(await recorded()).toEqual([]);
    if (step === "run failed") {
      expect(statuses()).toEqual(["run_failed 200"]);
      expect(await recorded()).toEqual(["run_failed published"]);
    }
    if (step === "queue down") {
      expect(statuses().at(-1)).toBe("tenant_created 503");
      expect(await recorded()).toEqual(["run_failed published"]);
    }
    const withCedar = ["new_tenant_created published", "run_failed published"];
    if (step === "reconciled") expect(await recorded()).toEqual(withCedar);
    if (step === "consumer broken") {
      expect(statuses().at(-1)).toBe("run_failed 200");
      expect(await recorded()).toEqual(withCedar);
    }
    if (step === "repaired") expect(await recorded()).toEqual([...withCedar, "run_failed published"]);
  }

  expect(steps).toEqual(["up", "run failed", "queue down", "reconciled", "consumer broken", "repaired"]);
  const text = printed.join("\n");
  expect(text).not.toContain(box.token);
  expect(text).not.toContain(emulator.apiKey);
});

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
