import { valueAt } from "../json-schema/index.ts";
import { secretPathsSchema } from "../resources/input-schema.ts";

type Path = readonly string[];

/** Secret paths by their keys, from the outside in: a fleet of 10,000 tenants has as many. */
interface PathTree {
  isEnd: boolean;
  below: Map<string, PathTree>;
}

/** How the engine marks a secret on its wire. */
const secretSignature = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

/**
 * The properties with what stands at their `secretPaths` marked as secret, or at those of the properties before, and the
 * same for each tenant of a fleet. The engine marks what comes back by the inputs that it knows: after an update that was
 * done in part, a read's by those of before; and what could not be done by inputs in which it is no longer declared.
 *
 * A list that holds a secret is marked as a whole, as the engine marks it: somebody may have moved its items. So is what
 * somebody wrote in place of an object that held a secret.
 */
export function withSecrets(properties: object, before: object = {}): Record<string, unknown> {
  const { below } = treeOf([...secretPathsOf(properties), ...secretPathsOf(before)]);
  return markedBelow(properties, below);
}

/** The values that stand at the `secretPaths` of the properties, and of each tenant of a fleet. */
export function secretValuesOf(properties: object): unknown[] {
  return secretPathsOf(properties).map((path) => valueAt(properties, path));
}

/** The paths of a resource's secrets. Those of a fleet's tenants stand beside each tenant. */
function secretPathsOf(properties: object): Path[] {
  const tenants = Object.entries(Object(valueAt(properties, ["tenants"])));
  const ofTenants = tenants.flatMap(([key, entry]) => ownPaths(entry).map((path) => ["tenants", key, ...path]));
  return [...ownPaths(properties), ...ofTenants];
}

/** None where a preview does not know them yet. */
function ownPaths(properties: unknown): Path[] {
  return secretPathsSchema.safeParse(valueAt(properties, ["secretPaths"])).data ?? [];
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
  return isEnd || !isPlainObject(value) ? { ...secretSignature, value } : markedBelow(value, below);
}

function markedBelow(value: object, below: PathTree["below"]): Record<string, unknown> {
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    const node = below.get(key);
    return [key, node === undefined ? item : marked(item, node)];
  });
  return Object.fromEntries(entries);
}

function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
