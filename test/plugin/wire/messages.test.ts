import engine from "@pulumi/pulumi/proto/engine_pb.js";
import plugin from "@pulumi/pulumi/proto/plugin_pb.js";
import provider from "@pulumi/pulumi/proto/provider_pb.js";
import googleStatus from "@pulumi/pulumi/proto/status_pb.js";
import fc from "fast-check";
import type { Message } from "google-protobuf";
import googleAny from "google-protobuf/google/protobuf/any_pb.js";
import googleEmpty from "google-protobuf/google/protobuf/empty_pb.js";
import googleStruct from "google-protobuf/google/protobuf/struct_pb.js";
import { describe, expect, test } from "vitest";
import { decode, encode, type Message as Table } from "../../../src/plugin/wire/message.ts";
import * as protocol from "../../../src/plugin/wire/protocol.ts";

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
  /** Fields of the generated class that our table leaves out. */
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
const resource = { id: text, urn: text, name: text, type: text };
const failures = listOf({ property: text, reason: text });
const status = ["resourceStatusAddress", "resourceStatusToken"];

const samples: Record<Exclude<keyof typeof protocol, (typeof enums)[number]>, Sample> = {
  empty: { generated: googleEmpty.Empty, fields: {} },
  providerHandshakeRequest: {
    generated: provider.ProviderHandshakeRequest,
    fields: {
      engineAddress: text,
      rootDirectory: maybe(text),
      programDirectory: maybe(text),
      configureWithUrn: bool,
      supportsViews: bool,
      supportsRefreshBeforeUpdate: bool,
      invokeWithPreview: bool,
      acceptsByteString: bool,
      sendsOldOutputsToCheck: bool,
      acceptsOutputsInInvoke: bool,
      acceptsOutputsInCall: bool,
      acceptsOutputsInCheck: bool,
    },
    leftOut: ["mapperTarget", "loaderTarget", "resolverTarget"],
  },
  providerHandshakeResponse: {
    generated: provider.ProviderHandshakeResponse,
    fields: {
      acceptSecrets: bool,
      acceptResources: bool,
      acceptOutputs: bool,
      supportsAutonamingConfiguration: bool,
      acceptsByteString: bool,
      acceptsOutputsInInvoke: bool,
      acceptsOutputsInCall: bool,
      acceptsOutputsInCheck: bool,
    },
  },
  getSchemaRequest: {
    generated: provider.GetSchemaRequest,
    fields: { version: number, subpackageName: text, subpackageVersion: text },
  },
  getSchemaResponse: { generated: provider.GetSchemaResponse, fields: { schema: text } },
  configureRequest: {
    generated: provider.ConfigureRequest,
    fields: {
      variables: mapOf(text),
      args: maybe(struct),
      acceptSecrets: bool,
      acceptResources: bool,
      sendsOldInputs: bool,
      sendsOldInputsToDelete: bool,
      id: maybe(text),
      urn: maybe(text),
      name: maybe(text),
      type: maybe(text),
    },
    classes: { args: Struct },
  },
  configureResponse: {
    generated: provider.ConfigureResponse,
    fields: {
      acceptSecrets: bool,
      supportsPreview: bool,
      acceptResources: bool,
      acceptOutputs: bool,
      supportsAutonamingConfiguration: bool,
    },
  },
  configureErrorMissingKeys: {
    generated: provider.ConfigureErrorMissingKeys,
    fields: { missingKeys: listOf({ name: text, description: text }) },
    classes: { missingKeys: provider.ConfigureErrorMissingKeys.MissingKey },
  },
  invokeRequest: {
    generated: provider.InvokeRequest,
    fields: { tok: text, args: maybe(struct), preview: bool },
    classes: { args: Struct },
  },
  invokeResponse: {
    generated: provider.InvokeResponse,
    fields: { return: maybe(struct), failures },
    classes: { return: Struct, failures: provider.CheckFailure },
  },
  checkRequest: {
    generated: provider.CheckRequest,
    fields: {
      urn: text,
      olds: maybe(struct),
      news: maybe(struct),
      randomSeed: bytes,
      name: text,
      type: text,
      autonaming: maybe(fc.record({ proposedName: text, mode: number })),
      oldOutputs: maybe(struct),
    },
    classes: { olds: Struct, news: Struct, oldOutputs: Struct, autonaming: provider.CheckRequest.AutonamingOptions },
  },
  checkResponse: {
    generated: provider.CheckResponse,
    fields: { inputs: maybe(struct), failures },
    classes: { inputs: Struct, failures: provider.CheckFailure },
  },
  diffRequest: {
    generated: provider.DiffRequest,
    fields: { ...resource, olds: maybe(struct), news: maybe(struct), ignoreChanges: texts, oldInputs: maybe(struct) },
    classes: { olds: Struct, news: Struct, oldInputs: Struct },
  },
  diffResponse: {
    generated: provider.DiffResponse,
    fields: {
      replaces: texts,
      stables: texts,
      deleteBeforeReplace: bool,
      changes: number,
      diffs: texts,
      detailedDiff: mapOf(fc.record({ kind: number, inputDiff: bool })),
      hasDetailedDiff: bool,
    },
    classes: { detailedDiff: provider.PropertyDiff },
  },
  createRequest: {
    generated: provider.CreateRequest,
    fields: { urn: text, properties: maybe(struct), timeout: seconds, preview: bool, name: text, type: text },
    classes: { properties: Struct },
    leftOut: status,
  },
  createResponse: {
    generated: provider.CreateResponse,
    fields: { id: text, properties: maybe(struct), refreshBeforeUpdate: bool },
    classes: { properties: Struct },
  },
  readRequest: {
    generated: provider.ReadRequest,
    fields: { ...resource, properties: maybe(struct), inputs: maybe(struct), timeout: seconds },
    classes: { properties: Struct, inputs: Struct },
    leftOut: [...status, "oldViews"],
  },
  readResponse: {
    generated: provider.ReadResponse,
    fields: { id: text, properties: maybe(struct), inputs: maybe(struct), refreshBeforeUpdate: bool },
    classes: { properties: Struct, inputs: Struct },
  },
  updateRequest: {
    generated: provider.UpdateRequest,
    fields: {
      ...resource,
      olds: maybe(struct),
      news: maybe(struct),
      timeout: seconds,
      ignoreChanges: texts,
      preview: bool,
      oldInputs: maybe(struct),
    },
    classes: { olds: Struct, news: Struct, oldInputs: Struct },
    leftOut: [...status, "oldViews"],
  },
  updateResponse: {
    generated: provider.UpdateResponse,
    fields: { properties: maybe(struct), refreshBeforeUpdate: bool },
    classes: { properties: Struct },
  },
  deleteRequest: {
    generated: provider.DeleteRequest,
    fields: { ...resource, properties: maybe(struct), timeout: seconds, oldInputs: maybe(struct) },
    classes: { properties: Struct, oldInputs: Struct },
    leftOut: [...status, "oldViews"],
  },
  pluginInfo: { generated: plugin.PluginInfo, fields: { version: text } },
  pluginAttach: { generated: plugin.PluginAttach, fields: { address: text } },
  errorResourceInitFailed: {
    generated: provider.ErrorResourceInitFailed,
    fields: { id: text, properties: maybe(struct), reasons: texts, inputs: maybe(struct), refreshBeforeUpdate: bool },
    classes: { properties: Struct, inputs: Struct },
  },
  status: {
    generated: googleStatus.Status,
    fields: { code: number, message: text, details: listOf({ typeUrl: text, value: bytes }) },
    classes: { details: googleAny.Any },
  },
  logRequest: {
    generated: engine.LogRequest,
    fields: { severity: number, message: text, urn: text, streamId: number, ephemeral: bool },
  },
};

