import { isJsonObject, type JsonValue } from "../json/json-value.ts";
import { type JsonSchema, orSecretOrReference } from "./json-schema.ts";

/**
 * A release's schema of configs or metadata for the settings of one tenant in YAML. It is weaker than the original: defaults
 * may supply what is required, any value may be encrypted, and an editor's draft 7 has no newer keywords. What it refuses,
 * the original refuses too.
 *
 * @param path of the result in its document, for references: `#/$defs/configs-1`.
 */
export function adaptedSchema(schema: JsonValue, path: string): JsonSchema | boolean {
  const adapt = (value: JsonValue): JsonSchema | boolean => {
    if (typeof value === "boolean") return value;
    return isJsonObject(value) ? adaptObject(value) : true;
  };
  /** A schema for a part of the value, which may be encrypted, or a reference to a secret. */
  const adaptPart = (value: JsonValue): JsonSchema | boolean => {
    const adapted = adapt(value);
    if (typeof adapted === "boolean") return adapted;
    const { title, description, default: preset, examples } = adapted;
    return { ...present({ title, description, default: preset, examples }), ...orSecretOrReference(adapted) };
  };
  const each = (value: JsonValue, one: (inner: JsonValue) => JsonSchema | boolean) => {
    if (Array.isArray(value)) return value.map(one);
    return Object.fromEntries(
      Object.entries(isJsonObject(value) ? value : {}).map(([key, inner]) => [key, one(inner)]),
    );
  };

  const adaptKeyword = (keyword: string, value: JsonValue): JsonSchema => {
    if (keyword === "$ref") return reference(value, path);
    if (keyword === "properties" || keyword === "patternProperties") return { [keyword]: each(value, adaptPart) };
    if (keyword === "additionalProperties") return { [keyword]: adaptPart(value) };
    if (keyword === "items" || keyword === "additionalItems") {
      return { [keyword]: Array.isArray(value) ? value.map(adaptPart) : adaptPart(value) };
    }
    if (keyword === "$defs" || keyword === "definitions") return { [keyword]: each(value, adapt) };
    if (keyword === "allOf" || keyword === "anyOf") return { [keyword]: each(value, adapt) };
    return keptKeywords.has(keyword) ? { [keyword]: value } : {};
  };

  const adaptObject = ({ prefixItems, oneOf, ...schema }: { [key: string]: JsonValue }): JsonSchema => {
    const { items, ...others } = schema;
    // Draft 2020-12 has other names for the items of a tuple.
    const inDraft7 =
      prefixItems === undefined ? schema : { ...others, items: prefixItems, ...present({ additionalItems: items }) };
    const keywords = Object.entries(inDraft7).map(([keyword, value]) => adaptKeyword(keyword, value));
    const adapted: JsonSchema = Object.assign({}, ...keywords);
    if (oneOf === undefined) return adapted;
    // Without its required keys, a value can match several of the schemas.
    const one = { anyOf: each(oneOf, adapt) };
    return { ...adapted, allOf: [...[adapted.allOf ?? []].flat(), one] };
  };

  return adapt(schema);
}

/**
 * The keywords that mean the same for one layer of a merged value. Not among them: `required`, `minProperties`, `not`, `if`
 * and others, which can be right for the layer and wrong for the merged value, or the other way round; and `format`, which is
 * only a note.
 */
const keptKeywords: ReadonlySet<string> = new Set([
  ...["title", "description", "default", "examples", "type", "enum", "const"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern"],
  ...["minItems", "maxItems", "uniqueItems", "maxProperties", "propertyNames"],
]);

/** A reference inside the schema, at its new place. Others cannot be followed, and allow everything. */
function reference(value: JsonValue, path: string): JsonSchema {
  if (value === "#") return { $ref: path };
  return typeof value === "string" && value.startsWith("#/") ? { $ref: `${path}${value.slice(1)}` } : {};
}

function present(keywords: { [keyword: string]: unknown }): JsonSchema {
  return Object.fromEntries(Object.entries(keywords).filter(([, value]) => value !== undefined));
}
