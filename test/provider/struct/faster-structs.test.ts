import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isDeepStrictEqual, promisify } from "node:util";
import fc from "fast-check";
import googleProtobuf from "google-protobuf";
import googleStruct from "google-protobuf/google/protobuf/struct_pb.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeStructsFaster } from "../../../src/provider/struct/faster-structs.ts";
import { isGoogleProtobuf } from "../../../src/provider/struct/google-protobuf.ts";

const library: unknown = { ...googleProtobuf, ...googleStruct };
if (!isGoogleProtobuf(library))
  throw new Error("google-protobuf has other classes than the dynamic provider's host had");
const { Struct, BinaryReader, BinaryWriter } = library;

const methodsOfClass = () => {
  const { fromJavaScript, deserializeBinaryFromReader, serializeBinaryToWriter } = Struct;
  return { fromJavaScript, deserializeBinaryFromReader, serializeBinaryToWriter };
};
const methodsOfStructs = () => {
  const { toJavaScript, getFieldsMap } = Struct.prototype;
  return { toJavaScript, getFieldsMap };
};
const methods = () => ({ ofClass: methodsOfClass(), ofStructs: methodsOfStructs() });
const use = ({ ofClass, ofStructs }: ReturnType<typeof methods>) => {
  Object.assign(Struct, ofClass);
  Object.assign(Struct.prototype, ofStructs);
};

const google = methods();
const isFaster = makeStructsFaster(library);
const faster = methods();

test("a host without google-protobuf loads the provider all the same", async () => {
  const folder = await mkdtemp(join(tmpdir(), "provider-host-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const main = join(folder, "cmd", "dynamic-provider", "index.js");
  const module = new URL("../../../src/provider/struct/google-protobuf.ts", import.meta.url);
  await mkdir(dirname(main), { recursive: true });
  await writeFile(
    main,
    `import("${module}").then((own) => console.log(require.main === module, own.googleProtobufOfHost()));`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, [main]);
  expect(stdout).toBe("true undefined\n");
});

/** The result of work, or the message of its error. */
const outcomeOf = (work: () => unknown) => {
  try {
    return { result: work() };
  } catch (error) {
    return { error: String(error) };
  }
};
const bothOutcomes = (work: () => unknown) =>
  [google, faster].map((kind) => {
    use(kind);
    return outcomeOf(work);
  });

/** Writes properties as a field of another message, as the host does. */
const bytesOf = (properties: Record<string, unknown>) => {
  const writer = new BinaryWriter();
  writer.writeMessage(3, Struct.fromJavaScript(properties), Struct.serializeBinaryToWriter);
  return writer.getResultBuffer();
};
/** Reads the message in the first field, with the order of its keys. */
const propertiesIn = (bytes: Uint8Array) => {
  const struct = structIn(bytes);
  const properties = struct.toJavaScript();
  return { properties, text: JSON.stringify(properties), again: struct.toJavaScript() };
};
const structIn = (bytes: Uint8Array) => {
  const reader = new BinaryReader(bytes);
  const struct = new Struct();
  reader.nextField();
  reader.readMessage(struct, Struct.deserializeBinaryFromReader);
  if (reader.nextField()) throw new Error("more than one field was read");
  return struct;
};

/** Any text, also with halves of surrogates, and with what plain objects inherit. */
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom("\ud83d", "\ude00", "a", "\ufeff", "\0") }),
  fc.constantFrom("__proto__", "constructor", "toString", "4", "10", ""),
);
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    text,
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(text, tie("json"), { maxKeys: 4 }),
  ),
}));
const properties = fc.dictionary(text, json, { maxKeys: 5 });

