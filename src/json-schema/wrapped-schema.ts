import { isJsonObject, type JsonObject } from "../json/json-value.ts";

/** What a release has as its `config_schema` or `metadata_schema`. */
export interface SchemaParts {
  /** The JSON Schema. */
  schema: JsonObject;
  /** The form in which people edit the values: JSON Forms. `undefined` if the release has none. */
  uischema: JsonObject | undefined;
}

/**
 * Splits the `config_schema` or `metadata_schema` of a release, which is the JSON Schema itself or a wrapper
 * `{ schema, uischema }`. This is the only place that decides which of the two it is.
 *
 * An object is a wrapper if its `schema` is an object and it restricts no value itself: it has none of the keywords of JSON
 * Schema that an object can violate (`type`, `properties`, `required`, `$ref`, `enum`, ...). Taken as a JSON Schema, it would
 * accept all configs, as JSON Schema ignores an unknown keyword `schema`. So these are JSON Schemas:
 * - `{ properties: { schema: {} } }`: `schema` is a key of the configs.
 * - `{ type: "object", schema: {} }`: it restricts values, and `schema` is an unknown keyword.
 * - `{ schema: "ledger/1" }`, `{ schema: true }`: `schema` is no object.
 *
 * These are wrappers: `{ schema }`, `{ schema, uischema: null }`, and `{ title, version, schema }`. A wrapper in a wrapper is
 * a JSON Schema with an unknown keyword.
 */
export function schemaParts(given: JsonObject): SchemaParts {
  const { schema, uischema } = given;
  const isWrapper = isJsonObject(schema) && !Object.keys(given).some((key) => restrictingKeywords.has(key));
  return {
    schema: isWrapper ? schema : given,
    uischema: isWrapper && isJsonObject(uischema) ? uischema : undefined,
  };
}

/** The JSON Schema in a release's `config_schema` or `metadata_schema`, if the release has one. */
export function jsonSchemaOf(given: JsonObject | null | undefined): JsonObject | undefined {
  return given ? schemaParts(given).schema : undefined;
}

/** The keywords of all drafts that an object can violate. Annotations and definitions are not among them. */
const restrictingKeywords: ReadonlySet<string> = new Set([
  ...["$ref", "$dynamicRef", "$recursiveRef", "type", "enum", "const", "properties", "required"],
  ...["patternProperties", "additionalProperties", "propertyNames", "unevaluatedProperties", "minProperties"],
  ...["maxProperties", "dependencies", "dependentRequired", "dependentSchemas", "allOf", "anyOf", "oneOf", "not", "if"],
]);
