import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LedgerRecord } from "../../../src/receiver/ledger/ledger.ts";
import { decodeMessage, maxMessageBytes } from "../../../src/receiver/message.ts";
import { payload } from "../fixtures.ts";
import { olderToken, testFunction, token } from "./test-function.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** The characters that SQS accepts. */
const accepted = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
const base64 = (bytes: Uint8Array) => ({ body: Buffer.from(bytes).toString("base64"), isBase64Encoded: true });

describe("a webhook", () => {
  test("with the token is answered 200 and enqueued unchanged, with its source and time", async () => {
    const { send, queue } = testFunction();
    const body = JSON.stringify(payload("run_failed"), undefined, 3);
    expect(await send({ body })).toEqual({ statusCode: 200, body: "" });
    const webhook = decodeMessage(queue[0] ?? "");
    expect(queue).toHaveLength(1);
    expect(webhook).toMatchObject({ ingestId: expect.stringMatching(uuid), sourceIp: "192.0.2.7" });
    expect(new Date(webhook.receivedAt).toISOString()).toBe(webhook.receivedAt);
    expect(Buffer.from(webhook.body).toString()).toBe(body);
  });

  test.each([
    ["no body", undefined],
    ["an empty body", ""],
    ["text that is not JSON", "event_type=run_failed"],
    ["an unknown type", '{"event_type":"tenant_renamed"}'],
    ["broken JSON", '{"event_type":'],
    ["characters that SQS rejects", "\u0000\u0001\ufffe\uffff\u007f\u2028"],
    ["such characters in a long text", `${"text ".repeat(20)}\ufffe\uffff`],
  ])("with %s is enqueued too", async (_, body) => {
    const { send, queue } = testFunction();
    expect((await send(body === undefined ? {} : { body })).statusCode).toBe(200);
    expect(Buffer.from(decodeMessage(queue[0] ?? "").body).toString()).toBe(body ?? "");
    expect(queue[0]).toMatch(accepted);
  });

  test("that arrives twice gets two ingest ids, because the platform sends no id of its own", async () => {
    const { send, queue } = testFunction();
    await Promise.all([send({ body: "{}" }), send({ body: "{}" })]);
    expect(new Set(queue.map((message) => decodeMessage(message).ingestId)).size).toBe(2);
  });

  test("is enqueued by a queue that takes its time", async () => {
    const enqueue = () => new Promise<void>((resolve) => setTimeout(resolve, 50));
    expect((await testFunction({ enqueue }).send({})).statusCode).toBe(200);
  });

  test("with any bytes is enqueued unchanged, in characters that SQS accepts", async () => {
    const { send, queue } = testFunction();
    const text = fc.string({ unit: "binary", maxLength: 100 }).map((string) => Buffer.from(string));
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 100 }), text), async (bytes) => {
        expect((await send(base64(bytes))).statusCode).toBe(200);
        const message = queue.at(-1) ?? "";
        expect(Buffer.from(decodeMessage(message).body).equals(bytes)).toBe(true);
        expect(message).toMatch(accepted);
      }),
    );
  });
});

describe("a body", () => {
  test.each([
    ["text", (length: number) => "x".repeat(length), 1_047_000],
    ["characters of two bytes", (length: number) => "é".repeat(length / 2), 1_047_000],
    ["control characters", (length: number) => "\u0001".repeat(length), 785_000],
  ])("of %s is accepted up to the size of a message, and answered 413 beyond it", async (_, bodyOf, length) => {
    const { send, queue } = testFunction();
    expect((await send({ body: bodyOf(length) })).statusCode).toBe(200);
    expect(Buffer.byteLength(queue[0] ?? "")).toBeLessThanOrEqual(1_048_576);
    expect(decodeMessage(queue[0] ?? "").body.byteLength).toBe(length);
    expect(await send({ body: bodyOf(1_048_576) })).toEqual({ statusCode: 413, body: "" });
    expect(queue).toHaveLength(1);
  });

  test("that is not UTF-8 is accepted up to three quarters of that size", async () => {
    const { send, queue } = testFunction();
    expect((await send(base64(Buffer.alloc(785_000, 0xff)))).statusCode).toBe(200);
    expect((await send(base64(Buffer.alloc(786_400, 0xff)))).statusCode).toBe(413);
    expect((await send(base64(Buffer.alloc(maxMessageBytes + 1, 0xff)))).statusCode).toBe(413);
    expect(queue).toHaveLength(1);
  });
});

