import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DynamoDBClient, ScanCommand } from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { runCommand } from "../../engine/run-command.ts";
import { bundleLambda } from "../../src/receiver/infrastructure/bundle-lambda.ts";
import { decodeMessage } from "../../src/receiver/message.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { pythonSetUpSeconds } from "../python/prepare-python.ts";
import { eventNames, payload } from "../receiver/fixtures.ts";
import { silentQueue, takeMessages } from "./queues.ts";
import { deployReceiver, formerToken, type ReceiverStack, token } from "./receiver-stack.ts";
import { bundleOf, startFunctionOf } from "./runtime/function-of-stack.ts";
import { runtimeSetUpSeconds } from "./runtime/prepare-runtime.ts";
import type { RunningFunction } from "./runtime/start-function.ts";
import { urlEvent } from "./runtime/url-event.ts";
import { subscribeToBus } from "./subscribe-to-bus.ts";

// AWS's runtime on Node.js 24 runs the bundle that the stack was deployed with, in the environment that the stack gives it.
// The invocations have the format of AWS's, and the function enqueues in moto's queue.

let stack: ReceiverStack;

beforeAll(
  () =>
    endAfterTests(async (open) => {
      stack = open.use(await deployReceiver());
    }),
  (pythonSetUpSeconds + runtimeSetUpSeconds) * 1000,
);

