import { isObject } from "../json/json-value.ts";

type Path = readonly string[];

/** Secret paths as a tree of keys, for fast lookups: a fleet of 10,000 tenants may have as many paths. */
type PathTree = Map<string, PathNode>;

/** A key in the tree. */
interface PathNode {
  isEnd: boolean;
  below: PathTree;
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
  return markedBelow(properties, treeOf(paths));
}

/** As {@link withMarks}, but with marks at the items of lists. For results that nothing compares with another list. */
export function withMarksInLists(value: object, paths: readonly Path[]): object {
  const markedInLists = (part: unknown, node: PathNode): unknown => {
    if (node.isEnd || typeof part !== "object" || part === null) return marked(part, node);
    const below = markedBelow(part, node.below, markedInLists);
    return Array.isArray(part) ? Object.values(below) : below;
  };
  return markedBelow(value, treeOf(paths), markedInLists);
}

function treeOf(paths: readonly Path[]): PathTree {
  const root: PathTree = new Map();
  for (const path of paths) {
    let below = root;
    for (const [index, key] of path.entries()) {
      const node = below.get(key) ?? { isEnd: false, below: new Map() };
      below.set(key, node);
      node.isEnd ||= index === path.length - 1;
      below = node.below;
    }
  }
  return root;
}

function marked(value: unknown, { isEnd, below }: PathNode): unknown {
  if (value === undefined || value === null) return value;
  return isEnd || !isObject(value) ? secretMark(value) : markedBelow(value, below);
}

function markedBelow(value: object, below: PathTree, mark = marked): Record<string, unknown> {
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    const node = below.get(key);
    return [key, node === undefined ? item : mark(item, node)];
  });
  return Object.fromEntries(entries);
}
