/** Any value that JSON can hold. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** An object of JSON values; the specification calls it a free-form object. */
export type JsonObject = { [key: string]: JsonValue };

/** Whether a value that is already known to be JSON is an object: neither a list nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value);
}

/** Whether a value is an object: neither a list nor null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
