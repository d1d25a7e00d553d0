import { createRequire } from "node:module";

/** A message `google.protobuf.Struct` of google-protobuf. */
export interface Struct {
  /** @param noLazyCreate whether to return `undefined` instead of creating an empty map. */
  getFieldsMap(noLazyCreate?: boolean): unknown;
  toJavaScript(): Properties;
}

export type Properties = Record<string, unknown>;

/** The class of {@link Struct}. */
export interface StructClass {
  new (): Struct;
  readonly prototype: Struct;
  fromJavaScript(properties: Properties): Struct;
  deserializeBinaryFromReader(struct: Struct, reader: BinaryReader): Struct;
  serializeBinaryToWriter(struct: Struct, writer: BinaryWriter): void;
}

/** The part of google-protobuf's reader that reads a Struct. */
export interface BinaryReader {
  getBuffer(): Uint8Array;
  getCursor(): number;
  nextField(): boolean;
  skipField(): void;
  isEndGroup(): boolean;
  getFieldNumber(): number;
  getWireType(): number;
  /** Reads an embedded message with `read`, which must read to the end of it. */
  readMessage<Message>(message: Message, read: (message: Message, reader: BinaryReader) => void): void;
  readEnum(): number;
  readDouble(): number;
  readString(): string;
  readBool(): boolean;
}

/** The part of google-protobuf's writer that writes a Struct. */
export interface BinaryWriter {
  writeEnum(field: number, value: number): void;
  writeDouble(field: number, value: number): void;
  writeString(field: number, value: string): void;
  writeBool(field: number, value: boolean): void;
  /** Writes an embedded message with `write`; nothing if the message is null. */
  writeMessage<Message>(field: number, message: Message, write: (message: Message, writer: BinaryWriter) => void): void;
  writeSerializedMessage(bytes: Uint8Array, start: number, end: number): void;
  getResultBuffer(): Uint8Array;
}

/** The classes of google-protobuf that work on Structs. */
export interface GoogleProtobuf {
  Struct: StructClass;
  BinaryReader: new (bytes: Uint8Array) => BinaryReader;
  BinaryWriter: new () => BinaryWriter;
}

/** The google-protobuf of this process's dynamic provider host; `undefined` if the process is no such host, or has another one. */
export function googleProtobufOfHost(): GoogleProtobuf | undefined {
  const { main } = createRequire(import.meta.url);
  if (main === undefined || !/[\\/]cmd[\\/]dynamic-provider[\\/]index\.js$/.test(main.filename)) return undefined;
  try {
    const found: unknown = { ...main.require("google-protobuf"), ...main.require(structModule) };
    return isGoogleProtobuf(found) ? found : undefined;
  } catch {
    return undefined; // an SDK without google-protobuf: its resources must work all the same
  }
}

const structModule = "google-protobuf/google/protobuf/struct_pb.js";

/** Whether the classes have all the methods that are used here. */
export function isGoogleProtobuf(found: unknown): found is GoogleProtobuf {
  return (
    areMethods(at(found, "Struct"), ["fromJavaScript", "deserializeBinaryFromReader", "serializeBinaryToWriter"]) &&
    areMethods(at(found, "Struct", "prototype"), ["getFieldsMap", "toJavaScript"]) &&
    areMethods(at(found, "BinaryReader", "prototype"), readerMethods) &&
    areMethods(at(found, "BinaryWriter", "prototype"), writerMethods)
  );
}

const readerMethods: (keyof BinaryReader)[] = [
  "getBuffer",
  "getCursor",
  "nextField",
  "skipField",
  "isEndGroup",
  "getFieldNumber",
  "getWireType",
  "readMessage",
  "readEnum",
  "readDouble",
  "readString",
  "readBool",
];

const writerMethods: (keyof BinaryWriter)[] = [
  "writeEnum",
  "writeDouble",
  "writeString",
  "writeBool",
  "writeMessage",
  "writeSerializedMessage",
  "getResultBuffer",
];

function at(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const key of path) current = current === undefined || current === null ? undefined : Object(current)[key];
  return current;
}

function areMethods(owner: unknown, names: readonly string[]): boolean {
  return names.every((name) => typeof at(owner, name) === "function");
}
