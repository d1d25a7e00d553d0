import { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";
import { isUnknown, unknownValue } from "../../json/unknown.ts";
import { secretKey, secretSignature, withMarks } from "../../provider/secret-marks.ts";
import { isUnknownSentinel, unknownSentinel } from "../../provider/unknown-sentinels.ts";

/** The properties of a resource, read from a message of the engine. */
export interface Properties {
  value: Record<string, unknown>;
  /**
   * The paths of the secrets. They are sorted, because the engine sends the properties in any order. A secret within another
   * secret has no path of its own. If a list contains a secret, this has the path of the list, because `writeStruct` marks the
   * whole list.
   */
  secretPaths: string[][];
}

/**
 * How many levels of nesting can be read. This only keeps the call stack from overflowing. The checks of the inputs allow fewer
 * levels, and their messages name the input.
 */
const maxLevels = 1_000;

/**
 * Reads a `google.protobuf.Struct` with the properties of a resource. Secrets are unwrapped. An unknown value becomes
 * {@link unknownValue}. -0 becomes 0, because JSON has no -0 and the platform would return 0. Assets, archives, references to
 * resources and outputs remain objects with the engine's signature.
 *
 * @throws Error if the bytes are truncated, or are not a Struct.
 */
export function readStruct(bytes: Uint8Array): Properties {
  const reader = new StructReader(bytes);
  return { value: reader.readObject(bytes.length), secretPaths: reader.secretPaths.sort(comparePaths) };
}

/**
 * Writes the properties of a resource as a `google.protobuf.Struct`, and marks the values at the paths as secrets. A path
 * without a value is ignored. Properties that are `undefined` are left out.
 *
 * A list with a secret is marked as a whole, because its items may have moved. A value that replaces an object with a secret
 * is also marked as a whole. A null is never a secret.
 */
export function writeStruct(value: object, secretPaths: readonly (readonly string[])[] = []): Uint8Array {
  const writer = new BinaryWriter();
  writeObject(writer, withMarks(value, secretPaths));
  return writer.finish();
}

/**
 * Reads one Struct. The parameter `secretsBefore` of the methods is the length of `secretPaths` when the current value began:
 * the paths from this index on are those of secrets within the value.
 */
class StructReader {
  readonly secretPaths: string[][] = [];
  readonly #reader: BinaryReader;
  /** The path of the value that is being read. */
  readonly #path: string[] = [];

  constructor(bytes: Uint8Array) {
    this.#reader = new BinaryReader(bytes);
  }

  readObject(end: number): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    const secretsBefore = this.secretPaths.length;
    while (this.#reader.pos < end) {
      if (this.#tag() !== fieldsTag) throw notAStruct();
      this.#readEntry(object, secretsBefore);
    }
    this.#expectEnd(end);
    return object;
  }

  /**
   * Reads an entry of the map. In the message the value may come before the key, but the path of the value contains the key. So
   * this skips the value, reads the key, and then returns to the value.
   */
  #readEntry(object: Record<string, unknown>, secretsBefore: number): void {
    const reader = this.#reader;
    const end = this.#end();
    let key = "";
    let valueAt: number | undefined;
    while (reader.pos < end) {
      const tag = this.#tag();
      if (tag === keyTag) key = reader.string(true);
      else if (tag === valueTag && valueAt === undefined) {
        valueAt = reader.pos;
        reader.pos = this.#end();
      } else throw notAStruct();
    }
    this.#expectEnd(end);
    if (this.secretPaths.length > secretsBefore && Object.hasOwn(object, key)) this.#forget(key, secretsBefore);
    this.#path.push(key);
    setOwn(object, key, valueAt === undefined ? null : this.#readValueAt(valueAt));
    this.#path.pop();
    reader.pos = end;
  }

  #readValueAt(start: number): unknown {
    this.#reader.pos = start;
    return this.#readValue(this.#end());
  }

  #readValue(end: number): unknown {
    if (this.#path.length > maxLevels)
      throw new Error(`properties must not be nested more than ${maxLevels} levels deep`);
    const reader = this.#reader;
    const secretsBefore = this.secretPaths.length;
    let value: unknown = null;
    while (reader.pos < end) {
      const tag = this.#tag();
      // a Value is a oneof: of several fields the last one counts, so the secrets within the others are forgotten
      if (this.secretPaths.length > secretsBefore) this.secretPaths.length = secretsBefore;
      if (tag === stringTag) value = stringOrUnknown(reader.string(true));
      else if (tag === numberTag)
        value = reader.double() + 0; // -0 + 0 is 0
      else if (tag === boolTag) value = reader.bool();
      else if (tag === structTag) value = this.#unwrapped(this.readObject(this.#end()), secretsBefore);
      else if (tag === listTag) value = this.#readList(this.#end(), secretsBefore);
      else if (tag === nullTag) {
        reader.int32(); // its only value
        value = null;
      } else throw notAStruct();
    }
    this.#expectEnd(end);
    return value;
  }

  #readList(end: number, secretsBefore: number): unknown[] {
    const list: unknown[] = [];
    while (this.#reader.pos < end) {
      if (this.#tag() !== itemsTag) throw notAStruct();
      this.#path.push(String(list.length));
      list.push(this.#readValue(this.#end()));
      this.#path.pop();
    }
    this.#expectEnd(end);
    if (this.secretPaths.length > secretsBefore) this.#addSecret(secretsBefore);
    return list;
  }

  /** The secret value if the object is the engine's mark of a secret, otherwise the object. */
  #unwrapped(object: Record<string, unknown>, secretsBefore: number): unknown {
    if (object[secretKey] !== secretSignature) return object;
    const { value = null } = object;
    this.secretPaths.length = secretsBefore;
    if (value !== null) this.#addSecret(secretsBefore);
    return value;
  }

  /** Adds the path of the value that is being read, in place of the paths within it. */
  #addSecret(secretsBefore: number): void {
    this.secretPaths.length = secretsBefore;
    this.secretPaths.push([...this.#path]);
  }

  /** Removes the secrets of a property that occurs again: the last occurrence counts. */
  #forget(key: string, secretsBefore: number): void {
    const depth = this.#path.length;
    const others = this.secretPaths.slice(secretsBefore).filter((path) => path[depth] !== key);
    this.secretPaths.splice(secretsBefore, Infinity, ...others);
  }

  /** The tag of the next field. All tags of a Struct have one byte. */
  #tag(): number {
    const start = this.#reader.pos;
    const tag = this.#reader.uint32();
    if (this.#reader.pos > start + 1) throw notAStruct();
    return tag;
  }

  /** The end of the message that begins here with its length. */
  #end(): number {
    const length = this.#reader.uint32();
    return this.#reader.pos + length;
  }

  #expectEnd(end: number): void {
    if (this.#reader.pos !== end) throw notAStruct();
  }
}

