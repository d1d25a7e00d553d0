import assert from "node:assert/strict";
import fc from "fast-check";
import { acknowledge } from "../../src/receiver/acknowledge/acknowledge.ts";
import { allowedSourcesSchema } from "../../src/receiver/acknowledge/allowed-sources.ts";
import type { FunctionUrlRequest, RestApiRequest } from "../../src/receiver/acknowledge/request.ts";
import { consume } from "../../src/receiver/consume/consume.ts";
import type { BusEvent } from "../../src/receiver/delivery/bus-event.ts";
import { deliverySchema, eventHandlers } from "../../src/receiver/events/index.ts";
import { openDatabase, sqliteLedger } from "../../src/receiver/local/sqlite-ledger.ts";
import { eventNames, payload } from "../receiver/fixtures.ts";
import { sha256 } from "../receiver/sha256.ts";
import { anyJson, mutated } from "./mutations.ts";
import { fuzzProperty, type Subject } from "./property.ts";

const token = "a-token-of-the-fuzzer";

/** Whatever comes to the receiver's URL is refused, or kept, consumed and handled. */
export const webhooks = fuzzProperty("webhooks", 800, async () => {
  const database = openDatabase(undefined);
  const published: BusEvent[] = [];
  const consumePorts = {
    ledger: sqliteLedger(database),
    bus: { publish: async (event: BusEvent) => void published.push(event) },
    log: () => {},
  };
  const kept: string[] = [];
  const ports = {
    enqueue: async (message: string) => void kept.push(message),
    putUnqueued: () => Promise.reject(new Error("the queue works")),
    tokenDigests: [Buffer.from(sha256(token), "hex")],
    isAllowedSource: allowedSourcesSchema.parse("192.0.2.0/24, 2001:db8::/32"),
    log: () => {},
  };
  const handle = eventHandlers({
    onTenantCreated: (event) => assert.equal(typeof event.tenant_id, "number"),
    onRunFailed: (event) => assert.equal(typeof event.run_id, "number"),
    onOther: () => {},
  });

  return {
    inputs: fc.record({ request, message: fc.option(messages, { nil: undefined }) }),
    check: async ({ request, message }) => {
      kept.length = 0;
      published.length = 0;
      const { statusCode } = await acknowledge(request, ports);
      assert.ok([200, 403, 405, 413].includes(statusCode), `status ${statusCode}`);
      assert.equal(kept.length, statusCode === 200 ? 1 : 0);
      for (const body of kept) {
        const outcome = await consume({ Records: [{ messageId: "m", body }] }, consumePorts);
        assert.deepEqual(outcome, { batchItemFailures: [] });

        assert.equal(published.length, 1);
      }
      for (const { detail } of published) {
        deliverySchema.parse(JSON.parse(JSON.stringify(detail)));
        await handle({ detail });
      }
      // What no function of ours has put into the queue comes again, and stops nothing.
      if (message === undefined) return;
      const { batchItemFailures } = await consume({ Records: [{ messageId: "n", body: message }, ours] }, consumePorts);
      assert.ok(batchItemFailures.every(({ itemIdentifier }) => itemIdentifier === "n"));
    },
    [Symbol.asyncDispose]: async () => database.close(),
  } satisfies Subject<{ request: FunctionUrlRequest | RestApiRequest; message: string | undefined }>;
});

const sizes = fc.constantFrom(0, 1, 60, 10_000, 300_000);
const bodies: fc.Arbitrary<Buffer> = fc.oneof(
  fc
    .constantFrom(...eventNames.map((name) => JSON.parse(JSON.stringify(payload(name)))))
    .chain((event) => fc.oneof(fc.constant(event), mutated(event), mutated(event)))
    .map((event) => Buffer.from(JSON.stringify(event))),
  anyJson.map((value) => Buffer.from(JSON.stringify(value))),
  anyJson.map((value) => Buffer.from(JSON.stringify({ ...payload("new_tenant_created"), more: value }))),
  sizes.map((size) => Buffer.from(`{"event_type":"run_failed","a":${"[".repeat(size)}${"]".repeat(size)}}`)),
  sizes.map((size) => Buffer.from(JSON.stringify({ event_type: "\u0000".repeat(size) }))),
  sizes.map((size) =>
    Buffer.from(JSON.stringify({ ...payload("tenant_archived"), account_name: "\ufffe".repeat(size) })),
  ),
  fc.constantFrom(1_047_000, 1_048_576, 2_000_000).map((size) => Buffer.alloc(size, "x")),
  fc.string({ unit: "binary" }).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
);

const queries = fc.oneof(
  { weight: 8, arbitrary: fc.constant(`token=${token}`) },
  fc.string({ unit: "binary" }),
  fc.string({ unit: "binary" }).map((text) => `token=${text}&token=${token}`),
  fc.constantFrom("", "token", "token=%", "token=%zz", `token[]=${token}`, `TOKEN=${token}`, "&".repeat(10_000)),
  fc.constant("token=x&".repeat(1000)),
);

const request: fc.Arbitrary<FunctionUrlRequest | RestApiRequest> = fc
  .record({
    query: queries,
    method: fc.oneof({ weight: 8, arbitrary: fc.constant("POST") }, fc.constantFrom("GET", "post", "", "__proto__")),
    ip: fc.oneof({ weight: 8, arbitrary: fc.constant("192.0.2.7") }, fc.ipV6(), fc.ipV4(), fc.string()),
    body: bodies,
    isBase64Encoded: fc.boolean(),
    isRestApi: fc.boolean(),
    hasBody: fc.integer({ min: 0, max: 20 }).map((dice) => dice > 0),
  })
  .map(({ query, method, ip, isBase64Encoded, isRestApi, hasBody, ...sent }) => {
    const body = hasBody ? sent.body.toString(isBase64Encoded ? "base64" : "utf8") : undefined;
    if (!isRestApi) {
      return { rawQueryString: query, requestContext: { http: { method, sourceIp: ip } }, body, isBase64Encoded };
    }
    const token = new URLSearchParams(query).getAll("token");
    return {
      httpMethod: method,
      requestContext: { identity: { sourceIp: ip } },
      multiValueQueryStringParameters: query === "" ? null : token.length > 0 ? { token } : {},
      body: body ?? null,
      isBase64Encoded,
    };
  });

const goodMessage = {
  version: 1,
  ingestId: "i",
  receivedAt: "2026-03-04T05:06:07Z",
  sourceIp: "192.0.2.7",
  encoding: "base64",
  body: "e30=",
};
const ours = { messageId: "ours", body: JSON.stringify(goodMessage) };
const messages = fc.oneof(
  mutated(goodMessage).map((value) => JSON.stringify(value)),
  fc.string({ unit: "binary" }),
  anyJson.map((value) => JSON.stringify(value)),
);
