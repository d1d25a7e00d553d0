import { isObject } from "../json/is-object.ts";

type Path = readonly string[];

/** Secret paths as a tree of keys, for fast lookups: a fleet of 10,000 tenants may have as many paths. */
interface PathTree {
  isEnd: boolean;
  below: Map<string, PathTree>;
}

/** The key and its value that make an object the engine's mark of a secret. The secret itself is the object's `value`. */
export const secretKey = "4dabf18193072939515e22adb298388d";
export const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** The value, marked as a secret as in the engine's messages. */
export function secretMark(value: unknown): Record<string, unknown> {
  return { [secretKey]: secretSignature, value };
}

/**
 * The properties with the values at the paths marked as secrets. What has no secret is not copied.
 *
 * A list with a secret is marked as a whole, as the engine does, because its items may have moved. A value that replaces an
 * object with a secret is also marked as a whole. A null is never a secret.
 */
export function withMarks(properties: object, paths: readonly Path[]): Record<string, unknown> {
  return markedBelow(properties, treeOf(paths).below);
}

/** As {@link withMarks}, but with marks at the items of lists. For results that nothing compares with another list. */
export function withMarksInLists(value: object, paths: readonly Path[]): object {
  const { below } = treeOf(paths);
  const markedInLists = (part: unknown, { isEnd, below: deeper }: PathTree): unknown => {
    if (isEnd || typeof part !== "object" || part === null) return marked(part, { isEnd, below: deeper });
    return Array.isArray(part)
      ? Object.values(markedBelow(part, deeper, markedInLists))
      : markedBelow(part, deeper, markedInLists);
  };
  return markedBelow(value, below, markedInLists);
}

function treeOf(paths: readonly Path[]): PathTree {
  const root: PathTree = { isEnd: false, below: new Map() };
  for (const path of paths) {
    let node = root;
    for (const key of path) {
      const next = node.below.get(key) ?? { isEnd: false, below: new Map() };
      node.below.set(key, next);
      node = next;
    }
    node.isEnd = true;
  }
  return root;
}

function marked(value: unknown, { isEnd, below }: PathTree): unknown {
  if (value === undefined || value === null) return value;
  return isEnd || !isObject(value) ? secretMark(value) : markedBelow(value, below);
}

function markedBelow(value: object, below: PathTree["below"], mark = marked): Record<string, unknown> {
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    const node = below.get(key);
    return [key, node === undefined ? item : mark(item, node)];
  });
  return Object.fromEntries(entries);
}
