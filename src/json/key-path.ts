import { isJsonObject, type JsonObject, type JsonValue } from "./json-value.ts";
import { isUnknown } from "./unknown.ts";

/** Where a part of a value is: keys of objects and indexes of lists, from the outside in. */
export type KeyPath = readonly PropertyKey[];

/**
 * The value at a path; `undefined` where there is none. Only own properties and items of lists count. An unknown value on
 * the way is the result, as all of its parts are unknown.
 */
export function valueAt(value: JsonValue | undefined, path: KeyPath): JsonValue | undefined;
export function valueAt(value: unknown, path: KeyPath): unknown;
export function valueAt(value: unknown, path: KeyPath): unknown {
  let current = value;
  for (const key of path) current = partOf(current, key);
  return current;
}

/** The own property or the item of a value, as {@link valueAt} finds it for a path of one key. */
export function partOf(value: JsonValue | undefined, key: PropertyKey): JsonValue | undefined;
export function partOf(value: unknown, key: PropertyKey): unknown;
export function partOf(value: unknown, key: PropertyKey): unknown {
  if (isUnknown(value)) return value;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return Array.isArray(value) && key === "length" ? undefined : Reflect.get(value, key);
}

/** A copy of an object with a value at a path of keys; the object itself if there is no object on the way. */
export function withValueAt(object: JsonObject, path: readonly string[], value: JsonValue): JsonObject {
  const [key, ...rest] = path;
  if (key === undefined) return object;
  if (rest.length === 0) return { ...object, [key]: value };
  const part = partOf(object, key);
  return isJsonObject(part) ? { ...object, [key]: withValueAt(part, rest, value) } : object;
}

/** `["status", "connectors", 3, "name"]` as `status.connectors[3].name`. */
export function formatPath(path: KeyPath): string {
  return path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}
