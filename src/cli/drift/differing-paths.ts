import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "../../api/index.ts";

/** Keys from the outside in. */
export type Path = readonly string[];

/**
 * Where two values differ, to the depth at which one of them is no object. Lists are taken whole, and so are secrets,
 * which all look the same here and differ from nothing: of those the engine tells.
 */
export function differingPaths(left: JsonValue | undefined, right: JsonValue | undefined, path: Path = []): Path[] {
  const isHidden = (isSecret(left) && right !== undefined) || (isSecret(right) && left !== undefined);
  if (isHidden || isDeepStrictEqual(left, right)) return [];
  if (!isBranch(left) || !isBranch(right)) return [path];
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].flatMap((key) => differingPaths(childOf(left, key), childOf(right, key), [...path, key]));
}

/** A path as the engine writes it: `configs["a.b"].c`. */
export function pathText(path: Path): string {
  const parts = path.map((key) => (/^\w+$/.test(key) ? `.${key}` : `["${key.replaceAll('"', '\\"')}"]`));
  return parts.join("").replace(/^\./, "");
}

/** Whether the one path leads to the other, or is the same. */
export function isOnTheWay(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return long.startsWith(short) && (long.length === short.length || /^[.[]/.test(long.slice(short.length)));
}

/** What stands in place of a secret: an object that the engine marks, its value masked already. */
export function isSecret(value: JsonValue | undefined): boolean {
  return isJsonObject(value) && value[signatureKey] !== undefined;
}

/** What has no meaning but to the engine. */
const signatureKey = "4dabf18193072939515e22adb298388d";

function isBranch(value: JsonValue | undefined): value is JsonObject {
  return isJsonObject(value) && !isSecret(value);
}

function childOf(value: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
