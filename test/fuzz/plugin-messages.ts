import assert from "node:assert/strict";
import { createServer } from "node:http";
import { create, toBinary } from "@bufbuild/protobuf";
import type { sendUnaryData } from "@grpc/grpc-js";
import fc from "fast-check";
import type { JsonObject, JsonValue } from "../../src/json/json-value.ts";
import { createService } from "../../src/plugin/service.ts";
import { ConfigureRequestSchema, ProviderHandshakeRequestSchema } from "../../src/plugin/wire/protocol_pb.ts";
import { fieldsTag, itemsTag, keyTag, listTag, valueTag, writeStruct } from "../../src/plugin/wire/struct.ts";
import { secretKey, secretSignature } from "../../src/provider/secret-marks.ts";
import { unknownSentinel } from "../../src/provider/unknown-sentinels.ts";
import { resourceTypes, typeToken } from "../../src/resources/pulumi/type-token.ts";
import { listen } from "../listen.ts";
import { anyJson, mutated } from "./mutations.ts";
import { methods, type Parts } from "./plugin-methods.ts";
import { fuzzProperty, type Subject } from "./property.ts";

/** Whatever the engine sends to the plugin: a response of the protocol, or an error with a message. */
export const pluginMessages = fuzzProperty("messages to the plugin", 400, async () => {
  const platform = createServer((_, response) => {
    response.writeHead(401, { "content-type": "application/json", connection: "close" });
    response.end('{"message":"Unauthorized"}');
  });
  const url = await listen(platform);
  const served = Object.keys(openService().implementation).sort();
  assert.deepEqual(served, Object.keys(methods).sort(), "a method is left out");
  await (await configuredService(url)).call("Check", new Uint8Array()); // loads the lifecycles, which takes long

  return {
    inputs: fc.constantFrom(...Object.keys(methods)).chain((name) => fc.tuple(fc.constant(name), messagesTo(name))),
    check: async ([name, bytes]) => {
      const answer = await (await configuredService(url)).call(name, bytes);
      if (answer instanceof Error) expectMessage(answer);
      else methods[name]?.readResponse(answer);
      // A promise that is rejected later would end the process.
      await new Promise((resolve) => setImmediate(resolve));
    },
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => platform.close(() => resolve())),
  } satisfies Subject<[string, Uint8Array]>;
});

/** An error in words, and not that of a fault in the program. */
function expectMessage({ message }: Error): void {
  assert.ok(message.length > 0 && message.length < 20_000, "a message without measure");
  assert.doesNotMatch(message, /Cannot read properties|is not a function|is not iterable|Maximum call stack/);
}

const log = {
  send: () => {},
  sent: async () => {},
  forResource: <T>(_urn: string, work: () => Promise<T>) => work(),
};

/** A plugin whose methods are called as gRPC calls them: bytes in, and once bytes or an error out. */
function openService() {
  const { implementation } = createService(log, { version: "1.2.3", engineAddress: "", schema: () => "{}" });
  const call = (name: string, bytes: Uint8Array) =>
    new Promise<Buffer | Error>((resolve, reject) => {
      let isAnswered = false;
      const respond: sendUnaryData<Buffer> = (error, answer) => {
        if (isAnswered) reject(new Error("a second answer"));
        isAnswered = true;
        if (error instanceof Error) resolve(error);
        else if (answer) resolve(answer);
        else reject(new Error("neither an answer nor an error"));
      };
      const handling: unknown = Reflect.apply(Object(implementation[name]), undefined, [
        { request: Buffer.from(bytes) },
        respond,
      ]);
      Promise.resolve(handling).catch(reject);
    });
  return { implementation, call };
}

async function configuredService(url: string) {
  const service = openService();
  await service.call("Handshake", currentEngine);
  await service.call("Configure", configOf(url));
  return service;
}

const currentEngine = toBinary(
  ProviderHandshakeRequestSchema,
  create(ProviderHandshakeRequestSchema, { configureWithUrn: true, supportsRefreshBeforeUpdate: true }),
);

function configOf(baseUrl: string): Uint8Array {
  const request = { name: "eu", args: writeStruct({ baseUrl, apiKey: "k3y" }) };
  return toBinary(ConfigureRequestSchema, create(ConfigureRequestSchema, request));
}

const secret: JsonObject = { [secretKey]: secretSignature, value: "s3cret" };
const tenant: JsonObject = {
  integration: "crm-to-billing",
  name: "acme",
  paused: false,
  schedule: "0 */6 * * *",
  release: { tag: "v1.0.0" },
  configs: { region: "eu", token: secret, list: [1, { b: secret }], url: unknownSentinel },
  metadata: { plan: "gold" },
  override: { paused: true, reason: "INC-42" },
};
const observed: JsonObject = { tenantId: 5001, integrationId: 101, paused: true };
const waves: JsonValue = [{ name: "canary", tenants: ["acme"] }, { percent: 100 }];

