import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeMessage, maxMessageBytes } from "../../../src/receiver/message.ts";
import { payload } from "../fixtures.ts";
import { olderToken, stage, token } from "./staged-acknowledge.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** The characters that SQS takes. */
const taken = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
const base64 = (bytes: Uint8Array) => ({ body: Buffer.from(bytes).toString("base64"), isBase64Encoded: true });

describe("a webhook", () => {
  test("with the token is answered 200 once the queue has it, as it came, with where and when it came from", async () => {
    const { send, kept } = stage();
    const body = JSON.stringify(payload("run_failed"), undefined, 3);
    expect(await send({ body })).toEqual({ statusCode: 200, body: "" });
    const webhook = decodeMessage(kept[0] ?? "");
    expect(kept).toHaveLength(1);
    expect(webhook).toMatchObject({ ingestId: expect.stringMatching(uuid), sourceIp: "192.0.2.7" });
    expect(new Date(webhook.receivedAt).toISOString()).toBe(webhook.receivedAt);
    expect(Buffer.from(webhook.body).toString()).toBe(body);
  });

  test.each([
    ["nothing at all", undefined],
    ["no bytes", ""],
    ["no JSON", "event_type=run_failed"],
    ["an unknown type", '{"event_type":"tenant_renamed"}'],
    ["broken JSON", '{"event_type":'],
    ["characters that a queue refuses", "\u0000\u0001\ufffe\uffff\u007f\u2028"],
    ["such characters among much text", `${"text ".repeat(20)}\ufffe\uffff`],
  ])("that holds %s is kept all the same", async (_, body) => {
    const { send, kept } = stage();
    expect((await send(body === undefined ? {} : { body })).statusCode).toBe(200);
    expect(Buffer.from(decodeMessage(kept[0] ?? "").body).toString()).toBe(body ?? "");
    expect(kept[0]).toMatch(taken);
  });

  test("that came twice is two webhooks: the platform's own word for a duplicate is not known", async () => {
    const { send, kept } = stage();
    await Promise.all([send({ body: "{}" }), send({ body: "{}" })]);
    expect(new Set(kept.map((message) => decodeMessage(message).ingestId)).size).toBe(2);
  });

  test("is kept byte by byte whatever the bytes, in characters that the queue takes", async () => {
    const { send, kept } = stage();
    const text = fc.string({ unit: "binary", maxLength: 100 }).map((string) => Buffer.from(string));
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 100 }), text), async (bytes) => {
        expect((await send(base64(bytes))).statusCode).toBe(200);
        const message = kept.at(-1) ?? "";
        expect(Buffer.from(decodeMessage(message).body).equals(bytes)).toBe(true);
        expect(message).toMatch(taken);
      }),
    );
  });
});

describe("the size", () => {
  test.each([
    ["text", (length: number) => "x".repeat(length), 1_047_000],
    ["text in two bytes a character", (length: number) => "é".repeat(length / 2), 1_047_000],
    ["control characters", (length: number) => "\u0001".repeat(length), 785_000],
  ])("of %s may reach what the queue takes, and beyond it is answered 413", async (_, text, length) => {
    const { send, kept } = stage();
    expect((await send({ body: text(length) })).statusCode).toBe(200);
    expect(Buffer.byteLength(kept[0] ?? "")).toBeLessThanOrEqual(1_048_576);
    expect(decodeMessage(kept[0] ?? "").body.byteLength).toBe(length);
    expect(await send({ body: text(1_048_576) })).toEqual({ statusCode: 413, body: "" });
    expect(kept).toHaveLength(1);
  });

  test("of bytes that are no text may reach three quarters of it", async () => {
    const { send, kept } = stage();
    expect((await send(base64(Buffer.alloc(785_000, 0xff)))).statusCode).toBe(200);
    expect((await send(base64(Buffer.alloc(786_400, 0xff)))).statusCode).toBe(413);
    expect((await send(base64(Buffer.alloc(maxMessageBytes + 1, 0xff)))).statusCode).toBe(413);
    expect(kept).toHaveLength(1);
  });
});