/** Also for an unknown field. Other messages skip such fields, but here a value of a new kind would become null. */
function notAStruct(): Error {
  return new Error("these bytes are not a google.protobuf.Struct");
}

/** The string, or the unknown value if the string is one of the engine's sentinels for it. */
function stringOrUnknown(text: string): unknown {
  return isUnknownSentinel(text) ? unknownValue : text;
}

/** An assignment to `__proto__` would set the prototype. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true });
}

function comparePaths(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((key, index) => key !== other[index]);
  if (at === -1) return one.length - other.length;
  return (one[at] ?? "") < (other[at] ?? "") ? -1 : 1;
}

function writeObject(writer: BinaryWriter, object: object): void {
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) continue;
    writer.uint32(fieldsTag).fork().uint32(keyTag).string(key).uint32(valueTag).fork();
    writeValue(writer, value);
    writer.join().join();
  }
}

function writeValue(writer: BinaryWriter, value: unknown): void {
  if (typeof value === "string") writer.uint32(stringTag).string(value);
  else if (typeof value === "number") writer.uint32(numberTag).double(value);
  else if (typeof value === "boolean") writer.uint32(boolTag).bool(value);
  else if (value === null || value === undefined) writer.uint32(nullTag).int32(0);
  else if (isUnknown(value)) writer.uint32(stringTag).string(unknownSentinel);
  else if (Array.isArray(value)) writeList(writer, value);
  else if (typeof value === "object") {
    writer.uint32(structTag).fork();
    writeObject(writer, value);
    writer.join();
  } else throw new TypeError(`a ${typeof value} is not a valid property value`);
}

function writeList(writer: BinaryWriter, list: readonly unknown[]): void {
  writer.uint32(listTag).fork();
  for (const item of list) {
    writer.uint32(itemsTag).fork();
    writeValue(writer, item);
    writer.join();
  }
  writer.join();
}

// The tags of the fields of google.protobuf.Struct, Value and ListValue: a field's number and wire type in one byte.

/** Of Struct: map<string, Value>. */
export const fieldsTag = 0x0a;
/** Of an entry of the map. */
export const keyTag = 0x0a;
export const valueTag = 0x12;
/** Of Value: one of these six. */
const nullTag = 0x08;
const numberTag = 0x11;
const stringTag = 0x1a;
const boolTag = 0x20;
const structTag = 0x2a;
export const listTag = 0x32;
/** Of ListValue: repeated Value. */
export const itemsTag = 0x0a;
