import type { BinaryReader, Properties } from "./google-protobuf.ts";
import {
  boolTag,
  fieldsTag,
  itemsTag,
  keyTag,
  listTag,
  nullTag,
  numberTag,
  stringTag,
  structTag,
  valueTag,
} from "./tags.ts";

/**
 * Reads a `google.protobuf.Struct` as google-protobuf's `toJavaScript` does, with the keys of each object sorted.
 *
 * @returns `undefined` if the message has anything that no engine sends, or that google-protobuf treats in a way of its own.
 */
export function readStruct(reader: BinaryReader): Properties | undefined {
  try {
    return readObject(reader);
  } catch {
    return undefined; // the message is damaged, or unlike what is known here: google-protobuf reads it or says why not
  }
}

function readObject(reader: BinaryReader): Properties {
  const entries: Entry[] = [];
  let isSorted = true;
  let last = "";
  while (reader.nextField()) {
    if (tagOf(reader) !== fieldsTag) throw new UnlikeKnown();
    const entry: Entry = { key: undefined, value: undefined };
    reader.readMessage(entry, readEntry);
    const { key, value } = entry;
    // google-protobuf's maps are objects, to which such a key is another one
    if (key === undefined || value === undefined || key in Object.prototype) throw new UnlikeKnown();
    if (entries.length > 0 && key <= last) isSorted = false;
    last = key;
    entries.push(entry);
  }
  if (!isSorted) entries.sort(byKey);
  const object: Properties = {};
  for (const { key = "", value } of entries) {
    if (Object.hasOwn(object, key)) throw new UnlikeKnown();
    object[key] = value;
  }
  return object;
}

interface Entry {
  key: string | undefined;
  value: unknown;
}

function byKey({ key: one = "" }: Entry, { key: other = "" }: Entry): number {
  return one < other ? -1 : 1;
}

function readEntry(entry: Entry, reader: BinaryReader): void {
  while (reader.nextField()) {
    const tag = tagOf(reader);
    if (tag === keyTag && entry.key === undefined) entry.key = reader.readString();
    else if (tag === valueTag && entry.value === undefined) reader.readMessage(entry, readValue);
    else throw new UnlikeKnown();
  }
}

/** Reads one value, which must be the message's only field. */
function readValue(into: { value: unknown }, reader: BinaryReader): void {
  if (!reader.nextField()) throw new UnlikeKnown();
  switch (tagOf(reader)) {
    case stringTag:
      into.value = reader.readString();
      break;
    case numberTag:
      into.value = reader.readDouble();
      break;
    case boolTag:
      into.value = reader.readBool();
      break;
    case structTag:
      reader.readMessage(into, (_, inner) => {
        into.value = readObject(inner);
      });
      break;
    case listTag:
      reader.readMessage(into, (_, inner) => {
        into.value = readList(inner);
      });
      break;
    case nullTag:
      reader.readEnum(); // it has only one value
      into.value = null;
      break;
    default:
      throw new UnlikeKnown();
  }
  if (reader.nextField()) throw new UnlikeKnown();
}

function readList(reader: BinaryReader): unknown[] {
  const list: unknown[] = [];
  while (reader.nextField()) {
    if (tagOf(reader) !== itemsTag) throw new UnlikeKnown();
    const item = { value: undefined };
    reader.readMessage(item, readValue);
    list.push(item.value);
  }
  return list;
}

function tagOf(reader: BinaryReader): number {
  return reader.getFieldNumber() * 8 + reader.getWireType();
}

class UnlikeKnown extends Error {}
