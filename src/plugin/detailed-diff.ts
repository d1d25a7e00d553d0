import { isDeepStrictEqual } from "node:util";
import { isObject } from "../json/json-value.ts";
import { partOf } from "../json/key-path.ts";
import { isWithoutPath } from "../provider/keys-without-path.ts";
import type { EngineProperties } from "./properties.ts";
import { PropertyDiff_Kind } from "./wire/protocol_pb.ts";

/** The kinds of the changes by Pulumi's property paths, such as `configs.region` or `tenants["a/b"].configs`. */
export type DetailedDiff = Map<string, { kind: PropertyDiff_Kind; inputDiff: true }>;

type Path = readonly string[];

const kinds = {
  add: { update: PropertyDiff_Kind.ADD, replace: PropertyDiff_Kind.ADD_REPLACE },
  delete: { update: PropertyDiff_Kind.DELETE, replace: PropertyDiff_Kind.DELETE_REPLACE },
  change: { update: PropertyDiff_Kind.UPDATE, replace: PropertyDiff_Kind.UPDATE_REPLACE },
};

/**
 * The paths at which the inputs differ, also those whose value only became a secret or is no longer one. A difference at or
 * below a key that no path can hold is told at the object with the key.
 *
 * @param replaces the inputs whose change replaces the resource.
 */
export function detailedDiff(
  before: EngineProperties,
  now: EngineProperties,
  replaces: readonly string[],
): DetailedDiff {
  const diff: DetailedDiff = new Map();
  const add = (path: readonly PropertyKey[], kind: keyof typeof kinds) => {
    const effect = replaces.includes(String(path[0])) ? "replace" : "update";
    diff.set(propertyPath(path), { kind: kinds[kind][effect], inputDiff: true });
  };
  /** Adds the paths of two values that differ. */
  const compare = (left: unknown, right: unknown, path: readonly PropertyKey[]) => {
    if (Array.isArray(left) && Array.isArray(right)) {
      const longer = left.length > right.length ? left : right;
      const differing = [...longer.keys()].filter((index) => !isDeepStrictEqual(left[index], right[index]));
      for (const index of differing) compare(left[index], right[index], [...path, index]);
    } else if (isObject(left) && isObject(right)) {
      const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])];
      const differing = keys.filter((key) => !isDeepStrictEqual(partOf(left, key), partOf(right, key)));
      if (differing.some(isWithoutPath)) add(path, "change");
      else for (const key of differing) compare(partOf(left, key), partOf(right, key), [...path, key]);
    } else add(path, left === undefined ? "add" : right === undefined ? "delete" : "change");
  };
  if (!isDeepStrictEqual(before.value, now.value)) compare(before.value, now.value, []);
  for (const path of changedSecrecy(before, now).map(upToKeyWithoutPath)) {
    const isTold = path.some((_, index) => diff.has(propertyPath(path.slice(0, index + 1))));
    if (!isTold) add(path, "change");
  }
  return diff;
}

/** The places of the values that became secrets, or are no longer. */
function changedSecrecy(before: EngineProperties, now: EngineProperties): Path[] {
  const missing = (paths: readonly Path[], others: readonly Path[]) => {
    const known = new Set(others.map((path) => JSON.stringify(path)));
    return paths.filter((path) => !known.has(JSON.stringify(path)));
  };
  const [left, right] = [before.secretPaths, now.secretPaths];
  return [...missing(left, right), ...missing(right, left)];
}

function upToKeyWithoutPath(path: Path): Path {
  const end = path.findIndex(isWithoutPath);
  return end === -1 ? path : path.slice(0, end);
}

function propertyPath(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => {
      if (typeof key === "number") return `[${key}]`;
      const name = String(key);
      if (!/^[A-Za-z_$][\w$-]*$/.test(name)) return `["${name.replaceAll('"', '\\"')}"]`;
      return index === 0 ? name : `.${name}`;
    })
    .join("");
}
