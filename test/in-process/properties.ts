import { isDeepStrictEqual } from "node:util";
import struct, { type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb.js";
import { secretMark } from "../provider/host-kinds.ts";

/** Properties of a resource as the engine has them: with its marks of secrets. */
export type Properties = Record<string, JavaScriptValue>;

const [signature = ""] = Object.keys(secretMark);

export function toStruct(properties: Properties): struct.Struct {
  return struct.Struct.fromJavaScript(properties);
}

/** Also what a provider gives as JavaScript: what JSON does not have is lost, as on the wire. */
export function fromStruct(properties: struct.Struct | undefined): Properties {
  return properties?.toJavaScript() ?? {};
}

/** The value without its marks. */
export function inClear(value: Properties): Properties;
export function inClear(value: JavaScriptValue): JavaScriptValue;
export function inClear(value: JavaScriptValue): JavaScriptValue {
  return unmarked(value, (content) => inClear(content));
}

/** The value as an exported state has it. */
export function withoutSecrets(value: JavaScriptValue): JavaScriptValue {
  return unmarked(value, () => ({ ...secretMark, ciphertext: "v1:of-the-test" }));
}

function unmarked(value: JavaScriptValue, shown: (content: JavaScriptValue) => JavaScriptValue): JavaScriptValue {
  if (Array.isArray(value)) return value.map((item) => unmarked(item, shown));
  if (!isObject(value)) return value;
  if (isSecret(value)) return shown(value.value ?? null);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unmarked(item, shown)]));
}

/** Marks in the answer of a provider that knows no secrets what was marked in the same places of its request. */
export function markedLike(answer: Properties, request: Properties): Properties {
  const entries = Object.entries(answer).map(([key, value]) => [key, markedLikeValue(value, request[key])]);
  return Object.fromEntries(entries);
}

function markedLikeValue(value: JavaScriptValue, marked: JavaScriptValue | undefined): JavaScriptValue {
  if (marked === undefined || isSecret(value)) return value;
  if (isSecret(marked)) return secretOf(value);
  if (isObject(value) && isObject(marked)) return markedLike(value, marked);
  const areLists = Array.isArray(value) && Array.isArray(marked) && value.length === marked.length;
  return areLists ? value.map((item, index) => markedLikeValue(item, marked[index])) : value;
}

export function markedAt(properties: Properties, keys: readonly string[]): Properties {
  const marked = Object.entries(properties).map(([key, value]): [string, JavaScriptValue] => [
    key,
    keys.includes(key) ? secretOf(value) : value,
  ]);
  return Object.fromEntries(marked);
}

function secretOf(value: JavaScriptValue): JavaScriptValue {
  return isSecret(value) ? value : { ...secretMark, value };
}

function isSecret(value: JavaScriptValue): boolean {
  return isObject(value) && signature in value;
}

function isObject(value: JavaScriptValue | undefined): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a path of an option such as `replaceOnChanges`, for example `configs.region`, has another value now. */
export function isChangedAt(path: string, before: Properties, now: Properties): boolean {
  const keys = path.split(".");
  const at = (properties: Properties) =>
    keys.reduce<JavaScriptValue | undefined>(
      (value, key) => (isObject(value) ? value[key] : undefined),
      inClear(properties),
    );
  return !isDeepStrictEqual(at(before), at(now));
}
