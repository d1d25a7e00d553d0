// The tags of the fields of google.protobuf.Struct, Value and ListValue: a field's number and wire type in one byte.

/** Of Struct: map<string, Value>. */
export const fieldsTag = 0x0a;
/** Of an entry of the map. */
export const keyTag = 0x0a;
export const valueTag = 0x12;
/** Of Value: one of these six. */
export const nullTag = 0x08;
export const numberTag = 0x11;
export const stringTag = 0x1a;
export const boolTag = 0x20;
export const structTag = 0x2a;
export const listTag = 0x32;
/** Of ListValue: repeated Value. */
export const itemsTag = 0x0a;