const enums = ["autonamingMode", "propertyDiffKind", "diffChanges", "logSeverity"] as const;

const tables: Record<keyof typeof samples, Table> = protocol;

describe.each(Object.entries(samples))("%s", (name, sample) => {
  const table = Object.entries(tables).find(([other]) => other === name)?.[1] ?? {};
  const arbitrary = fc.record(sample.fields);

  test("is read as Google's code wrote it", () => {
    fc.assert(
      fc.property(arbitrary, (values) => {
        expect(decode(table, generatedOf(sample, values).serializeBinary())).toEqual(values);
      }),
    );
  });

  test("is written as Google's code reads it", () => {
    fc.assert(
      fc.property(arbitrary, (values) => {
        const read = sample.generated.deserializeBinary(encode(table, values));
        expect(read.toObject()).toEqual(generatedOf(sample, values).toObject());
      }),
    );
  });

  test("has all fields of Google's code", () => {
    const names = [...Object.keys(table), ...(sample.leftOut ?? [])].map((name) => name.toLowerCase());
    expect(names.sort()).toEqual(fieldsOf(sample.generated).sort());
  });
});

test("the values of enums are those of Google's code", () => {
  const { PROPOSE: propose, ENFORCE: enforce, DISABLE: disable } = provider.CheckRequest.AutonamingOptions.Mode;
  expect(protocol.autonamingMode).toEqual({ propose, enforce, disable });

  const { ADD, ADD_REPLACE, DELETE, DELETE_REPLACE, UPDATE, UPDATE_REPLACE } = provider.PropertyDiff.Kind;
  expect(protocol.propertyDiffKind).toEqual({
    add: ADD,
    addReplace: ADD_REPLACE,
    delete: DELETE,
    deleteReplace: DELETE_REPLACE,
    update: UPDATE,
    updateReplace: UPDATE_REPLACE,
  });

  const { DIFF_UNKNOWN: unknown, DIFF_NONE: none, DIFF_SOME: some } = provider.DiffResponse.DiffChanges;
  expect(protocol.diffChanges).toEqual({ unknown, none, some });

  const { DEBUG: debug, INFO: info, WARNING: warning, ERROR: error } = engine.LogSeverity;
  expect(protocol.logSeverity).toEqual({ debug, info, warning, error });
});

