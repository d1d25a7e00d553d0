import { isJsonObject, type JsonObject, type JsonValue } from "../api/index.ts";

/** What the references of a schema lead to within its own document. */
export interface References {
  /** The schemas that `$ref`, `$dynamicRef` and `$recursiveRef` of this part of the schema may mean. */
  targetsOf(node: JsonObject): JsonValue[];
}

const known = new WeakMap<JsonObject, References>();

/** Reads a document once, however often it is asked about. */
export function referencesOf(schema: JsonObject): References {
  const references = known.get(schema) ?? readReferences(schema);
  known.set(schema, references);
  return references;
}

/** Of a document that has no `$id`; no such address is ever asked for. */
const unnamed = "https://schema.invalid/";

/** These hold values, no schemas. */
const valueKeywords = new Set(["const", "default", "enum", "examples"]);

function readReferences(schema: JsonObject): References {
  const bases = new Map<JsonObject, string>();
  const resources = new Map<string, JsonObject>([[unnamed, schema]]);
  const anchors = new Map<string, JsonObject>();
  const dynamicAnchors: { name: string; node: JsonObject }[] = [];

  const read = (value: JsonValue, around: string) => {
    if (Array.isArray(value)) for (const item of value) read(item, around);
    if (!isJsonObject(value)) return;
    const base = baseOf(value, around);
    bases.set(value, base);
    if (base !== around) resources.set(base, value);
    for (const anchor of [value.$anchor, value.$dynamicAnchor, localName(value.$id)]) {
      if (typeof anchor === "string") anchors.set(`${base}#${anchor}`, value);
    }
    if (typeof value.$dynamicAnchor === "string") dynamicAnchors.push({ name: value.$dynamicAnchor, node: value });
    if (value.$recursiveAnchor === true) dynamicAnchors.push({ name: "", node: value });
    for (const [keyword, inside] of Object.entries(value)) {
      if (!valueKeywords.has(keyword)) read(inside, base);
    }
  };
  read(schema, unnamed);

  const resolve = (node: JsonObject, reference: JsonValue | undefined): JsonValue[] => {
    const base = bases.get(node) ?? unnamed;
    if (typeof reference !== "string" || !URL.canParse(reference, base)) return [];
    const { href, hash } = new URL(reference, base);
    const resource = withoutFragment(href);
    const root = resources.get(resource);
    const fragment = decoded(hash.slice(1));
    const target =
      fragment === "" || fragment.startsWith("/") ? pointed(root, fragment) : anchors.get(`${resource}#${fragment}`);
    return target === undefined ? [] : [target];
  };
  const resolveDynamically = (node: JsonObject, reference: JsonValue | undefined): JsonValue[] => {
    if (typeof reference !== "string") return [];
    const name = decoded(reference.split("#")[1] ?? "");
    // which of them it is depends on the way there: any of them may be
    return [
      ...resolve(node, reference),
      ...dynamicAnchors.filter((anchor) => anchor.name === name).map(({ node }) => node),
    ];
  };
  return {
    targetsOf: (node) => [
      ...resolve(node, node.$ref),
      ...resolveDynamically(node, node.$dynamicRef),
      ...resolveDynamically(node, node.$recursiveRef),
    ],
  };
}

function baseOf({ $id }: JsonObject, around: string): string {
  if (typeof $id !== "string" || $id.startsWith("#") || !URL.canParse($id, around)) return around;
  return withoutFragment(new URL($id, around).href);
}

/** Drafts 6 and 7 write an anchor as `$id: "#name"`. */
function localName($id: JsonValue | undefined): string | undefined {
  return typeof $id === "string" && $id.startsWith("#") && $id.length > 1 ? $id.slice(1) : undefined;
}

function withoutFragment(address: string): string {
  return address.split("#")[0] ?? address;
}

/** What a JSON pointer leads to. */
function pointed(root: JsonValue | undefined, pointer: string): JsonValue | undefined {
  let node = root;
  for (const segment of pointer.split("/").slice(1)) {
    const key = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(node)) node = node[Number(key)];
    else node = isJsonObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
  }
  return node;
}

/** What no URI can hold stays as it is, and names nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
