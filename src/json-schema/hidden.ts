import { isJsonObject, type JsonObject, type JsonValue } from "../api/index.ts";

type Mark = (node: JsonObject) => boolean;

/** Marks a value that need not come back at all. */
export const isWriteOnly: Mark = (node) => node.writeOnly === true;

/** Marks a value that need not come back as it was written. */
export const isHidden: Mark = (node) => isWriteOnly(node) || node.format === "password";

/** Whether a schema bears the mark at this path, or on the way there. */
export function hasMark(schema: JsonObject, mark: Mark, path: readonly PropertyKey[]): boolean {
  const bears = (node: JsonValue | undefined, rest: readonly PropertyKey[], depth: number): boolean => {
    if (!isJsonObject(node) || depth > depthMaximum) return false;
    if (mark(node)) return true;
    const reference = node.$ref;
    const inPlace = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => node[keyword] ?? []);
    if (typeof reference === "string") inPlace.push(resolve(schema, reference) ?? null);
    if (inPlace.some((alternative) => bears(alternative, rest, depth + 1))) return true;
    const [key, ...deeper] = rest;
    if (key === undefined) return false;
    const properties = node.properties;
    const property = isJsonObject(properties) ? properties[String(key)] : undefined;
    return bears(property ?? node.additionalProperties ?? node.items, deeper, depth + 1);
  };
  return bears(schema, path, 0);
}

/** Local references may go in circles; nobody nests schemas deeper than this. */
const depthMaximum = 64;

function resolve(root: JsonObject, reference: string): JsonValue | undefined {
  if (reference !== "#" && !reference.startsWith("#/")) return undefined;
  const keys = reference.split("/").slice(1).map(decodeURIComponent);
  let node: JsonValue | undefined = root;
  for (const key of keys) {
    node = isJsonObject(node) ? node[key.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined;
  }
  return node;
}
