import { create, type DescMessage, fromBinary, toBinary } from "@bufbuild/protobuf";
import engine from "@pulumi/pulumi/proto/engine_pb.js";
import plugin from "@pulumi/pulumi/proto/plugin_pb.js";
import provider from "@pulumi/pulumi/proto/provider_pb.js";
import googleStatus from "@pulumi/pulumi/proto/status_pb.js";
import fc from "fast-check";
import type { Message } from "google-protobuf";
import googleAny from "google-protobuf/google/protobuf/any_pb.js";
import googleStruct from "google-protobuf/google/protobuf/struct_pb.js";
import { describe, expect, test } from "vitest";
import * as protocol from "../../../src/plugin/wire/protocol_pb.ts";
import { file_status } from "../../../src/plugin/wire/status_pb.ts";

interface MessageClass {
  new (): Message;
  deserializeBinary(bytes: Uint8Array): Message;
}

type Values = Record<string, unknown>;

/** What a message may contain, and how Google's generated code calls it. */
interface Sample {
  generated: MessageClass;
  fields: Record<string, fc.Arbitrary<unknown>>;
  /** The generated classes of the fields that are messages, or lists or maps of them. */
  classes?: Record<string, MessageClass>;
  /** Fields of the generated class that our protocol leaves out. */
  leftOut?: string[];
}

const text = fc.string({ unit: "grapheme" });
const texts = fc.array(text, { maxLength: 3 });
const bool = fc.boolean();
const bytes = fc.uint8Array({ maxLength: 8 });
const number = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const seconds = fc.double({ min: 0, noNaN: true });
/** Google's maps are plain objects, and cannot hold such keys. */
const key = text.filter((name) => !(name in {}));
const struct = fc
  .dictionary(key, fc.oneof(text, seconds, bool, fc.constant(null), texts), { maxKeys: 3 })
  .map((value) => googleStruct.Struct.fromJavaScript(value).serializeBinary());
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const mapOf = <Value>(value: fc.Arbitrary<Value>) =>
  fc.uniqueArray(fc.tuple(key, value), { selector: ([name]) => name, maxLength: 3 }).map((entries) => new Map(entries));
const listOf = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.array(fc.record(fields), { maxLength: 3 });

const { Struct } = googleStruct;
const status = ["resourceStatusAddress", "resourceStatusToken"];

