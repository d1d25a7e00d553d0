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

/** A copy of a value with another part at a path; the value itself if it has no object or item on the way. */
export function withPart(value: JsonObject, path: readonly string[], part: JsonValue): JsonObject;
export function withPart(value: JsonValue, path: readonly string[], part: JsonValue): JsonValue;
export function withPart(value: object, path: readonly string[], part: unknown): object;
export function withPart(value: unknown, path: readonly string[], part: unknown): unknown;
export function withPart(value: unknown, path: readonly string[], part: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return part;
  const old = partOf(value, key);
  const isLast = rest.length === 0;
  if (isJsonObject(value) && (isLast || old !== undefined)) {
    return { ...value, [key]: isLast ? part : withPart(old ?? null, rest, part) };
  }
  return Array.isArray(value) && old !== undefined ? value.with(Number(key), withPart(old, rest, part)) : value;
}

/** A copy of an object without the part at a path; the object itself if it has none there. */
export function withoutPart(value: JsonObject, path: readonly string[]): JsonObject;
export function withoutPart(value: JsonValue, path: readonly string[]): JsonValue;
export function withoutPart(value: JsonValue, path: readonly string[]): JsonValue {
  const [key = "", ...rest] = path;
  const old = partOf(value, key);
  if (old === undefined || typeof value !== "object" || value === null) return value;
  if (rest.length > 0) return withPart(value, [key], withoutPart(old, rest));
  return isJsonObject(value) ? Object.fromEntries(Object.entries(value).filter(([other]) => other !== key)) : value;
}

/** Whether a path leads to the place of another one, or to a part of it. */
export function isAtOrWithin(path: KeyPath, container: KeyPath): boolean {
  return path.length >= container.length && container.every((key, index) => key === path[index]);
}

/** The paths without those that are the same as an earlier one. */
export function distinctPaths<Path extends readonly string[]>(paths: readonly Path[]): Path[] {
  return [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()];
}

/** `["status", "connectors", 3, "name"]` as `status.connectors[3].name`. */
export function formatPath(path: KeyPath): string {
  return path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}
