import { secretPathsSchema } from "../inputs/input-schema.ts";
import { valueAt } from "../json/key-path.ts";

type Path = readonly string[];

/** Secret paths as a tree of keys, for fast lookups: a fleet of 10,000 tenants may have as many paths. */
interface PathTree {
  isEnd: boolean;
  below: Map<string, PathTree>;
}

/** The engine's mark of a secret in its messages. */
const secretSignature = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

/**
 * The properties with their secrets marked: the values at their `secretPaths`, at those of the properties before, and at
 * those of each tenant of a fleet. The engine itself marks results according to the inputs that it knows. After a partial
 * update, these may be the previous inputs, or inputs that no longer declare a value that is still stored.
 *
 * A list with a secret is marked as a whole, as the engine does, because its items may have moved. A value that replaces an
 * object with a secret is also marked as a whole.
 */
export function withSecrets(properties: object, before: object = {}): Record<string, unknown> {
  const { below } = treeOf([...secretPathsOf(properties), ...secretPathsOf(before)]);
  return markedBelow(properties, below);
}

/**
 * The state of a resource with the ids of a fleet's tenants marked as a secret, if the tenants are one secret as a whole: the
 * keys of the ids are those of the tenants. The engine marks an output only at the path of a secret input.
 */
export function withSecretTenantIds<State extends object>(state: State): State {
  const isSecret = ownPaths(state).some(([first, ...below]) => first === "tenants" && below.length === 0);
  return isSecret ? { ...state, tenantIds: { ...secretSignature, value: valueAt(state, ["tenantIds"]) } } : state;
}

/** The values at the `secretPaths` of the properties and of each tenant of a fleet. */
export function secretValuesOf(properties: object): unknown[] {
  return secretPathsOf(properties).map((path) => valueAt(properties, path));
}

/** The paths of a resource's secrets. In a fleet, each tenant has its own list of paths. */
function secretPathsOf(properties: object): Path[] {
  const tenants = Object.entries(Object(valueAt(properties, ["tenants"])));
  const ofTenants = tenants.flatMap(([key, entry]) => ownPaths(entry).map((path) => ["tenants", key, ...path]));
  return [...ownPaths(properties), ...ofTenants];
}

/** The `secretPaths` of the properties; empty if a preview does not know them yet. */
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