describe("the token", () => {
  test.each([
    ["the newer", `token=${token}`],
    ["the older, during a rotation", `token=${olderToken}`],
    ["one among other parameters", `a=1&token=${token}&b=2`],
    ["one among wrong ones, the first", `token=${token}&token=wrong`],
    ["one among wrong ones, the last", `token=wrong&token=&token=${token}`],
    ["one in percent signs", `token=${token.replaceAll(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`],
  ])("lets in: %s", async (_, rawQueryString) => {
    expect((await stage().send({ rawQueryString })).statusCode).toBe(200);
  });

  test.each([
    ["none", ""],
    ["an empty one", "token="],
    ["a name without a value", "token"],
    ["a wrong one", "token=wrong"],
    ["a part of one", `token=${token.slice(0, -1)}`],
    ["one and more", `token=${token}x`],
    ["another case", `token=${token.toLowerCase()}`],
    ["both as one", `token=${token},${olderToken}`],
    ["another name", `Token=${token}`],
    ["a broken percent sign", "token=%E0%A4%A&%"],
    ["a very long one", `token=${"a".repeat(1_000_000)}`],
    ["very many", "token=a&".repeat(10_000)],
  ])("keeps out: %s", async (_, rawQueryString) => {
    const { send, kept } = stage();
    expect(await send({ rawQueryString, body: "{}" })).toEqual({ statusCode: 403, body: "" });
    expect(kept).toEqual([]);
  });

  test("is needed before anything else is told of a body", async () => {
    const body = "x".repeat(2_000_000);
    expect((await stage().send({ rawQueryString: "", body })).statusCode).toBe(403);
  });

  test("is in no log, no answer and no message, whatever the request and however it ends", async () => {
    const broken = async () => Promise.reject(new Error("no queue"));
    const query = fc.oneof(
      fc.constant(`token=${token}`),
      fc.webQueryParameters().map((rest) => `token=${token}&${rest}`),
      fc.string().map((text) => `token=${token}${text}`),
      fc.string({ unit: "binary" }),
    );
    const request = fc.record({
      rawQueryString: query,
      method: fc.constantFrom("POST", "POST", "POST", "GET", "HEAD", "", "X"),
      sourceIp: fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()),
      body: fc.string(),
      isBase64Encoded: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(request, fc.boolean(), async (sent, isBroken) => {
        const { send, kept, logged } = stage({
          allowedSources: "0.0.0.0/1,8000::/1",
          ...(isBroken ? { keep: broken } : {}),
        });
        const answer = await send(sent);
        expect([200, 403, 405, 503]).toContain(answer.statusCode);
        expect(JSON.stringify([answer, kept, logged])).not.toContain(token);
        expect(logged).toHaveLength(1);
      }),
      { numRuns: 500 },
    );
  });
});

describe("the source", () => {
  test("that is not on the list gets the same answer as a wrong token", async () => {
    const { send, kept } = stage({ allowedSources: "198.51.100.0/24" });
    expect(await send({ sourceIp: "192.0.2.7" })).toEqual(await send({ sourceIp: "198.51.100.9", rawQueryString: "" }));
    expect(kept).toEqual([]);
    expect((await send({ sourceIp: "198.51.100.9" })).statusCode).toBe(200);
  });

  test("is the connection's, whatever a header says", async () => {
    const { send } = stage({ allowedSources: "198.51.100.9" });
    const request = { sourceIp: "192.0.2.7", headers: { "x-forwarded-for": "198.51.100.9" } };
    expect((await send(request)).statusCode).toBe(403);
  });
});

test.each(["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])(
  "%s is answered 405 with and without a token, and tells nothing",
  async (method) => {
    const { send, kept } = stage();
    const refusal = { statusCode: 405, headers: { allow: "POST" }, body: "" };
    expect(await send({ method })).toEqual(refusal);
    expect(await send({ method, rawQueryString: "" })).toEqual(refusal);
    expect(kept).toEqual([]);
  },
);

describe("a queue", () => {
  test("that fails is a 503, and an error in the log without the body", async () => {
    const { send, logged } = stage({ keep: async () => Promise.reject(new Error("queue is down")) });
    expect(await send({ body: "confidential" })).toEqual({ statusCode: 503, body: "" });
    expect(logged).toMatchObject([{ level: "error", error: { name: "Error", message: "queue is down" } }]);
    expect(JSON.stringify(logged)).not.toContain("confidential");
  });

  test("that throws at once is a 503 too", async () => {
    const keep = () => {
      throw new TypeError("misconfigured");
    };
    expect((await stage({ keep }).send({})).statusCode).toBe(503);
  });

  test("that does not answer in time is a 503, and is told to give up", async () => {
    const signals: AbortSignal[] = [];
    const keep = (_: string, signal: AbortSignal) => {
      signals.push(signal);
      return new Promise<void>(() => undefined);
    };
    expect((await stage({ keep, deadlineSeconds: 0.02 }).send({})).statusCode).toBe(503);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test("that fails after its time leaves no trace", async () => {
    const late = Promise.withResolvers<void>();
    expect((await stage({ keep: () => late.promise, deadlineSeconds: 0.02 }).send({})).statusCode).toBe(503);
    late.reject(new Error("too late"));
    await expect(late.promise).rejects.toThrow("too late");
  });

  test("is waited for: no 200 before it has the message", async () => {
    const has = Promise.withResolvers<void>();
    let isAnswered = false;
    const answer = stage({ keep: () => has.promise })
      .send({})
      .finally(() => {
        isAnswered = true;
      });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isAnswered).toBe(false);
    has.resolve();
    expect((await answer).statusCode).toBe(200);
  });
});