describe("the token", () => {
  test.each([
    ["the newer one", `token=${token}`],
    ["the older one, during a rotation", `token=${olderToken}`],
    ["one between other parameters", `a=1&token=${token}&b=2`],
    ["one before a wrong one", `token=${token}&token=wrong`],
    ["one after wrong ones", `token=wrong&token=&token=${token}`],
    ["one that is percent-encoded", `token=${token.replaceAll(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`],
  ])("is accepted: %s", async (_, rawQueryString) => {
    expect((await testFunction().send({ rawQueryString })).statusCode).toBe(200);
  });

  test.each([
    ["none", ""],
    ["an empty one", "token="],
    ["a name without a value", "token"],
    ["a wrong one", "token=wrong"],
    ["a prefix of one", `token=${token.slice(0, -1)}`],
    ["one with a suffix", `token=${token}x`],
    ["one in lower case", `token=${token.toLowerCase()}`],
    ["both in one parameter", `token=${token},${olderToken}`],
    ["a parameter with another name", `Token=${token}`],
    ["invalid percent-encoding", "token=%E0%A4%A&%"],
    ["a very long one", `token=${"a".repeat(1_000_000)}`],
    ["very many parameters", "token=a&".repeat(10_000)],
  ])("is rejected: %s", async (_, rawQueryString) => {
    const { send, queue } = testFunction();
    expect(await send({ rawQueryString, body: "{}" })).toEqual({ statusCode: 403, body: "" });
    expect(queue).toEqual([]);
  });

  test("is checked before the size of the body", async () => {
    const body = "x".repeat(2_000_000);
    expect((await testFunction().send({ rawQueryString: "", body })).statusCode).toBe(403);
  });

  test("is never logged, answered or enqueued", async () => {
    const broken = async () => Promise.reject(new Error("no queue"));
    const query = fc.oneof(
      fc.constant(`token=${token}`),
      fc.webQueryParameters().map((rest) => `token=${token}&${rest}`),
      fc.string().map((suffix) => `token=${token}${suffix}`),
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
        const { send, queue, logged } = testFunction({
          allowedSources: "0.0.0.0/1,8000::/1",
          ...(isBroken ? { enqueue: broken } : {}),
        });
        const answer = await send(sent);
        expect([200, 403, 405, 503]).toContain(answer.statusCode);
        expect(JSON.stringify([answer, queue, logged])).not.toContain(token);
        expect(logged).toHaveLength(1); // a short body is in one entry
      }),
      { numRuns: 500 },
    );
  });
});

describe("a source", () => {
  test("that is not allowed gets the same response as a wrong token", async () => {
    const { send, queue } = testFunction({ allowedSources: "198.51.100.0/24" });
    expect(await send({ sourceIp: "192.0.2.7" })).toEqual(await send({ sourceIp: "198.51.100.9", rawQueryString: "" }));
    expect(queue).toEqual([]);
    expect((await send({ sourceIp: "198.51.100.9" })).statusCode).toBe(200);
  });

  test("is the address of the connection, not the one in a header", async () => {
    const { send } = testFunction({ allowedSources: "198.51.100.9" });
    const request = { sourceIp: "192.0.2.7", headers: { "x-forwarded-for": "198.51.100.9" } };
    expect((await send(request)).statusCode).toBe(403);
  });
});