const samples: Record<string, Sample> = {
  ProviderHandshakeRequest: {
    generated: provider.ProviderHandshakeRequest,
    fields: { configureWithUrn: bool, supportsRefreshBeforeUpdate: bool },
    leftOut: [
      ...["engineAddress", "rootDirectory", "programDirectory", "mapperTarget", "loaderTarget", "resolverTarget"],
      ...["supportsViews", "invokeWithPreview", "acceptsByteString", "sendsOldOutputsToCheck"],
      ...["acceptsOutputsInInvoke", "acceptsOutputsInCall", "acceptsOutputsInCheck"],
    ],
  },
  ProviderHandshakeResponse: {
    generated: provider.ProviderHandshakeResponse,
    fields: {
      acceptSecrets: bool,
      acceptResources: bool,
      acceptOutputs: bool,
      supportsAutonamingConfiguration: bool,
    },
    leftOut: ["acceptsByteString", "acceptsOutputsInInvoke", "acceptsOutputsInCall", "acceptsOutputsInCheck"],
  },
  PluginInfo: { generated: plugin.PluginInfo, fields: { version: text } },
  GetSchemaRequest: {
    generated: provider.GetSchemaRequest,
    fields: {},
    leftOut: ["version", "subpackageName", "subpackageVersion"],
  },
  GetSchemaResponse: { generated: provider.GetSchemaResponse, fields: { schema: text } },
  ConfigureRequest: {
    generated: provider.ConfigureRequest,
    fields: { args: maybe(struct), urn: maybe(text), name: maybe(text) },
    classes: { args: Struct },
    leftOut: [
      ...["variables", "acceptSecrets", "acceptResources", "sendsOldInputs", "sendsOldInputsToDelete"],
      ...["id", "type"],
    ],
  },
  ConfigureResponse: {
    generated: provider.ConfigureResponse,
    fields: { acceptSecrets: bool, supportsPreview: bool, supportsAutonamingConfiguration: bool },
    leftOut: ["acceptResources", "acceptOutputs"],
  },
  CheckFailure: { generated: provider.CheckFailure, fields: { property: text, reason: text } },
  InvokeRequest: {
    generated: provider.InvokeRequest,
    fields: { tok: text, args: maybe(struct) },
    classes: { args: Struct },
    leftOut: ["preview"],
  },
  InvokeResponse: {
    generated: provider.InvokeResponse,
    fields: { return: maybe(struct) },
    classes: { return: Struct },
    leftOut: ["failures"],
  },
  CheckRequest: {
    generated: provider.CheckRequest,
    fields: {
      urn: text,
      olds: maybe(struct),
      news: maybe(struct),
      name: text,
      autonaming: maybe(fc.record({ proposedName: text, mode: number })),
    },
    classes: { olds: Struct, news: Struct, autonaming: provider.CheckRequest.AutonamingOptions },
    leftOut: ["randomSeed", "type", "oldOutputs"],
  },
  CheckResponse: {
    generated: provider.CheckResponse,
    fields: { inputs: maybe(struct), failures: listOf({ property: text, reason: text }) },
    classes: { inputs: Struct, failures: provider.CheckFailure },
  },
  DiffRequest: {
    generated: provider.DiffRequest,
    fields: { id: text, urn: text, olds: maybe(struct), news: maybe(struct), oldInputs: maybe(struct) },
    classes: { olds: Struct, news: Struct, oldInputs: Struct },
    leftOut: ["ignoreChanges", "name", "type"],
  },
  PropertyDiff: { generated: provider.PropertyDiff, fields: { kind: number, inputDiff: bool } },
  DiffResponse: {
    generated: provider.DiffResponse,
    fields: {
      replaces: texts,
      deleteBeforeReplace: bool,
      changes: number,
      diffs: texts,
      detailedDiff: mapOf(fc.record({ kind: number, inputDiff: bool })),
      hasDetailedDiff: bool,
    },
    classes: { detailedDiff: provider.PropertyDiff },
    leftOut: ["stables"],
  },
  CreateRequest: {
    generated: provider.CreateRequest,
    fields: { urn: text, properties: maybe(struct), preview: bool },
    classes: { properties: Struct },
    leftOut: ["timeout", "name", "type", ...status],
  },
  CreateResponse: {
    generated: provider.CreateResponse,
    fields: { id: text, properties: maybe(struct), refreshBeforeUpdate: bool },
    classes: { properties: Struct },
  },
  ReadRequest: {
    generated: provider.ReadRequest,
    fields: { id: text, urn: text, properties: maybe(struct), inputs: maybe(struct) },
    classes: { properties: Struct, inputs: Struct },
    leftOut: ["timeout", "name", "type", ...status, "oldViews"],
  },
  ReadResponse: {
    generated: provider.ReadResponse,
    fields: { id: text, properties: maybe(struct), inputs: maybe(struct), refreshBeforeUpdate: bool },
    classes: { properties: Struct, inputs: Struct },
  },
  UpdateRequest: {
    generated: provider.UpdateRequest,
    fields: {
      id: text,
      urn: text,
      olds: maybe(struct),
      news: maybe(struct),
      preview: bool,
      oldInputs: maybe(struct),
    },
    classes: { olds: Struct, news: Struct, oldInputs: Struct },
    leftOut: ["timeout", "ignoreChanges", "name", "type", ...status, "oldViews"],
  },
  UpdateResponse: {
    generated: provider.UpdateResponse,
    fields: { properties: maybe(struct), refreshBeforeUpdate: bool },
    classes: { properties: Struct },
  },
  DeleteRequest: {
    generated: provider.DeleteRequest,
    fields: { id: text, urn: text, properties: maybe(struct), oldInputs: maybe(struct) },
    classes: { properties: Struct, oldInputs: Struct },
    leftOut: ["timeout", "name", "type", ...status, "oldViews"],
  },
  ErrorResourceInitFailed: {
    generated: provider.ErrorResourceInitFailed,
    fields: { id: text, properties: maybe(struct), reasons: texts, refreshBeforeUpdate: bool },
    classes: { properties: Struct },
    leftOut: ["inputs"],
  },
  LogRequest: {
    generated: engine.LogRequest,
    fields: { severity: number, message: text, urn: text },
    leftOut: ["streamId", "ephemeral"],
  },
  Status: {
    generated: googleStatus.Status,
    fields: { code: number, message: text, details: listOf({ typeUrl: text, value: bytes }) },
    classes: { details: googleAny.Any },
  },
};

