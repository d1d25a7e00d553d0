import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { type Field, field, optional, string, type Type } from "./field.ts";

/** A message of a protocol: its fields by their names. */
export type Message = Readonly<Record<string, Field<unknown>>>;

/** What {@link decode} returns: every field. An absent field has its type's default, or `undefined` if it is optional. */
export type Decoded<M extends Message> = { [Name in keyof M]: ReturnType<M[Name]["absent"]> };

/** What {@link encode} takes. A field that is left out is absent. */
export type Encodable<M extends Message> = {
  readonly [Name in keyof M]?: Parameters<M[Name]["write"]>[1] | undefined;
};

/**
 * Reads a message. Fields that its table does not name are skipped.
 *
 * Throws if the bytes are truncated, or are not such a message.
 *
 * @example
 * const { urn, news } = decode(checkRequest, bytes);
 */
export function decode<M extends Message>(message: M, bytes: Uint8Array): Decoded<M>;
export function decode(message: Message, bytes: Uint8Array): Record<string, unknown> {
  const reader = new BinaryReader(bytes);
  const names = namesByNumber(message);
  const value = Object.fromEntries(Object.entries(message).map(([name, { absent }]) => [name, absent()]));
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    const name = names.get(number) ?? "";
    const known = message[name];
    if (known === undefined) {
      reader.skip(wireType, number);
      continue;
    }
    if (wireType !== known.wireType) throw new Error(`field ${name} has the wire type ${wireType}`);
    value[name] = known.read(reader, value[name]);
  }
  return value;
}

/** Writes a message. */
export function encode<M extends Message>(message: M, value: Encodable<M>): Uint8Array;
export function encode(message: Message, value: Readonly<Record<string, unknown>>): Uint8Array {
  const writer = new BinaryWriter();
  for (const [name, known] of Object.entries(message)) {
    if (value[name] !== undefined) known.write(writer, value[name]);
  }
  return writer.finish();
}

/** A message within another one. */
export function embedded<M extends Message>(message: M): Type<Decoded<M>, Encodable<M>> {
  return {
    wireType: WireType.LengthDelimited,
    defaultValue: () => decode(message, new Uint8Array()),
    read: (reader) => decode(message, reader.bytes()),
    write: (writer, value) => writer.bytes(encode(message, value)),
  };
}

/** A map with strings as keys. If a key occurs twice, the last one counts. */
export function map<Read, Written>(
  number: number,
  type: Type<Read, Written>,
): Field<Map<string, Read>, ReadonlyMap<string, Written>> {
  const entry = embedded({ key: field(1, string), value: optional(2, type) });
  return {
    number,
    wireType: entry.wireType,
    absent: () => new Map(),
    read(reader, before) {
      const { key, value = type.defaultValue() } = entry.read(reader);
      return before.set(key, value);
    },
    write(writer, values) {
      for (const [key, value] of values) {
        writer.tag(number, entry.wireType);
        entry.write(writer, { key, value });
      }
    },
  };
}

const cachedNames = new WeakMap<Message, ReadonlyMap<number, string>>();

function namesByNumber(message: Message): ReadonlyMap<number, string> {
  const cached = cachedNames.get(message);
  if (cached !== undefined) return cached;
  const names = new Map(Object.entries(message).map(([name, { number }]): [number, string] => [number, name]));
  cachedNames.set(message, names);
  return names;
}
