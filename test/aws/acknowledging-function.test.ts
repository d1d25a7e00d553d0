import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { bundleLambda } from "../../src/receiver/infrastructure/bundle-lambda.ts";
import { decodeMessage } from "../../src/receiver/message.ts";
import { pythonSetUpSeconds } from "../python/prepare-python.ts";
import { eventNames, payload } from "../receiver/fixtures.ts";
import { takeMessages } from "./messages.ts";
import { bringUpReceiver, formerToken, type ReceiverStack, token } from "./receiver-stack.ts";
import { bundleOf, startFunctionOf } from "./runtime/function-of-stack.ts";
import { runtimeSetUpSeconds } from "./runtime/prepare-runtime.ts";
import type { RunningFunction } from "./runtime/start-function.ts";
import { urlEvent } from "./runtime/url-event.ts";
import { silentQueue } from "./stub-queues.ts";

// The bundle that the stack was brought up with, run by AWS's own runtime on Node.js 22, with the environment that it has
// in the stack. Invocations are those that AWS makes of requests; what is kept waits in moto's queue.

let stack: ReceiverStack;

beforeAll(
  async () => {
    stack = await bringUpReceiver();
  },
  (pythonSetUpSeconds + runtimeSetUpSeconds) * 1000,
);
afterAll(() => stack?.[Symbol.asyncDispose]());

describe("the acknowledging function", () => {
  let acknowledge: RunningFunction;

  beforeAll(async () => {
    acknowledge = await startFunctionOf(stack, "acknowledge");
  }, runtimeSetUpSeconds * 1000);
  afterAll(() => acknowledge?.[Symbol.asyncDispose]());

  const query = `token=${token}`;

  it.each(eventNames)("keeps the event %s as it came", async (name) => {
    const body = JSON.stringify(payload(name));
    expect(await statusOf(urlEvent({ query, body }))).toBe(200);
    expect(await taken()).toEqual([body]);
  });

  it("takes both tokens of a rotation", async () => {
    expect(await statusOf(urlEvent({ query: `token=${formerToken}`, body: "{}" }))).toBe(200);
    expect(await taken()).toEqual(["{}"]);
  });

  it.each([
    ["none", ""],
    ["a wrong one", `token=${"0".repeat(64)}`],
    ["an empty one", "token="],
    ["a digest in place of one", `token=${"a".repeat(64)}`],
    ["one under another name", `Token=${token}`],
    ["one that is cut short", `token=${token.slice(1)}`],
    ["one that is far too long", `token=${"x".repeat(100_000)}`],
  ])("refuses a request with a bad token, and keeps nothing: %s", async (_, bad) => {
    expect(await statusOf(urlEvent({ query: bad, body: "{}" }))).toBe(403);
    expect(await taken()).toEqual([]);
  });

  it.each(["GET", "PUT", "DELETE", "OPTIONS"])("refuses what is no webhook: %s", async (method) => {
    expect(await statusOf(urlEvent({ query, method }))).toBe(405);
  });

  it.each([
    ["of no byte", urlEvent({ query })],
    ["that is no JSON", urlEvent({ query, body: "{not JSON" })],
    ["of an unknown type", urlEvent({ query, body: '{"event_type":"tenant_renamed","more":[1]}' })],
    ["of 900 KiB", urlEvent({ query, body: JSON.stringify({ text: "x".repeat(900 * 1024) }) })],
  ])("keeps a body %s", async (_, event) => {
    expect(await statusOf(event)).toBe(200);
    expect(await taken()).toEqual([event.body ?? ""]);
  });

  it("keeps a body that is no UTF-8 to the byte", async () => {
    const body = Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x7b]);
    expect(await statusOf(urlEvent({ query, body, contentType: "application/octet-stream" }))).toBe(200);
    expect(await takenBytes()).toEqual([body]);
  });

  it("refuses a body over 1 MiB, which no queue can keep, with 413", async () => {
    expect(await statusOf(urlEvent({ query, body: "x".repeat(1024 * 1024 + 1) }))).toBe(413);
    expect(await taken()).toEqual([]);
  });

  it("answers 503 while the queue is down", async () => {
    const nowhere = "http://127.0.0.1:9";
    await using cutOff = await startFunctionOf(stack, "acknowledge", { QUEUE_URL: nowhere, AWS_ENDPOINT_URL: nowhere });
    expect(await statusOf(urlEvent({ query, body: "{}" }), cutOff)).toBe(503);
    expect(cutOff.logged()).not.toContain(token);
  });

  it("answers 503 before AWS ends it, where the queue is silent", async () => {
    await using silent = await silentQueue();
    await using waiting = await startFunctionOf(stack, "acknowledge", {
      QUEUE_URL: silent.url,
      AWS_ENDPOINT_URL: silent.url,
    });
    expect(await statusOf(urlEvent({ query, body: "{}" }), waiting)).toBe(503);
  });

  it("does not start with an environment that is wrong", async () => {
    await using wrong = await startFunctionOf(stack, "acknowledge", { TOKEN_DIGESTS: "none" });
    expect(await wrong.invoke(urlEvent({ query, body: "{}" }))).toMatchObject({ errorType: expect.any(String) });
  });

  it("tells its log neither tokens nor bodies", async () => {
    await statusOf(urlEvent({ query, body: '{"event_type":"secret-of-the-body"}' }));
    await taken();
    expect(acknowledge.logged()).toContain("webhook kept");
    expect(acknowledge.logged()).toContain("webhook refused");
    for (const secret of [token, formerToken, "secret-of-the-body"]) expect(acknowledge.logged()).not.toContain(secret);
  });

  it("has the same bytes wherever its sources are, so that an up elsewhere has nothing to do", async () => {
    const { code } = await bundleLambda("acknowledge"); // from this repository; the stack has a copy of it
    expect((await readFile(bundleOf(stack, "acknowledge"))).equals(code)).toBe(true);
  });

  it("is a small bundle", () => {
    expect(statSync(bundleOf(stack, "acknowledge")).size).toBeLessThan(600_000);
  });

  async function statusOf(event: unknown, running = acknowledge): Promise<number> {
    return z.object({ statusCode: z.int() }).parse(await running.invoke(event)).statusCode;
  }

  async function takenBytes(): Promise<Uint8Array[]> {
    const messages = await takeMessages(stack.moto, stack.outputs.queueUrl);
    return messages.map(({ Body: body = "" }) => decodeMessage(body).body);
  }

  async function taken(): Promise<string[]> {
    return (await takenBytes()).map((body) => Buffer.from(body).toString("utf8"));
  }
});