const messages = [...protocol.file_protocol.messages, ...file_status.messages];

test("every message has a sample", () => {
  expect(messages.map(({ name }) => name).sort()).toEqual(Object.keys(samples).sort());
});

describe.each(
  messages.flatMap((schema) => {
    const sample = samples[schema.name];
    return sample === undefined ? [] : [{ name: schema.name, schema, sample }];
  }),
)("$name", ({ schema, sample }) => {
  const arbitrary = fc.record(sample.fields);

  test("is read as Google's code wrote it", () => {
    fc.assert(
      fc.property(arbitrary, (values) => {
        const read = fromBinary(schema, generatedOf(sample, values).serializeBinary());
        expect(withoutTypeName(read)).toEqual(withObjects(values));
      }),
    );
  });

  test("is written as Google's code reads it", () => {
    fc.assert(
      fc.property(arbitrary, (values) => {
        const read = sample.generated.deserializeBinary(encoded(schema, withObjects(values)));
        expect(read.toObject()).toEqual(generatedOf(sample, values).toObject());
      }),
    );
  });

  test("has all fields of Google's code", () => {
    const ours = schema.fields.map(({ localName }) => localName);
    const names = [...ours, ...(sample.leftOut ?? [])].map((name) => name.toLowerCase());
    expect(names.sort()).toEqual(fieldsOf(sample.generated).sort());
  });
});

test("the values of enums are those of Google's code", () => {
  expect(protocol.CheckRequest_AutonamingOptions_Mode).toEqual(provider.CheckRequest.AutonamingOptions.Mode);
  expect(protocol.PropertyDiff_Kind).toEqual(provider.PropertyDiff.Kind);
  expect(protocol.DiffResponse_DiffChanges).toEqual(provider.DiffResponse.DiffChanges);
  expect(protocol.LogSeverity).toEqual(engine.LogSeverity);
});

test("an absent field has its type's default, or no value if it is optional", () => {
  expect(withoutTypeName(fromBinary(protocol.CheckRequestSchema, new Uint8Array()))).toEqual({
    urn: "",
    olds: undefined,
    news: undefined,
    name: "",
    autonaming: undefined,
  });
  expect(fromBinary(protocol.DiffResponseSchema, new Uint8Array())).toMatchObject({ changes: 0, detailedDiff: {} });
});

test("an empty Struct is not an absent one", () => {
  const written = encoded(protocol.ReadResponseSchema, { id: "1", properties: new Uint8Array(), inputs: undefined });
  const read = fromBinary(protocol.ReadResponseSchema, written);

  expect([read.properties, read.inputs]).toEqual([new Uint8Array(), undefined]);
  expect(provider.ReadResponse.deserializeBinary(written).hasProperties()).toBe(true);
  expect(provider.ReadResponse.deserializeBinary(written).hasInputs()).toBe(false);
});

test("unknown fields are skipped", () => {
  const request = new provider.UpdateRequest();
  request.setId("1");
  request.setResourceStatusAddress("127.0.0.1:1");
  request.addOldViews().setName("view");
  request.setPreview(true);

  expect(fromBinary(protocol.PluginInfoSchema, request.serializeBinary())).toMatchObject({ version: "1" });
  expect(fromBinary(protocol.UpdateRequestSchema, request.serializeBinary())).toMatchObject({ id: "1", preview: true });
});

test("a map's entry without a value has the type's default", () => {
  const entry = [0x32, 3, 0x0a, 1, 0x61]; // field 6, of 3 bytes: the key "a"

  expect(fromBinary(protocol.DiffResponseSchema, Uint8Array.from(entry)).detailedDiff).toMatchObject({
    a: { kind: 0, inputDiff: false },
  });
});