describe("faster structs", () => {
  test("are used with the google-protobuf of the SDK in use", () => {
    expect(isFaster).toBe(true);
    expect(faster.ofClass.fromJavaScript).not.toBe(google.ofClass.fromJavaScript);
  });

  test("have the same bytes for all properties", () => {
    fc.assert(
      fc.property(properties, (value) => {
        const [before, after] = bothOutcomes(() => bytesOf(value));
        // the matchers take a key "constructor" for a class
        expect(isDeepStrictEqual(after, before)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test("are read as the same properties, in the same order", () => {
    fc.assert(
      fc.property(properties, (value) => {
        use(google);
        const bytes = bytesOf(value);
        const [before, after] = bothOutcomes(() => propertiesIn(bytes));
        // the matchers take a key "constructor" for a class
        expect(isDeepStrictEqual(after, before)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test("are read the same from messages in which anything may be", () => {
    const field = fc.tuple(fc.constantFrom(0x08, 0x0a, 0x11, 0x12, 0x1a, 0x20, 0x2a, 0x32, 0x3a, 0x0c), fc.nat(12));
    const bytes = fc.array(fc.oneof(field, fc.uint8Array({ maxLength: 3 }).map(Array.from<number>)), { maxLength: 12 });
    fc.assert(
      fc.property(bytes, (parts) => {
        const struct = parts.flat();
        const message = Uint8Array.from([0x1a, struct.length, ...struct]);
        const [before, after] = bothOutcomes(() => propertiesIn(message).text);
        // where google-protobuf fails, the other fails too; it may notice damage only when it needs the properties
        expect(after?.error === undefined).toBe(before?.error === undefined);
        expect(after?.result).toStrictEqual(before?.result);
      }),
      { numRuns: 5000 },
    );
  });

  test.for([
    ["undefined", { a: { b: undefined } }],
    ["a function", { a: [() => 1] }],
    ["a symbol", { a: Symbol("a") }],
    ["a date", { a: new Date(0) }],
    ["a map", { a: new Map([["b", 1]]) }],
    [
      "an object of a class",
      {
        a: new (class A {
          readonly b = 1;
        })(),
      },
    ],
    ["inherited properties", { a: Object.create({ b: 1 }, { c: { value: 2, enumerable: true } }) }],
    ["an object without prototype", { a: Object.assign(Object.create(null), { b: 1 }) }],
    ["text as an object", { a: Object("b") }],
    ["a list with a gap", { a: Object.assign([1], { 2: 2 }) }],
    ["a large integer", { a: 1n }],
  ] as const)("treat %s as google-protobuf does", ([, value]) => {
    const [before, after] = bothOutcomes(() => propertiesIn(bytesOf(value)));
    expect(after).toStrictEqual(before);
  });

  test("still have a map of their fields", () => {
    const [before, after] = bothOutcomes(() => {
      const struct = googleStruct.Struct.deserializeBinary(bytesOf({ a: { b: [1] }, c: "d" }).subarray(2));
      struct.getFieldsMap().set("e", googleStruct.Value.fromJavaScript({ f: null }));
      return { properties: struct.toJavaScript(), object: struct.toObject(), bytes: struct.serializeBinary() };
    });
    expect(after).toStrictEqual(before);
    expect(after?.result).toHaveProperty("properties.e.f", null);
  });

  test("can come in parts", () => {
    const [before, after] = bothOutcomes(() => {
      const struct = structIn(bytesOf({ a: 1, b: 1 }));
      const reader = new BinaryReader(bytesOf({ b: { c: 2 }, d: 3 }));
      reader.nextField();
      reader.readMessage(struct, Struct.deserializeBinaryFromReader);
      return struct.toJavaScript();
    });
    expect(after).toStrictEqual(before);
    expect(after?.result).toStrictEqual({ a: 1, b: { c: 2 }, d: 3 });
  });

  test("are left to a google-protobuf that works in another way", () => {
    use(google);
    const { toJavaScript } = Struct.prototype;
    const other = function (this: object) {
      return { isOther: true, ...Reflect.apply(toJavaScript, this, []) };
    };
    Struct.prototype.toJavaScript = other;
    expect(makeStructsFaster(library)).toBe(false);
    expect(Struct.prototype.toJavaScript).toBe(other);
    expect(methodsOfClass()).toStrictEqual(google.ofClass);
  });

  test("are left to a google-protobuf that lacks a method", () => {
    const { writeSerializedMessage: _, ...others } = BinaryWriter.prototype;
    const lacking = { Struct, BinaryReader, BinaryWriter: { prototype: others } };
    expect(isGoogleProtobuf(lacking)).toBe(false);
  });
});