/** Inputs and states as the engine sends them, of each kind of resource and of the provider. */
const properties: readonly JsonObject[] = [
  tenant,
  { ...tenant, ...observed },
  { tenantId: 5001, metadata: { plan: "gold", contact: secret } },
  { integrationId: 101, tag: "v2", branch: "main", releaseId: 902 },
  { tenantId: 5001, mode: "normal", triggers: { a: "1" }, payload: { full: true }, triggerId: "t" },
  { integration: 101, name: "all", tenants: { acme: tenant, globex: {} }, rollout: { release: { id: 902 } } },
  { integrationId: 101, name: "all", tenants: { acme: { ...tenant, ...observed } }, tenantIds: { acme: 5001 } },
  { fleetName: "all", integrationId: 101, waves, gate: { minTenants: 0 }, plan: unknownSentinel },
  {
    baseUrl: "https://platform.example.com",
    apiKey: secret,
    connectedStatuses: '["ok"]',
    failedStatuses: '["bad"]',
    resolvers: "{}",
  },
];

const structs: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...properties).map((value) => writeStruct(value)) },
  {
    weight: 6,
    arbitrary: fc
      .constantFrom(...properties)
      .chain(mutated)
      .map(structOf),
  },
  { weight: 2, arbitrary: anyJson.map(structOf) },
  { weight: 2, arbitrary: fc.constantFrom(...properties).chain((value) => damaged(writeStruct(value))) },
  fc.constantFrom(10, 999, 1001, 5000).map(nestedStruct),
  fc.uint8Array({ maxLength: 100 }),
);

function structOf(value: JsonValue): Uint8Array {
  return writeStruct(typeof value === "object" && value !== null ? value : { value });
}

/** A Struct whose property `a` is lists in lists. */
function nestedStruct(depth: number): Uint8Array {
  let value = Buffer.alloc(0);
  for (let level = 0; level < depth; level += 1) value = delimited(listTag, delimited(itemsTag, value));
  return delimited(fieldsTag, Buffer.concat([delimited(keyTag, Buffer.from("a")), delimited(valueTag, value)]));
}

/** A field of bytes: its tag, their length and they themselves. */
function delimited(tag: number, bytes: Uint8Array): Buffer<ArrayBuffer> {
  const length: number[] = [];
  for (let left = bytes.length; ; left = Math.floor(left / 128)) {
    length.push(left < 128 ? left : (left % 128) + 128);
    if (left < 128) return Buffer.concat([Buffer.from([tag, ...length]), bytes]);
  }
}

const types = [...resourceTypes.map((type) => typeToken("native", type)), "pulumi:providers:integration-platform", "x"];
const urns = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom(...types), fc.constantFrom("acme", "a::b", "default_1_2_3", "eu", ""))
      .map(([type, name]) => `urn:pulumi:s::p::${type}::${name}`),
  },
  fc.string({ unit: "binary", maxLength: 20 }),
);
const ids = fc.constantFrom("5001", "101/all", "101/v2", "", "-1", "9007199254740993", "x/y/z", "__proto__");
const words = fc.oneof(
  fc.constantFrom("getTenant", "getTenants", "getRelease", "getTriggerStatus", "getRunLog", "toString", "default", ""),
  fc.string({ unit: "binary", maxLength: 8 }),
);
const parts: fc.Arbitrary<Parts> = fc.record({
  urn: urns,
  id: ids,
  before: structs,
  now: structs,
  word: words,
  isIt: fc.boolean(),
});

function messagesTo(name: string): fc.Arbitrary<Uint8Array> {
  const whole = parts.map((values) => methods[name]?.request(values) ?? new Uint8Array());
  return fc.oneof(
    { weight: 6, arbitrary: whole },
    { weight: 3, arbitrary: whole.chain(damaged) },
    fc.uint8Array({ maxLength: 200 }),
    fc.constantFrom(10, 1000, 100_000).map((count) => Buffer.alloc(count, 0x0b)), // groups in groups
  );
}

/** The bytes with a few of them changed, removed or repeated, or cut off. */
function damaged(bytes: Uint8Array): fc.Arbitrary<Uint8Array> {
  const damage = fc.record({
    at: fc.nat(10_000),
    how: fc.constantFrom("change" as const, "remove", "repeat", "insert", "cut"),
    length: fc.integer({ min: 1, max: 12 }),
    byte: fc.oneof(fc.nat(255), fc.constantFrom(0x7f, 0x80, 0xff)),
  });
  return fc.array(damage, { minLength: 1, maxLength: 4 }).map((all) =>
    all.reduce((current, { at, how, length, byte }) => {
      const place = at % (current.length + 1);
      const end = place + length;
      const [head, part, tail] = [current.subarray(0, place), current.subarray(place, end), current.subarray(end)];
      if (how === "cut") return head;
      if (how === "remove") return Buffer.concat([head, tail]);
      if (how === "repeat") return Buffer.concat([head, part, part, tail]);
      const filling = Buffer.alloc(length, byte);
      return how === "insert" ? Buffer.concat([head, filling, part, tail]) : Buffer.concat([head, filling, tail]);
    }, Buffer.from(bytes)),
  );
}
