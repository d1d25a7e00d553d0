import { isJsonObject, type JsonObject, type JsonValue } from "./json-value.ts";
import { isExactNumber, type NumberText, rawNumber } from "./number-text.ts";

/**
 * The texts of parsed numbers, where JavaScript would write them otherwise: by the object or list that holds the number, and
 * the number's key there. A copy of that object has none.
 */
const sources = new WeakMap<object, Map<string, string>>();
let hasSources = false;

/** Remembers the text of a number; returns the number. */
export function noteSource({ holder, key, value, source }: NumberText): number {
  const known = sources.get(holder) ?? new Map<string, string>();
  sources.set(holder, known.set(key, source));
  hasSources = true;
  return value;
}

/** Whether the number under a key of a parsed object or list is another one than its text, which JavaScript cannot hold. */
export function isRounded(holder: object, key: string): boolean {
  const source = sources.get(holder)?.get(key);
  return source !== undefined && !isExactNumber(source);
}

/**
 * A form of the object for `JSON.stringify` only, which then writes each number as it was read: even one that JavaScript
 * cannot hold (9007199254740993, 1e400) or would write otherwise (1.0).
 */
export function asRead(object: JsonObject): JsonObject {
  return mapNumbers(object, rawNumber);
}

/** The object with a string in place of each number that JavaScript cannot hold: rounded, two such numbers could look equal. */
export function withoutInexactNumbers(object: JsonObject): JsonObject {
  return mapNumbers(object, (source) => (isExactNumber(source) ? undefined : source));
}

/**
 * The value with a number in place of each string that {@link withoutInexactNumbers} may have put there: it is the text of a number
 * that JavaScript cannot hold, and the live object has such a number there. The value itself where there is no such string.
 *
 * @param form `"raw"` for `JSON.stringify` only, which then writes the number as its text has it; `"rounded"` for a check.
 */
export function withInexactNumbers<Value>(value: Value, live: JsonObject, form: "raw" | "rounded"): Value;
export function withInexactNumbers(value: unknown, live: JsonObject, form: "raw" | "rounded"): unknown {
  return hasSources ? restored({ value, holder: { live }, key: "live", form }) : value;
}

interface Restored {
  value: unknown;
  /** What has the live value, and its key there. */
  holder: object;
  key: string;
  form: "raw" | "rounded";
}

function restored({ value, holder, key, form }: Restored): unknown {
  const source = sources.get(holder)?.get(key);
  if (source !== undefined && typeof value === "string") {
    if (!isInexact(source) || !isInexact(value)) return value;
    return form === "raw" ? rawNumber(value) : Number(value);
  }
  const live: unknown = Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined;
  if (typeof value !== "object" || value === null || typeof live !== "object" || live === null) return value;
  const entries = Object.entries(value).map(([part, item]): [string, unknown, unknown] => [
    part,
    item,
    restored({ value: item, holder: live, key: part, form }),
  ]);
  if (entries.every(([, item, now]) => now === item)) return value;
  return Array.isArray(value)
    ? entries.map(([, , now]) => now)
    : Object.fromEntries(entries.map(([part, , now]) => [part, now]));
}

function isInexact(text: string): boolean {
  return numberText.test(text) && !isExactNumber(text);
}

/** The text of a number in JSON. */
const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

type Change = (source: string) => JsonValue | undefined;

/** Returns the object itself where no number changes. */
function mapNumbers(object: JsonObject, change: Change): JsonObject {
  if (!hasSources) return object;
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
