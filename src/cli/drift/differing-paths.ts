import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/json-value.ts";
import { partOf } from "../../json/key-path.ts";
import { secretKey, secretSignature } from "../../provider/secret-marks.ts";
import { isMistakable } from "../../secrets/reference.ts";

/** The keys that lead to a value from the outside in. */
export type KeyPath = readonly string[];

/**
 * The paths at which two tenants differ, or their values at a path. Objects are compared key by key; lists and references to secrets as a whole. Secrets
 * look all the same in a preview, so a secret differs here only from no value. Whether it differs from another value, only the engine
 * can tell.
 */
export function differingPaths(
  left: JsonValue | undefined,
  right: JsonValue | undefined,
  path: KeyPath = [],
): KeyPath[] {
  const isHidden = (isSecret(left) && right !== undefined) || (isSecret(right) && left !== undefined);
  if (isHidden || isDeepStrictEqual(left, right)) return [];
  if (!isBranch(left, path) || !isBranch(right, path)) return [path];
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].flatMap((key) => differingPaths(partOf(left, key), partOf(right, key), [...path, key]));
}

/** Whether the value stands for a secret. The engine replaces a secret with an object that has this mark and no value. */
export function isSecret(value: JsonValue | undefined): boolean {
  return isJsonObject(value) && value[secretKey] === secretSignature;
}

/** Whether the value is a secret or has one at any depth. */
export function hasSecret(value: JsonValue | undefined): boolean {
  if (isSecret(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(hasSecret);
}

/** @param path the setting, and the keys inside it. */
function isBranch(value: JsonValue | undefined, [, ...inside]: KeyPath): value is JsonObject {
  return isJsonObject(value) && !isSecret(value) && !isMistakable(value, inside);
}