describe("the acknowledging function", () => {
  let acknowledge: RunningFunction;

  beforeAll(
    () =>
      endAfterTests(async (open) => {
        acknowledge = open.use(await startFunctionOf(stack, "acknowledge"));
      }),
    runtimeSetUpSeconds * 1000,
  );

  const query = `token=${token}`;

  test.each(eventNames)("enqueues the event %s unchanged", async (name) => {
    const body = JSON.stringify(payload(name));
    expect(await statusOf(urlEvent({ query, body }))).toBe(200);
    expect(await queuedBodies()).toEqual([body]);
  });

  test("accepts both tokens of a rotation", async () => {
    expect(await statusOf(urlEvent({ query: `token=${formerToken}`, body: "{}" }))).toBe(200);
    expect(await queuedBodies()).toEqual(["{}"]);
  });

  test.each([
    ["none", ""],
    ["a wrong one", `token=${"0".repeat(64)}`],
    ["an empty one", "token="],
    ["a digest instead of a token", `token=${"a".repeat(64)}`],
    ["one in another parameter", `Token=${token}`],
    ["one that is truncated", `token=${token.slice(1)}`],
    ["one that is too long", `token=${"x".repeat(100_000)}`],
  ])("rejects a request without a valid token: %s", async (_, invalidQuery) => {
    expect(await statusOf(urlEvent({ query: invalidQuery, body: "{}" }))).toBe(403);
    expect(await queuedBodies()).toEqual([]);
  });

  test.each(["GET", "PUT", "DELETE", "OPTIONS"])("rejects another method than POST: %s", async (method) => {
    expect(await statusOf(urlEvent({ query, method }))).toBe(405);
  });

  test.each([
    ["that is empty", urlEvent({ query })],
    ["that is not JSON", urlEvent({ query, body: "{not JSON" })],
    ["of an unknown type", urlEvent({ query, body: '{"event_type":"tenant_renamed","more":[1]}' })],
    ["of 900 KiB", urlEvent({ query, body: JSON.stringify({ text: "x".repeat(900 * 1024) }) })],
  ])("enqueues a body %s", async (_, event) => {
    expect(await statusOf(event)).toBe(200);
    expect(await queuedBodies()).toEqual([event.body ?? ""]);
  });

  test("enqueues a body that is not UTF-8 unchanged", async () => {
    const body = Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x7b]);
    expect(await statusOf(urlEvent({ query, body, contentType: "application/octet-stream" }))).toBe(200);
    expect(await queuedBytes()).toEqual([body]);
  });

  test("rejects a body over 1 MiB, the limit of SQS, with 413", async () => {
    expect(await statusOf(urlEvent({ query, body: "x".repeat(1024 * 1024 + 1) }))).toBe(413);
    expect(await queuedBodies()).toEqual([]);
  });

  const nowhere = "http://127.0.0.1:9";
  const event = JSON.stringify(payload("run_failed"));

  test("stores a webhook in the ledger while the queue is down, answers 200, and the consumer delivers it once", async () => {
    await using cutOff = await startFunctionOf(stack, "acknowledge", {
      QUEUE_URL: nowhere,
      AWS_ENDPOINT_URL_SQS: nowhere,
    });
    expect(await statusOf(urlEvent({ query, body: event }), cutOff)).toBe(200);
    expect(await queuedBodies()).toEqual([]);
    expect(cutOff.logged()).toContain('"WebhooksNotQueued":1');
    expect(await records()).toMatchObject([{ status: { S: "received" }, day: { S: "unqueued" }, body: { S: event } }]);

    await using consume = await startFunctionOf(stack, "consume");
    const eventsOnBus = await subscribeToBus(stack);
    for (const _ of [1, 2]) expect(await consume.invoke({ source: "aws.events" })).toEqual({ batchItemFailures: [] });
    expect(await eventsOnBus()).toMatchObject([{ "detail-type": "run_failed" }]);
    expect(await records()).toMatchObject([{ status: { S: "published" }, day: { S: expect.stringMatching(/^\d/) } }]);
  });

  test("stores a webhook in the ledger before AWS ends the invocation if the queue does not answer", async () => {
    await using silent = await silentQueue();
    await using waiting = await startFunctionOf(stack, "acknowledge", {
      QUEUE_URL: silent.url,
      AWS_ENDPOINT_URL_SQS: silent.url,
    });
    expect(await statusOf(urlEvent({ query, body: "{}" }), waiting)).toBe(200);
    expect(await records()).toHaveLength(2);
  });

  test("that is killed between the queue and the ledger has not answered, and stored nothing", async () => {
    await using silent = await silentQueue();
    const killed = await startFunctionOf(stack, "acknowledge", {
      QUEUE_URL: silent.url,
      AWS_ENDPOINT_URL_SQS: silent.url,
    });
    const answer = statusOf(urlEvent({ query, body: "{}" }), killed).then(
      (status) => status,
      () => "none",
    );
    await sleep(1_500);
    await killed[Symbol.asyncDispose]();
    expect(await answer).toBe("none");
    expect(await records()).toHaveLength(2);
  });

  test("queues a webhook although the ledger is down", async () => {
    await using cutOff = await startFunctionOf(stack, "acknowledge", { AWS_ENDPOINT_URL_DYNAMODB: nowhere });
    expect(await statusOf(urlEvent({ query, body: "{}" }), cutOff)).toBe(200);
    expect(await queuedBodies()).toEqual(["{}"]);
  });

  test("answers 503 while both are down, and logs the whole event, from which the runbook's command sends it again", async () => {
    await using cutOff = await startFunctionOf(stack, "acknowledge", { QUEUE_URL: nowhere, AWS_ENDPOINT_URL: nowhere });
    const long = JSON.stringify(payload("run_failed", { text: "é".repeat(200_000) }));
    for (const body of [event, long]) expect(await statusOf(urlEvent({ query, body }), cutOff)).toBe(503);
    expect(cutOff.logged()).not.toContain(token);
    // the runtime's emulator writes its own lines at the same time, also into the middle of a long one
    const logged = () => cutOff.logged().replaceAll(/(?:START|END|REPORT) RequestId: .*\n/g, "");
    const entries = () => logged().match(/^.*"webhook not stored".*(?=\n)/gm) ?? [];
    await expect.poll(() => entries().length).toBe(4); // of which three are for the long one
    const events = entries().map((message) => ({ message }));
    expect(await replayed({ events })).toEqual([event, long]);
  });

  /** What the command of the runbook sends to the URL, in the order of their ingest ids. */
  async function replayed(logEvents: object): Promise<string[]> {
    const runbook = readFileSync(join(import.meta.dirname, "../../docs/guides/receiver-runbook.md"), "utf8");
    const command = /^jq -r '\[\.events.*?done$/ms.exec(runbook)?.[0] ?? "exit 1";
    const folder = await mkdtemp(join(tmpdir(), "replay-"));
    await writeFile(join(folder, "not-stored.json"), JSON.stringify(logEvents));
    const bodies: string[] = [];
    const server = createServer(async (request, response) => {
      bodies.push(Buffer.concat(await request.toArray()).toString());
      response.end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/?token=${token}`;
    const { code } = await runCommand("bash", ["-ec", command], {
      cwd: folder,
      env: { ...process.env, URL: url },
      timeLimitSeconds: 30,
    });
    server.close();
    await rm(folder, { recursive: true });
    expect(code).toBe(0);
    return bodies.sort((one, other) => one.length - other.length);
  }

  async function records() {
    const command = new ScanCommand({ TableName: stack.outputs.ledgerName });
    const { Items: items = [] } = await new DynamoDBClient(stack.moto.client).send(command);
    return items.filter(({ sk }) => sk?.S === "record");
  }

  test("does not start with an invalid environment", async () => {
    await using wrong = await startFunctionOf(stack, "acknowledge", { TOKEN_DIGESTS: "none" });
    expect(await wrong.invoke(urlEvent({ query, body: "{}" }))).toMatchObject({ errorType: expect.any(String) });
  });

  test("logs neither tokens nor bodies", async () => {
    await statusOf(urlEvent({ query, body: '{"event_type":"secret-of-the-body"}' }));
    await queuedBodies();
    expect(acknowledge.logged()).toContain("webhook enqueued");
    expect(acknowledge.logged()).toContain("webhook rejected");
    for (const secret of [token, formerToken, "secret-of-the-body"]) expect(acknowledge.logged()).not.toContain(secret);
  });

  test("has the same bytes for sources in another directory, so that an up from there changes nothing", async () => {
    const { code } = await bundleLambda("acknowledge"); // from this repository, while the stack uses a copy of it
    expect((await readFile(bundleOf(stack, "acknowledge"))).equals(code)).toBe(true);
  });

  test("has a bundle of less than 600 kB", () => {
    expect(statSync(bundleOf(stack, "acknowledge")).size).toBeLessThan(600_000);
  });

  async function statusOf(event: unknown, running = acknowledge): Promise<number> {
    return z.object({ statusCode: z.int() }).parse(await running.invoke(event)).statusCode;
  }

  async function queuedBytes(): Promise<Uint8Array[]> {
    const messages = await takeMessages(stack.moto, stack.outputs.queueUrl);
    return messages.map(({ Body: body = "" }) => decodeMessage(body).body);
  }

  async function queuedBodies(): Promise<string[]> {
    return (await queuedBytes()).map((body) => Buffer.from(body).toString("utf8"));
  }
});