describe("what is refused", () => {
  test.each<[string, number[]]>([
    ["a string that ends too early", [0x0a, 5, 0x61]],
    ["a length without an end", [0x0a, 0xff, 0xff]],
    ["a tag without a value", [0x0a]],
    ["a number in place of a string", [0x08, 1]],
    ["a string that is not UTF-8", [0x0a, 1, 0xff]],
    ["field number 0", [0x02, 0]],
    ["an unknown field that ends too early", [0x7a, 9]],
    ["an unknown group without an end", [0x7b]],
    ["the end of a group that did not begin", [0x7c]],
    ["an unknown number without an end", [0x78, 0xff]],
    ["a message within it that ends too early", [0x42, 3, 0x0a, 5, 0x61]],
  ])("%s", (_, broken) => {
    expect(() => fromBinary(protocol.CheckRequestSchema, Uint8Array.from(broken))).toThrow();
  });

  test("is every message that ends within a field", () => {
    const request = new provider.CheckRequest();
    request.setUrn("urn:pulumi:dev::shop::integration-platform:index:Tenant::acme");
    request.setNews(Struct.fromJavaScript({ name: "Acme", configs: { region: "eu" } }));
    request.setName("acm");
    const all = request.serializeBinary();
    const first = all.length - 5 - (request.getNews()?.serializeBinary().length ?? 0) - 2;
    const whole = new Set([0, first, all.length - 5, all.length]);

    for (let length = 0; length <= all.length; length += 1) {
      const read = () => fromBinary(protocol.CheckRequestSchema, all.subarray(0, length));
      if (whole.has(length)) expect(read).not.toThrow();
      else expect(read, `${length} bytes`).toThrow();
    }
  });
});

function encoded(schema: DescMessage, values: Values): Uint8Array {
  return toBinary(schema, create(schema, values));
}

/** Values whose maps are objects, as `@bufbuild/protobuf` has them. */
function withObjects(values: Values): Values {
  const entries = Object.entries(values).map(([name, value]) => [name, value instanceof Map ? toObject(value) : value]);
  return Object.fromEntries(entries);
}

function toObject(map: ReadonlyMap<unknown, unknown>): object {
  return Object.fromEntries([...map].map(([name, value]) => [String(name), value]));
}

/** A message without the name of its type, which also each message within it has. */
function withoutTypeName(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTypeName);
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  const entries = Object.entries(value).filter(([name]) => name !== "$typeName");
  return Object.fromEntries(entries.map(([name, part]) => [name, withoutTypeName(part)]));
}

/** The message with these values, made by Google's generated code. */
function generatedOf({ generated, classes = {} }: Pick<Sample, "generated" | "classes">, values: Values): Message {
  const message = new generated();
  for (const [name, value] of Object.entries(values)) {
    const made = (one: unknown) => (classes[name] === undefined ? one : partOf(classes[name], one));
    if (value === undefined) continue;
    if (Array.isArray(value)) call(message, `set${name}List`, value.map(made));
    else if (value instanceof Map) {
      const map = call(message, `get${name}Map`);
      for (const [mapKey, item] of value) call(map, "set", mapKey, made(item));
    } else call(message, `set${name}`, made(value));
  }
  return message;
}

function partOf(generated: MessageClass, value: unknown): Message {
  if (value instanceof Uint8Array) return generated.deserializeBinary(value);
  return generatedOf({ generated }, { ...Object(value) });
}

/** The names of the fields of a generated class, in lower case, by the methods that set or clear them. */
function fieldsOf(generated: MessageClass): string[] {
  const names = Object.getOwnPropertyNames(generated.prototype).flatMap((method) => {
    const [, name] = /^(?:set|clear)(.+?)(?:List|Map|_asB64|_asU8)?$/.exec(method) ?? [];
    return name === undefined ? [] : [name.toLowerCase()];
  });
  return [...new Set(names)];
}

/** Calls a generated method. Some names in the protocol's definition make methods in lower case: `setRandomseed`. */
function call(target: unknown, name: string, ...args: unknown[]): unknown {
  const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(target));
  const method = methods.find((one) => one.toLowerCase() === name.toLowerCase()) ?? name;
  const found: unknown = Reflect.get(Object(target), method);
  if (typeof found !== "function") throw new Error(`no method ${method}`);
  return Reflect.apply(found, target, args);
}