describe("the log", () => {
  test("has an entry for an enqueued webhook, with its ingest id, its source and the token that matched", async () => {
    const { send, queue, logged } = testFunction();
    await send({ body: "{}" });
    await send({ body: "{}", rawQueryString: `token=${olderToken}` });
    await send({ body: "{}", rawQueryString: `token=${olderToken}&token=${token}` });
    expect(logged).toMatchObject([
      { level: "info", token: "newest", sourceIp: "192.0.2.7", bytes: 2 },
      { level: "info", token: "older" },
      { level: "info", token: "newest" },
    ]);
    expect(logged.map(({ ingestId }) => ingestId)).toEqual(queue.map((message) => decodeMessage(message).ingestId));
  });

  test("counts webhooks with the older token as long as two tokens are valid", async () => {
    const { send, logged } = testFunction();
    await send({});
    await send({ rawQueryString: `token=${olderToken}` });
    expect(logged.map(({ metrics }) => metrics)).toEqual([
      { WebhooksEnqueued: 1, WebhooksWithOlderToken: 0 },
      { WebhooksEnqueued: 1, WebhooksWithOlderToken: 1 },
    ]);

    const after = testFunction({ tokens: [token] });
    await after.send({});
    expect(after.logged.map(({ metrics }) => metrics)).toEqual([{ WebhooksEnqueued: 1 }]);
  });

  test.each([
    ["its method", { method: "GET" }, 405],
    ["its source", { sourceIp: "198.51.100.9" }, 403],
    ["its size", { body: "x".repeat(1_048_576) }, 413],
  ])("counts a webhook that has a valid token and is rejected for %s as an error", async (_, request, statusCode) => {
    const { send, logged } = testFunction({ allowedSources: "192.0.2.0/24" });
    await send(request);
    expect(logged).toMatchObject([{ level: "error", message: "webhook rejected", statusCode, token: "newest" }]);
    expect(logged[0]?.metrics).toEqual({ RequestsRefused: 1, WebhooksRejected: 1 });
  });

  const event = '{"event_type":"run_failed","run_id":77}';
  test.each([
    ["no token", event, "", "POST", "192.0.2.7"],
    ["an empty token", event, "token=", "POST", "192.0.2.7"],
    ["a wrong token", event, "token=wrong", "POST", "192.0.2.7"],
    ["a source that is not allowed", event, "token=wrong", "POST", "203.0.113.9"],
    ["an unknown type", '{"event_type":"tenant_renamed"}', "", "POST", "192.0.2.7"],
  ])(
    "counts a refused request that looks like an event, whatever its token: %s",
    async (_, body, query, method, ip) => {
      const { send, logged } = testFunction({ allowedSources: "192.0.2.0/24" });
      await send({ method, rawQueryString: query, body, sourceIp: ip });
      expect(logged).toMatchObject([{ level: "warn", message: "webhook rejected", form: "event" }]);
      expect(logged[0]?.metrics).toEqual({ RequestsRefused: 1, RefusedEvents: 1 });
    },
  );

  test.each([
    ["no body", "", "token=wrong", "POST"],
    ["no JSON", "<xml/>", "", "POST"],
    ["no event_type", '{"type":"probe"}', "token=wrong", "POST"],
    ["no object", '["event_type"]', "", "POST"],
    ["another method", event, "token=wrong", "GET"],
  ])("counts no probe of a stranger as an event: %s", async (_, body, rawQueryString, method) => {
    const { send, logged } = testFunction();
    await send({ method, rawQueryString, body });
    expect(logged).toMatchObject([{ level: "warn", message: "webhook rejected", form: "other" }]);
    expect(logged[0]?.metrics).toEqual({ RequestsRefused: 1 });
  });
});

