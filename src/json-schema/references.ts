import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { valueAt } from "../json/key-path.ts";

/** Resolves the references of a schema within its own document. */
export interface References {
  /** The schemas that `$ref`, `$dynamicRef` and `$recursiveRef` of this subschema may refer to. */
  targetsOf(node: JsonObject): JsonValue[];
}

const known = new WeakMap<JsonObject, References>();

/** The references of a document, which is read only once. */
export function referencesOf(schema: JsonObject): References {
  const references = known.get(schema) ?? readReferences(schema);
  known.set(schema, references);
  return references;
}

/** The base URI of a document without `$id`. Nothing is ever requested from it. */
const defaultBase = "https://schema.invalid/";

/** Keywords that hold values, not schemas. */
const valueKeywords = new Set(["const", "default", "enum", "examples"]);

function readReferences(schema: JsonObject): References {
  const bases = new Map<JsonObject, string>();
  const resources = new Map<string, JsonObject>([[defaultBase, schema]]);
  const anchors = new Map<string, JsonObject>();
  const dynamicAnchors: { name: string; node: JsonObject }[] = [];

  const read = (value: JsonValue, parentBase: string) => {
    if (Array.isArray(value)) for (const item of value) read(item, parentBase);
    if (!isJsonObject(value)) return;
    const base = baseOf(value, parentBase);
    bases.set(value, base);
    if (base !== parentBase) resources.set(base, value);
    for (const anchor of [value.$anchor, value.$dynamicAnchor, localName(value.$id)]) {
      if (typeof anchor === "string") anchors.set(`${base}#${anchor}`, value);
    }
    if (typeof value.$dynamicAnchor === "string") dynamicAnchors.push({ name: value.$dynamicAnchor, node: value });
    if (value.$recursiveAnchor === true) dynamicAnchors.push({ name: "", node: value });
    for (const [keyword, inside] of Object.entries(value)) {
      if (!valueKeywords.has(keyword)) read(inside, base);
    }
  };
  read(schema, defaultBase);

  const resolve = (node: JsonObject, reference: JsonValue | undefined): JsonValue[] => {
    const base = bases.get(node) ?? defaultBase;
    if (typeof reference !== "string" || !URL.canParse(reference, base)) return [];
    const { href, hash } = new URL(reference, base);
    const resource = withoutFragment(href);
    const root = resources.get(resource);
    const fragment = decoded(hash.slice(1));
    const isPointer = fragment === "" || fragment.startsWith("/");
    const target = isPointer ? resolvePointer(root, fragment) : anchors.get(`${resource}#${fragment}`);
    return target === undefined ? [] : [target];
  };
  const resolveDynamically = (node: JsonObject, reference: JsonValue | undefined): JsonValue[] => {
    if (typeof reference !== "string") return [];
    const name = decoded(reference.split("#")[1] ?? "");
    // Which anchor applies depends on the path of evaluation: any of them may.
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

function baseOf({ $id }: JsonObject, parentBase: string): string {
  if (typeof $id !== "string" || $id.startsWith("#") || !URL.canParse($id, parentBase)) return parentBase;
  return withoutFragment(new URL($id, parentBase).href);
}

/** Drafts 6 and 7 write an anchor as `$id: "#name"`. */
function localName($id: JsonValue | undefined): string | undefined {
  return typeof $id === "string" && $id.startsWith("#") && $id.length > 1 ? $id.slice(1) : undefined;
}

function withoutFragment(address: string): string {
  return address.split("#")[0] ?? address;
}

/** The value at a JSON pointer. */
function resolvePointer(root: JsonValue | undefined, pointer: string): JsonValue | undefined {
  return valueAt(root, keysOf(pointer));
}

/** The keys and indexes of a JSON pointer (RFC 6901). */
export function keysOf(pointer: string): string[] {
  const segments = pointer.split("/").slice(1);
  return segments.map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The keys of a pointer in a reference, such as `#/properties/a%20b`. */
export function keysOfReference(reference: string): string[] {
  return keysOf(decoded(reference));
}

/** The decoded text, or the text itself where it is not validly encoded: then no name matches it. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