test("an absent field has its type's default, or no value if it is optional", () => {
  expect(decode(protocol.checkRequest, new Uint8Array())).toEqual({
    urn: "",
    olds: undefined,
    news: undefined,
    randomSeed: new Uint8Array(),
    name: "",
    type: "",
    autonaming: undefined,
    oldOutputs: undefined,
  });
  expect(decode(protocol.diffResponse, new Uint8Array())).toMatchObject({ changes: 0, detailedDiff: new Map() });
});

test("an empty Struct is not an absent one", () => {
  const written = encode(protocol.readResponse, { id: "1", properties: new Uint8Array(), inputs: undefined });

  expect(decode(protocol.readResponse, written)).toMatchObject({ properties: new Uint8Array(), inputs: undefined });
  expect(provider.ReadResponse.deserializeBinary(written).hasProperties()).toBe(true);
  expect(provider.ReadResponse.deserializeBinary(written).hasInputs()).toBe(false);
});

test("unknown fields are skipped", () => {
  const request = new provider.UpdateRequest();
  request.setId("1");
  request.setResourceStatusAddress("127.0.0.1:1");
  request.addOldViews().setName("view");
  request.setType("integration-platform:index:Tenant");

  expect(decode(protocol.pluginInfo, request.serializeBinary())).toEqual({ version: "1" });
  expect(decode(protocol.updateRequest, request.serializeBinary())).toMatchObject({
    id: "1",
    type: "integration-platform:index:Tenant",
  });
});

test("a map's entry without a value has the type's default", () => {
  const entry = [0x0a, 3, 0x0a, 1, 0x61]; // field 1, of 3 bytes: the key "a"

  expect(decode(protocol.configureRequest, Uint8Array.from(entry)).variables).toEqual(new Map([["a", ""]]));
  entry[0] = 0x32; // field 6
  expect(decode(protocol.diffResponse, Uint8Array.from(entry)).detailedDiff).toEqual(
    new Map([["a", { kind: 0, inputDiff: false }]]),
  );
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
    expect(() => decode(protocol.checkRequest, Uint8Array.from(broken))).toThrow();
  });

  test("is every message that ends within a field", () => {
    const request = new provider.CheckRequest();
    request.setUrn("urn:pulumi:dev::shop::integration-platform:index:Tenant::acme");
    request.setNews(Struct.fromJavaScript({ name: "Acme", configs: { region: "eu" } }));
    request.setRandomseed(Uint8Array.from([1, 2, 3]));
    const all = request.serializeBinary();
    const first = all.length - 5 - (request.getNews()?.serializeBinary().length ?? 0) - 2;
    const whole = new Set([0, first, all.length - 5, all.length]);

    for (let length = 0; length <= all.length; length += 1) {
      const read = () => decode(protocol.checkRequest, all.subarray(0, length));
      if (whole.has(length)) expect(read).not.toThrow();
      else expect(read, `${length} bytes`).toThrow();
    }
  });
});

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