test.each(["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])(
  "%s is answered 405 with and without a token",
  async (method) => {
    const { send, queue } = testFunction();
    const rejection = { statusCode: 405, headers: { allow: "POST" }, body: "" };
    expect(await send({ method })).toEqual(rejection);
    expect(await send({ method, rawQueryString: "" })).toEqual(rejection);
    expect(queue).toEqual([]);
  },
);

describe("a queue", () => {
  const broken = async () => Promise.reject(new Error("cannot send", { cause: new Error("connection reset") }));

  test("that fails leads to a 200 if the ledger has stored the webhook, with the same ingest id and bytes", async () => {
    const stored: LedgerRecord[] = [];
    const putUnqueued = async (record: LedgerRecord) => void stored.push(record);
    const { send, logged } = testFunction({ enqueue: broken, putUnqueued });
    const body = JSON.stringify(payload("run_failed"));
    expect(await send({ body })).toEqual({ statusCode: 200, body: "" });
    expect(stored).toMatchObject([
      { eventType: "run_failed", kind: "known", reconciled: false, sourceIp: "192.0.2.7" },
    ]);
    expect(Buffer.from(stored[0]?.body ?? []).toString()).toBe(body);
    expect(logged).toMatchObject([
      {
        level: "warn",
        message: "webhook not queued",
        ingestId: stored[0]?.ingestId,
        error: { message: "cannot send", cause: { message: "connection reset" } },
        metrics: { WebhooksNotQueued: 1 },
      },
    ]);
    expect(JSON.stringify(logged)).not.toContain(body);
  });

  test.each([
    ["short text", Buffer.from("é confidential"), 1],
    ["nothing", Buffer.alloc(0), 1],
    ["a mebibyte that is not text", Buffer.alloc(780_000, 0xff), 6],
  ])("that fails, as the ledger does, leads to a 503 and the whole body in the log: %s", async (_, bytes, parts) => {
    const { send, logged } = testFunction({ enqueue: broken });
    expect(await send(base64(bytes))).toEqual({ statusCode: 503, body: "" });
    expect(logged).toHaveLength(parts);
    expect(Buffer.from(logged.map(({ body }) => body).join(""), "base64").equals(bytes)).toBe(true);
    for (const entry of logged) expect(JSON.stringify(entry).length).toBeLessThan(256_000);
    expect(logged.map(({ metrics }) => metrics)).toEqual([{ WebhooksNotStored: 1 }, ...Array(parts - 1)]);
    expect(logged[0]).toMatchObject({
      message: "webhook not stored",
      part: 0,
      parts,
      ledgerError: { message: "no ledger" },
    });
  });

  test("and a ledger that do not answer in time lead to a 503", async () => {
    const never = () => new Promise<void>(() => undefined);
    const { send, logged } = testFunction({ enqueue: never, putUnqueued: never, deadlineSeconds: 0.02 });
    expect((await send({})).statusCode).toBe(503);
    expect(logged).toMatchObject([
      { error: { message: expect.stringMatching("queue") }, ledgerError: { message: expect.stringMatching("ledger") } },
    ]);
  });

  test("that throws synchronously leads to a 503 too", async () => {
    const enqueue = () => {
      throw new TypeError("misconfigured");
    };
    expect((await testFunction({ enqueue }).send({})).statusCode).toBe(503);
  });

  test("that does not answer in time leads to a 503, and its signal is aborted", async () => {
    const signals: AbortSignal[] = [];
    const enqueue = (_: string, signal: AbortSignal) => {
      signals.push(signal);
      return new Promise<void>(() => undefined);
    };
    expect((await testFunction({ enqueue, deadlineSeconds: 0.02 }).send({})).statusCode).toBe(503);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test("that fails after the deadline causes no unhandled rejection", async () => {
    const late = Promise.withResolvers<void>();
    expect((await testFunction({ enqueue: () => late.promise, deadlineSeconds: 0.02 }).send({})).statusCode).toBe(503);
    late.reject(new Error("too late"));
    await expect(late.promise).rejects.toThrow("too late");
  });

  test("must store the message before the response is sent", async () => {
    const stored = Promise.withResolvers<void>();
    let isAnswered = false;
    const answer = testFunction({ enqueue: () => stored.promise })
      .send({})
      .finally(() => {
        isAnswered = true;
      });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isAnswered).toBe(false);
    stored.resolve();
    expect((await answer).statusCode).toBe(200);
  });
});
