import { type BinaryReader, type BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/** A protobuf type: how one value of it is read and written. */
export interface Type<Read, Written = Read> {
  readonly wireType: WireType;
  defaultValue(): Read;
  read(reader: BinaryReader): Read;
  write(writer: BinaryWriter, value: Written): void;
}

/** A type that is no message. A field of it whose value is the default is not sent. */
export interface Scalar<Value> extends Type<Value> {
  isDefault(value: Value): boolean;
}

/** A field of a message: its number, and how its values are read and written. */
export interface Field<Read, Written = Read> {
  readonly number: number;
  readonly wireType: WireType;
  /** The value of a field that is not in the message. */
  absent(): Read;
  /**
   * Reads one occurrence of the field.
   *
   * @param before the value of the field's occurrences so far.
   */
  read(reader: BinaryReader, before: Read): Read;
  write(writer: BinaryWriter, value: Written): void;
}

export const string = scalar<string>(
  WireType.LengthDelimited,
  "",
  (reader) => reader.string(true),
  (writer, value) => writer.string(value),
);

/** A view of the bytes of the message that was read, not a copy. */
export const bytes: Scalar<Uint8Array> = {
  ...scalar(
    WireType.LengthDelimited,
    new Uint8Array(),
    (reader) => reader.bytes(),
    (writer, value) => writer.bytes(value),
  ),
  isDefault: (value) => value.length === 0,
};

export const bool = scalar(
  WireType.Varint,
  false,
  (reader) => reader.bool(),
  (writer, value) => writer.bool(value),
);

/** Also the type of enums: a newer engine may send values that this version does not know. */
export const int32 = scalar(
  WireType.Varint,
  0,
  (reader) => reader.int32(),
  (writer, value) => writer.int32(value),
);

export const double = scalar(
  WireType.Bit64,
  0,
  (reader) => reader.double(),
  (writer, value) => writer.double(value),
);

function scalar<Value>(
  wireType: WireType,
  defaultValue: Value,
  read: (reader: BinaryReader) => Value,
  write: (writer: BinaryWriter, value: Value) => void,
): Scalar<Value> {
  return {
    wireType,
    defaultValue: () => defaultValue,
    isDefault: (value) => Object.is(value, defaultValue),
    read,
    write,
  };
}

/** A field without presence: if it is absent, it has the type's default. */
export function field<Value>(number: number, type: Scalar<Value>): Field<Value> {
  return {
    number,
    wireType: type.wireType,
    absent: () => type.defaultValue(),
    read: (reader) => type.read(reader),
    write(writer, value) {
      if (!type.isDefault(value)) writeTagged(writer, number, type, value);
    },
  };
}

/** A field with presence: `undefined` if it is absent. A default is sent. If the field occurs twice, the last one counts. */
export function optional<Read, Written>(
  number: number,
  type: Type<Read, Written>,
): Field<Read | undefined, Written | undefined> {
  return {
    number,
    wireType: type.wireType,
    absent: () => undefined,
    read: (reader) => type.read(reader),
    write(writer, value) {
      if (value !== undefined) writeTagged(writer, number, type, value);
    },
  };
}

/** A list of strings or messages. Lists of numbers, which protobuf packs, are not supported. */
export function repeated<Read, Written>(number: number, type: Type<Read, Written>): Field<Read[], readonly Written[]> {
  return {
    number,
    wireType: type.wireType,
    absent: () => [],
    read(reader, before) {
      before.push(type.read(reader));
      return before;
    },
    write(writer, values) {
      for (const value of values) writeTagged(writer, number, type, value);
    },
  };
}

function writeTagged<Written>(
  writer: BinaryWriter,
  number: number,
  type: Type<unknown, Written>,
  value: Written,
): void {
  writer.tag(number, type.wireType);
  type.write(writer, value);
}
