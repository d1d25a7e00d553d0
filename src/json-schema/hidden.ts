import { isJsonObject, type JsonObject, type JsonValue } from "../api/index.ts";

type Mark = (node: JsonObject) => boolean;

/** Marks a value that need not come back at all. */
export const isWriteOnly: Mark = (node) => node.writeOnly === true;

/** Marks a value that need not come back as it was written. */
export const isHidden: Mark = (node) => isWriteOnly(node) || node.format === "password";

/** Whether a schema bears the mark at this path, or on the way there. */
export function hasMark(schema: JsonObject, mark: Mark, path: readonly PropertyKey[]): boolean {
  // References may go in circles, and by many ways to one place: each place is looked at once for each rest of the path.
  const seen = new Map<JsonObject, Set<number>>();
  const bears = (node: JsonValue | undefined, rest: readonly PropertyKey[], depth: number): boolean => {
    if (!isJsonObject(node) || depth > depthMaximum) return false;
    const rests = seen.get(node) ?? new Set();
    if (rests.has(rest.length)) return false;
    seen.set(node, rests.add(rest.length));
    if (mark(node)) return true;
    const reference = node.$ref;
    const inPlace = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => node[keyword] ?? []);
    if (typeof reference === "string") inPlace.push(resolve(schema, reference) ?? null);
    if (inPlace.some((alternative) => bears(alternative, rest, depth + 1))) return true;
    const [key, ...deeper] = rest;
    if (key === undefined) return false;
    const property = own(node.properties, String(key));
    return bears(property ?? node.additionalProperties ?? node.items, deeper, depth + 1);
  };
  return bears(schema, path, 0);
}

/** Nobody nests schemas deeper than this. */
const depthMaximum = 500;

function resolve(root: JsonObject, reference: string): JsonValue | undefined {
  if (reference !== "#" && !reference.startsWith("#/")) return undefined;
  let node: JsonValue | undefined = root;
  for (const key of reference.split("/").slice(1)) {
    node = own(node, decoded(key).replaceAll("~1", "/").replaceAll("~0", "~"));
  }
  return node;
}

function own(node: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
}

/** What no URI can hold stays as it is, and names nothing. */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
