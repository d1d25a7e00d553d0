import type { BinaryWriter, Properties } from "./google-protobuf.ts";

/**
 * Writes properties as a `google.protobuf.Struct`, with the same bytes as google-protobuf.
 *
 * @returns whether it could. It cannot write values that are not JSON, which google-protobuf refuses or treats in a way of its
 * own. The writer must then not be used any more.
 */
export function writeStruct(properties: Properties, writer: BinaryWriter): boolean {
  try {
    writeObject(properties, writer);
    return true;
  } catch {
    return false; // google-protobuf writes it or says why not
  }
}

function writeObject(object: object, writer: BinaryWriter): void {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) throw new UnlikeKnown();
  // sorted, as google-protobuf does, so that the bytes can be compared
  for (const entry of Object.entries(object).sort(byKey)) writer.writeMessage(1, entry, writeEntry);
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

function writeEntry([key, value]: readonly [string, unknown], writer: BinaryWriter): void {
  // google-protobuf's maps are objects, to which such a key is another one
  if (key in Object.prototype) throw new UnlikeKnown();
  writer.writeString(1, key);
  writer.writeMessage(2, [value], writeValue);
}

/** @param box the value in a list, as a writer writes nothing for null. */
function writeValue([value]: readonly unknown[], writer: BinaryWriter): void {
  if (typeof value === "string") writer.writeString(3, value);
  else if (typeof value === "number") writer.writeDouble(2, value);
  else if (typeof value === "boolean") writer.writeBool(4, value);
  else if (value === null) writer.writeEnum(1, 0);
  else if (Array.isArray(value)) writer.writeMessage(6, value, writeList);
  else if (typeof value === "object") writer.writeMessage(5, value, writeObject);
  else throw new UnlikeKnown();
}

function writeList(list: readonly unknown[], writer: BinaryWriter): void {
  for (const item of list) writer.writeMessage(1, [item], writeValue);
}

class UnlikeKnown extends Error {}
