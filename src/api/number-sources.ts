import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
import { isExactNumber, type NumberText, rawNumber } from "./number-text.ts";

/**
 * How numbers stood in the text that they were read from, where JavaScript would write them otherwise: by the object or
 * list that holds them, and their key there. A copy of that object is without them.
 */
const sources = new WeakMap<object, Map<string, string>>();
let areThereAny = false;

/** Notes how a number stood in its text; returns the number. */
export function noteSource({ holder, key, value, source }: NumberText): number {
  const known = sources.get(holder) ?? new Map<string, string>();
  sources.set(holder, known.set(key, source));
  areThereAny = true;
  return value;
}

/**
 * The object in the form that is sent back as it was read: `JSON.stringify` writes each of its numbers as it stood, even
 * one that JavaScript cannot hold (9007199254740993, 1e400) or would write otherwise (1.0). Good for nothing else.
 */
export function asRead(object: JsonObject): JsonObject {
  return mapNumbers(object, rawNumber);
}

/** The object with each number that JavaScript cannot hold as a string: so it is equal to no other number. */
export function withoutInexactNumbers(object: JsonObject): JsonObject {
  return mapNumbers(object, (source) => (isExactNumber(source) ? undefined : source));
}

type Change = (source: string) => JsonValue | undefined;

/** The same object where there is nothing to change. */
function mapNumbers(object: JsonObject, change: Change): JsonObject {
  if (!areThereAny) return object;
  const entries = Object.entries(object).map(([key, value]) => [key, mapped(object, key, value, change)] as const);
  return entries.some(([key, value]) => value !== object[key]) ? Object.fromEntries(entries) : object;
}

function mapped(holder: object, key: string, value: JsonValue, change: Change): JsonValue {
  const source = sources.get(holder)?.get(key);
  if (source !== undefined) return change(source) ?? value;
  if (isJsonObject(value)) return mapNumbers(value, change);
  if (!Array.isArray(value)) return value;
  const items = value.map((item, index) => mapped(value, String(index), item, change));
  return items.some((item, index) => item !== value[index]) ? items : value;
}
