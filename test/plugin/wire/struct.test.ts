import fc from "fast-check";
import { BinaryWriter } from "google-protobuf";
import googleStruct, { type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb.js";
import { describe, expect, test } from "vitest";
import { unknownValue } from "../../../src/json/unknown.ts";
import { readStruct, writeStruct } from "../../../src/plugin/wire/struct.ts";

const { Struct, Value } = googleStruct;
type Json = Record<string, JavaScriptValue>;

const secretOf = (value: JavaScriptValue): Json => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});
const unknowns = [
  "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
];
const unknownString = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const written = (value: Json) => Struct.fromJavaScript(value).serializeBinary();
const read = (value: Json) => readStruct(written(value));
const shown = (value: object, secretPaths?: string[][]) =>
  Struct.deserializeBinary(writeStruct(value, secretPaths)).toJavaScript();

/** One value: as the engine sends it, as it is to be read, and where its secrets are within it. */
interface Part {
  sent: JavaScriptValue;
  value: unknown;
  secretPaths: string[][];
}

const text = fc.string({ unit: "binary" });
/** Google's maps are plain objects, and cannot hold such keys. */
const key = text.filter((name) => !(name in {}));
const plain = (value: JavaScriptValue): Part => ({ sent: value, value, secretPaths: [] });

const { part } = fc.letrec<{ part: Part }>((tie) => ({
  part: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    text.map(plain),
    fc.double().map((value) => ({ ...plain(value), value: value + 0 })),
    fc.boolean().map(plain),
    fc.constant(plain(null)),
    fc.constantFrom(...unknowns).map((sent) => ({ sent, value: unknownValue, secretPaths: [] })),
    fc.array(tie("part"), { maxLength: 4 }).map(listOf),
    fc.dictionary(key, tie("part"), { maxKeys: 4 }).map(objectOf),
    tie("part").map(secretPart),
  ),
}));
const properties = fc.dictionary(key, part, { maxKeys: 4 }).map(objectOf);

function listOf(items: Part[]): Part {
  return {
    sent: items.map(({ sent }) => sent),
    value: items.map(({ value }) => value),
    secretPaths: items.some(({ secretPaths }) => secretPaths.length > 0) ? [[]] : [],
  };
}

function objectOf(parts: Record<string, Part>) {
  const entries = Object.entries(parts);
  return {
    sent: Object.fromEntries(entries.map(([name, { sent }]) => [name, sent])),
    value: Object.fromEntries(entries.map(([name, { value }]) => [name, value])),
    secretPaths: entries.flatMap(([name, { secretPaths }]) => secretPaths.map((path) => [name, ...path])),
  };
}

function secretPart({ sent, value }: Part): Part {
  return { sent: secretOf(sent), value, secretPaths: value === null ? [] : [[]] };
}

const inOrder = (paths: string[][]) => new Set(paths.map((path) => JSON.stringify(path)));

