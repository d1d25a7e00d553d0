import { isAtOrWithin } from "../json/key-path.ts";

/** The keys that lead to a property from the outside in; a number is an index of a list. */
export type PropertyPath = readonly (string | number)[];

/** A path as Pulumi writes it: `configs["a.b"].list[0]`. */
export function formatPath(path: PropertyPath): string {
  const parts = path.map((key) => {
    if (typeof key === "number") return `[${key}]`;
    return /^\w*$/.test(key) ? `.${key}` : `["${key.replaceAll('"', '\\"')}"]`;
  });
  return parts.join("").replace(/^\./, "");
}

/** The keys of a path that Pulumi wrote. The engine escapes quotes in a key, but not backslashes. */
export function parsePath(text: string): PropertyPath {
  return [...text.matchAll(keyPattern)].map(([, index, quoted, name = ""]) => {
    if (index !== undefined) return Number(index);
    return quoted === undefined ? name : quoted.replaceAll('\\"', '"');
  });
}

/** `[0]`, `["a.b"]`, or a name: at the start, or after a dot. */
const keyPattern = /\[(\d+)\]|\["(.*?)(?<!\\)"\](?=[.[]|$)|(?:^(?=[^[])|\.)([^.[]*)/gs;

/** Whether one path leads to the other, or both are the same. */
export function overlap(one: PropertyPath, other: PropertyPath): boolean {
  return isAtOrWithin(one, other) || isAtOrWithin(other, one);
}
