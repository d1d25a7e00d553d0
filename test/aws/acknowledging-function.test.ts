import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
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

  test("answers 503 while the queue is down", async () => {
    const nowhere = "http://127.0.0.1:9";
    await using cutOff = await startFunctionOf(stack, "acknowledge", { QUEUE_URL: nowhere, AWS_ENDPOINT_URL: nowhere });
    expect(await statusOf(urlEvent({ query, body: "{}" }), cutOff)).toBe(503);
    expect(cutOff.logged()).not.toContain(token);
  });

  test("answers 503 before AWS ends the invocation if the queue does not answer", async () => {
    await using silent = await silentQueue();
    await using waiting = await startFunctionOf(stack, "acknowledge", {
      QUEUE_URL: silent.url,
      AWS_ENDPOINT_URL: silent.url,
    });
    expect(await statusOf(urlEvent({ query, body: "{}" }), waiting)).toBe(503);
  });

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