describe("a Struct", () => {
  test("is read as Google's code wrote it, with unknowns and secrets", () => {
    fc.assert(
      fc.property(properties, ({ sent, value, secretPaths }) => {
        const found = read(sent);
        expect(found.value).toStrictEqual(value);
        expect(inOrder(found.secretPaths)).toEqual(inOrder(secretPaths));
        expect(found.secretPaths).toHaveLength(secretPaths.length);
      }),
      { numRuns: 500 },
    );
  });

  test("is written as Google's code reads it", () => {
    fc.assert(
      fc.property(fc.dictionary(key, part), (parts) => {
        const { value, secretPaths } = objectOf(parts);
        const expected = normalized(value, secretPaths);
        expect(shown(value, secretPaths)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  test("is the same after it was written and read", () => {
    fc.assert(
      fc.property(properties, ({ sent }) => {
        const first = read(sent);
        expect(readStruct(writeStruct(first.value, first.secretPaths))).toStrictEqual(first);
      }),
      { numRuns: 500 },
    );
  });

  test("is read in any order of its properties, with the same order of secret paths", () => {
    const one = { a: { b: secretOf("1"), c: secretOf("2") }, "a.b": secretOf("3"), a2: secretOf("4") };
    const other = { a2: secretOf("4"), "a.b": secretOf("3"), a: { c: secretOf("2"), b: secretOf("1") } };

    expect(read(other)).toEqual(read(one));
    expect(read(one).secretPaths).toEqual([["a", "b"], ["a", "c"], ["a.b"], ["a2"]]);
  });

  test("with 1,000 levels is read and written", () => {
    const deep = nested(1_000);

    expect(readStruct(writeStruct(deep)).value).toEqual(deep);
  });
});

describe("reading", () => {
  test("unwraps a secret in an object, and names its place", () => {
    expect(read({ configs: { region: "eu", "api.token": secretOf("t") } })).toEqual({
      value: { configs: { region: "eu", "api.token": "t" } },
      secretPaths: [["configs", "api.token"]],
    });
  });

  test("names a list with a secret as a whole, once, and the outermost one", () => {
    const shops = [{ name: "a", token: secretOf("t") }, ["x", secretOf("y")]];

    expect(read({ configs: { shops } })).toEqual({
      value: { configs: { shops: [{ name: "a", token: "t" }, ["x", "y"]] } },
      secretPaths: [["configs", "shops"]],
    });
  });

  test("unwraps a secret in a secret, and names the outer one", () => {
    expect(read({ configs: secretOf({ token: secretOf(secretOf("t")), list: [secretOf(1)] }) })).toEqual({
      value: { configs: { token: "t", list: [1] } },
      secretPaths: [["configs"]],
    });
  });

  test("finds an unknown value that is a secret, and no secret in null", () => {
    expect(read({ token: secretOf(unknownString), none: secretOf(null) })).toEqual({
      value: { token: unknownValue, none: null },
      secretPaths: [["token"]],
    });
  });

  test("knows the mark by its key and its value", () => {
    const other = { "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17", value: "v" };

    expect(read({ other })).toEqual({ value: { other }, secretPaths: [] });
  });

  test("leaves assets, archives, resources and outputs as the objects that they are", () => {
    const special = (signature: string) => ({ "4dabf18193072939515e22adb298388d": signature, text: "t" });
    const value = {
      asset: special("c44067f5952c0a294b673a41bacd8c17"),
      archive: special("0def7320c3a5731c473e5ecbe6d01bc7"),
      resource: special("5cf8f73096256a8f31e491e813e4eb8e"),
      output: special("d0e6a833031e9bbcd3f4e8bde6ca49a4"),
    };

    expect(read(value)).toEqual({ value, secretPaths: [] });
  });

  test("makes 0 of -0", () => {
    expect(read({ zero: -0, list: [-0] }).value).toStrictEqual({ zero: 0, list: [0] });
  });

  test("keeps keys that objects inherit as own properties", () => {
    const keys = ["__proto__", "constructor", "toString", "hasOwnProperty", ""];
    const found = readStruct(structOf(...keys.map((name) => entryOf(name, "v")))).value;

    expect(Object.keys(found)).toEqual(keys);
    expect(Object.getPrototypeOf(found)).toBe(Object.prototype);
    expect(Object.values(found)).toEqual(keys.map(() => "v"));
    expect(readStruct(writeStruct(found)).value).toStrictEqual(found);
    expect(Object.keys(readStruct(writeStruct({ in: found })).value.in ?? {})).toEqual(keys);
  });

  test("takes a value before its key", () => {
    const valueFirst = (name: string, value: JavaScriptValue) =>
      messageOf((writer) => {
        writer.writeBytes(2, Value.fromJavaScript(value).serializeBinary());
        writer.writeString(1, name);
      });

    expect(readStruct(structOf(valueFirst("a", { b: secretOf("t") }), valueFirst("c", 1)))).toEqual({
      value: { a: { b: "t" }, c: 1 },
      secretPaths: [["a", "b"]],
    });
  });

  test("takes the last of entries with the same key, and its secrets only", () => {
    const first = entryOf("a", { b: secretOf("1") });

    expect(readStruct(structOf(first, entryOf("x", secretOf(1)), entryOf("a", { c: secretOf("2") })))).toEqual({
      value: { a: { c: "2" }, x: 1 },
      secretPaths: [["a", "c"], ["x"]],
    });
    expect(readStruct(structOf(first, entryOf("a", "plain")))).toEqual({ value: { a: "plain" }, secretPaths: [] });
  });

  test("takes the last of several kinds of a value, and its secrets only", () => {
    const both = messageOf((writer) => {
      writer.writeBytes(5, Struct.fromJavaScript(secretOf("t")).serializeBinary());
      writer.writeString(3, "plain");
    });

    expect(readStruct(structOf(entryWith("a", both)))).toEqual({ value: { a: "plain" }, secretPaths: [] });
  });

  test("takes a missing value for null, and a missing key for the empty one", () => {
    const noValue = messageOf((writer) => writer.writeString(1, "a"));
    const noKind = entryWith("b", new Uint8Array());
    const noKey = messageOf((writer) => writer.writeBytes(2, Value.fromJavaScript(1).serializeBinary()));

    expect(readStruct(structOf(noValue, noKind, noKey)).value).toEqual({ a: null, b: null, "": 1 });
    expect(readStruct(new Uint8Array())).toEqual({ value: {}, secretPaths: [] });
  });
});

describe("writing", () => {
  test("leaves out what is undefined, and keeps the places in a list", () => {
    expect(shown({ a: undefined, b: { c: undefined }, list: [undefined, 1] })).toEqual({ b: {}, list: [null, 1] });
  });

  test("writes an unknown value as the engine's sentinel", () => {
    expect(shown({ a: unknownValue, list: [unknownValue] })).toEqual({ a: unknownString, list: [unknownString] });
  });

  test("marks a list with a secret as a whole, because its items may have moved", () => {
    const shops = [{ name: "a", token: "t" }, { name: "b" }];

    expect(shown({ configs: { shops } }, [["configs", "shops", "0", "token"]])).toEqual({
      configs: { shops: secretOf(shops) },
    });
    expect(shown({ tags: ["a", "b"] }, [["tags", "1"]])).toEqual({ tags: secretOf(["a", "b"]) });
  });

  test("marks a value that replaced an object with a secret, and an unknown one", () => {
    const secretPaths = [["configs", "deep", "token"]];

    expect(shown({ configs: { deep: "token: t" } }, secretPaths)).toEqual({ configs: { deep: secretOf("token: t") } });
    expect(shown({ configs: unknownValue }, secretPaths)).toEqual({ configs: secretOf(unknownString) });
  });

  test("marks a whole once, even if a part of it is listed too", () => {
    expect(shown({ configs: { token: "t" } }, [["configs", "token"], ["configs"]])).toEqual({
      configs: secretOf({ token: "t" }),
    });
  });

  test("ignores a path at which there is nothing", () => {
    const value = { configs: { region: "eu", none: null } };
    const secretPaths = [["configs", "gone"], ["configs", "none"], ["other", "deeper"], ["toString"]];

    expect(shown(value, secretPaths)).toEqual(value);
  });

  test.each([[1n], [() => 1], [Symbol("other")]])("refuses %s", (value) => {
    expect(() => writeStruct({ configs: { value } })).toThrow(TypeError);
  });
});

describe("broken bytes", () => {
  test("that end early are refused, unless they end between two properties", () => {
    fc.assert(
      fc.property(properties, fc.nat(), ({ sent }, cut) => {
        const bytes = written(sent);
        const ends = endsOfEntries(sent);
        const length = cut % (bytes.length + 1);
        const result = outcome(() => readStruct(bytes.subarray(0, length)).value);
        const count = ends.indexOf(length);
        if (count === -1) expect(result).toBeUndefined();
        else expect(Object.keys(result ?? {})).toHaveLength(count);
      }),
      { numRuns: 500 },
    );
  });

  test("are refused, or read as Google's code reads them", () => {
    const positions = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(properties, positions, ({ sent }, changes) => {
        const bytes = written(sent);
        for (const [position, byte] of changes) bytes[position % Math.max(bytes.length, 1)] = byte;
        const ours = outcome(() => readStruct(bytes).value);
        if (ours === undefined) return;
        expect(ours).toEqual(readStruct(Struct.deserializeBinary(bytes).serializeBinary()).value);
      }),
      { numRuns: 3_000 },
    );
  });

  test.each<[string, number[]]>([
    ["an entry of another field", [0x12, 0]],
    ["a number where a message is expected", [0x08, 1]],
    ["an entry longer than the Struct", [0x0a, 5, 0x0a, 1, 0x61]],
    ["a key longer than its entry", [0x0a, 3, 0x0a, 9, 0x61, 0, 0, 0, 0, 0, 0, 0, 0]],
    ["a value longer than its entry", [0x0a, 7, 0x0a, 1, 0x61, 0x12, 4, 0x1a, 1, 0x62, 0x0a, 0]],
    ["a value of a kind that is not known", [0x0a, 7, 0x0a, 1, 0x61, 0x12, 2, 0x38, 1]],
    ["two values in an entry", [0x0a, 7, 0x0a, 1, 0x61, 0x12, 0, 0x12, 0]],
    ["a key that is not UTF-8", [0x0a, 3, 0x0a, 1, 0xff]],
    ["a tag that takes more than one byte", [0x8a, 0x80, 0x80, 0x80, 0x10, 0]],
  ])("with %s are refused", (_, bytes) => {
    expect(() => readStruct(Uint8Array.from(bytes))).toThrow();
  });

  test("nested a million levels deep are refused", () => {
    expect(() => readStruct(listsWithin(1_000_000))).toThrow("nested more than 1000 levels deep");
  });
});

/** What Google's code should read: secrets marked as `writeStruct` is documented to mark them, and -0 as it is. */
function normalized(value: unknown, secretPaths: string[][]): unknown {
  if (secretPaths.some((path) => path.length === 0)) return secretOf(plainOf(value));
  if (typeof value !== "object" || value === null || Array.isArray(value)) return plainOf(value);
  const entries = Object.entries(value).map(([name, item]) => {
    const below = secretPaths.flatMap(([first, ...rest]) => (first === name ? [rest] : []));
    return [name, normalized(item, below)];
  });
  return Object.fromEntries(entries);
}

function plainOf(value: unknown): JavaScriptValue {
  if (value === unknownValue) return unknownString;
  if (Array.isArray(value)) return value.map(plainOf);
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value !== "object" || value === null) return null;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plainOf(item)]));
}

function outcome<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** The lengths at which the bytes of a Struct could end between two properties. Google's code sorts the properties. */
function endsOfEntries(sent: Json): number[] {
  const keys = Object.keys(sent).sort();
  const first = (count: number) => Object.fromEntries(keys.slice(0, count).map((name) => [name, sent[name] ?? null]));
  return [0, ...keys.map((_, index) => written(first(index + 1)).length)];
}

function nested(levels: number): Record<string, unknown> {
  let value: Record<string, unknown> = {};
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
}

/** A Struct with lists within lists. The bytes are made from the inside out, without recursion. */
function listsWithin(levels: number): Uint8Array {
  const heads: number[][] = [];
  let length = 0;
  for (let level = 0; level < levels; level += 1) {
    const head = [0x0a, ...varint(length)];
    const list = [0x32, ...varint(head.length + length)];
    heads.push([...list, ...head]);
    length += list.length + head.length;
  }
  const entry = [0x12, ...varint(length)];
  return Uint8Array.from([0x0a, ...varint(entry.length + length), ...entry, ...heads.reverse().flat()]);
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}

function messageOf(write: (writer: BinaryWriter) => void): Uint8Array {
  const writer = new BinaryWriter();
  write(writer);
  return writer.getResultBuffer();
}

function structOf(...entries: Uint8Array[]): Uint8Array {
  return messageOf((writer) => {
    for (const entry of entries) writer.writeBytes(1, entry);
  });
}

function entryOf(name: string, value: JavaScriptValue): Uint8Array {
  return entryWith(name, Value.fromJavaScript(value).serializeBinary());
}

function entryWith(name: string, value: Uint8Array): Uint8Array {
  return messageOf((writer) => {
    writer.writeString(1, name);
    writer.writeBytes(2, value);
  });
}
