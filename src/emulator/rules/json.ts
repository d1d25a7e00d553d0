import { z } from "zod";

/** A free-form object of the specification: any JSON object. */
export const jsonObjectSchema = z.record(z.string(), z.unknown());
export type JsonObject = z.infer<typeof jsonObjectSchema>;

/** An object that `JSON.stringify` writes as `digits`, which must be a JSON number. */
export function exactNumber(digits: string): object {
  // TypeScript's library does not declare JSON.rawJSON.
  const write: unknown = Reflect.get(JSON, "rawJSON");
  if (typeof write !== "function") throw new Error("JSON.rawJSON is missing. Run the emulator on Node 22 or newer.");
  return write(digits);
}

/** Whether a value comes from {@link exactNumber}. */
export function isExactNumber(value: unknown): value is { readonly rawJSON: string } {
  const isRaw: unknown = Reflect.get(JSON, "isRawJSON");
  return typeof value === "object" && value !== null && typeof isRaw === "function" && isRaw(value) === true;
}

/** Whether a parsed JSON value is an object: not an array, not null, and not an exact number. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value);
}

/**
 * Parses JSON without changing any number. A number that JavaScript would write differently (9007199254740993, 1e400,
 * 1.0) becomes an object that `JSON.stringify` writes as it was.
 *
 * @throws SyntaxError
 */
export function parseExactJson(text: string) {
  const withoutStrings = text.replace(/"(?:[^"\\]|\\.)*"?/g, ""); // a string without an end takes the rest
  if (!/\d[.eE]|\d{16}|-0/.test(withoutStrings)) return JSON.parse(text); // no such number: JSON.parse alone is ten times as fast
  return JSON.parse(text, (_, value: unknown, context?: { source?: string }) => {
    const source = context?.source;
    return typeof value === "number" && source !== undefined && String(value) !== source ? exactNumber(source) : value;
  });
}

/** A copy in which every exact number is a JavaScript number, which may be rounded. */
export function roundedNumbers(object: JsonObject): JsonObject {
  return mapValues(object, (_, item) => rounded(item));
}

/** A copy of `object` that has the exact numbers of `original`, in the places where `original` has them. */
export function restoreExactNumbers(object: JsonObject, original: JsonObject): JsonObject {
  return mapValues(object, (key, item) => restoreExact(item, own(original, key)));
}

/** Whether a value contains an exact number. */
export function hasExactNumbers(value: unknown): boolean {
  if (isExactNumber(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(hasExactNumbers);
}

function rounded(value: unknown): unknown {
  if (isExactNumber(value)) return Number(value.rawJSON);
  if (Array.isArray(value)) return value.map(rounded);
  return isJsonObject(value) ? roundedNumbers(value) : value;
}

function restoreExact(value: unknown, original: unknown): unknown {
  if (isExactNumber(original)) return original;
  if (Array.isArray(value) && Array.isArray(original)) {
    return value.map((item: unknown, index) => restoreExact(item, original[index]));
  }
  return isJsonObject(value) && isJsonObject(original) ? restoreExactNumbers(value, original) : value;
}

function mapValues(object: JsonObject, change: (key: string, item: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, item]) => [key, change(key, item)]));
}

function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
