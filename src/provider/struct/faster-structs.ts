import { isDeepStrictEqual } from "node:util";
import type { GoogleProtobuf, Properties, Struct } from "./google-protobuf.ts";
import { readStruct } from "./read-struct.ts";
import { writeStruct } from "./write-struct.ts";

/**
 * Makes a process convert properties faster from and to the engine's messages: see docs/decisions/faster-structs.md. All
 * results are those of google-protobuf itself, which also does the work for whatever is not expected here.
 *
 * @returns whether it was done. It is not if google-protobuf works in another way than is known here.
 */
export function makeStructsFaster(google: GoogleProtobuf): boolean {
  const { Struct: StructClass, BinaryReader, BinaryWriter } = google;
  const { fromJavaScript, deserializeBinaryFromReader, serializeBinaryToWriter } = StructClass;
  const { toJavaScript, getFieldsMap } = StructClass.prototype;
  const before = resultsOf(google);
  /** The messages that google-protobuf itself has neither read nor written yet. */
  const bytesOf = new WeakMap<Struct, Uint8Array>();

  /** Lets google-protobuf read a message, for those who need more of it than its properties. */
  const readFully = (struct: Struct) => {
    const bytes = bytesOf.get(struct);
    bytesOf.delete(struct);
    if (bytes !== undefined) deserializeBinaryFromReader.call(StructClass, struct, new BinaryReader(bytes));
  };
  const isEmpty = (struct: Struct) => !bytesOf.has(struct) && getFieldsMap.call(struct, true) === undefined;

  StructClass.deserializeBinaryFromReader = (struct, reader) => {
    if (!isEmpty(struct)) {
      readFully(struct); // a message may come in parts, of which the later ones change the earlier ones
      return deserializeBinaryFromReader.call(StructClass, struct, reader);
    }
    const start = reader.getCursor();
    while (reader.nextField() && !reader.isEndGroup()) reader.skipField();
    bytesOf.set(struct, reader.getBuffer().subarray(start, reader.getCursor()));
    return struct;
  };
  StructClass.prototype.toJavaScript = function (this: Struct) {
    const bytes = bytesOf.get(this);
    return (bytes && readStruct(new BinaryReader(bytes))) ?? toJavaScript.call(this);
  };
  StructClass.prototype.getFieldsMap = function (this: Struct, noLazyCreate?: boolean) {
    readFully(this);
    return getFieldsMap.call(this, noLazyCreate);
  };
  StructClass.fromJavaScript = (properties: Properties) => {
    const writer = new BinaryWriter();
    if (!writeStruct(properties, writer)) return fromJavaScript.call(StructClass, properties);
    const struct = new StructClass();
    bytesOf.set(struct, writer.getResultBuffer());
    return struct;
  };
  StructClass.serializeBinaryToWriter = (struct, writer) => {
    const bytes = bytesOf.get(struct);
    if (bytes === undefined) serializeBinaryToWriter.call(StructClass, struct, writer);
    else writer.writeSerializedMessage(bytes, 0, bytes.length);
  };

  if (before !== undefined && isDeepStrictEqual(resultsOf(google), before)) return true;
  Object.assign(StructClass, { fromJavaScript, deserializeBinaryFromReader, serializeBinaryToWriter });
  Object.assign(StructClass.prototype, { toJavaScript, getFieldsMap });
  return false;
}

/** An example of each kind of value, in objects and lists, and some of the traps. */
const example = {
  text: "é😀\ufeff",
  empty: "",
  numbers: [0, -0, 1.5, -1e300, 2 ** 53],
  both: [true, false],
  nothing: null,
  list: [null, [], {}, [{ "": [null] }]],
  2: { b: { c: "" }, a: 1 },
};

/** What google-protobuf makes of the example; `undefined` if it fails. */
function resultsOf({ Struct: StructClass, BinaryReader, BinaryWriter }: GoogleProtobuf): object | undefined {
  try {
    const struct = StructClass.fromJavaScript(example);
    const writer = new BinaryWriter();
    writer.writeMessage(5, struct, StructClass.serializeBinaryToWriter); // as a part of another message
    const bytes = writer.getResultBuffer();
    const reader = new BinaryReader(bytes);
    const copy = new StructClass();
    const isRead = reader.nextField() && reader.getFieldNumber() === 5;
    reader.readMessage(copy, StructClass.deserializeBinaryFromReader);
    const properties = copy.toJavaScript();
    return { bytes, isRead, isAtEnd: !reader.nextField(), properties, text: JSON.stringify(properties) };
  } catch {
    return undefined;
  }
}
