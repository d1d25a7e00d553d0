import { isDeepStrictEqual } from "node:util";
import { isJsonObject } from "../../json/json-value.ts";
import { valueAt } from "../../json/key-path.ts";
import { withoutInexactNumbers } from "../../json/number-sources.ts";
import { parseJson } from "../../json/parse-json.ts";

/** Divides `name#json.key` at its last `#`. */
export function dividedAtKey(rest: string): { name: string; key: string | undefined } {
  const at = rest.lastIndexOf("#");
  return at < 0 ? { name: rest, key: undefined } : { name: rest.slice(0, at), key: rest.slice(at + 1) };
}

/** The value under a key of an object. A key that the object does not have may be a path with dots between its keys. */
export function valueUnder(object: unknown, key: string): unknown {
  if (!isJsonObject(object)) throw new Error("it is not an object of keys and values");
  const path = Object.hasOwn(object, key) ? [key] : key.split(".");
  const value = valueAt(object, path);
  if (value === undefined) throw new Error(`it has no key ${key}`);
  if (!isDeepStrictEqual(value, valueAt(withoutInexactNumbers(object), path))) {
    throw new Error(`${key} has a number that would be rounded: store it as a string`);
  }
  return value;
}

/** The value under a key of a JSON text. No message quotes the text. */
export function valueInJson(text: string, key: string): unknown {
  const parsed = parseJson(text);
  if (!parsed.isJson) throw new Error(`it is ${parsed.problem}, so it has no key ${key}`);
  return valueUnder(parsed.value, key);
}
