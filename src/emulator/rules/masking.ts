import { isJsonObject, type JsonObject } from "../entities/json.ts";

/** What a masked value reads as. */
export const mask = "***";

/**
 * A copy of `value` in which everything that the JSON Schema calls `format: password` or `writeOnly` reads as `***`.
 * Follows properties, additionalProperties, items, allOf, anyOf and oneOf.
 */
export function maskSecrets(schema: unknown, value: JsonObject): JsonObject {
  const masked = maskValue(schema, value);
  return isJsonObject(masked) ? masked : value;
}

function maskValue(schema: unknown, value: unknown): unknown {
  if (!isJsonObject(schema) || value === null || value === undefined) return value;
  if (schema.format === "password" || schema.writeOnly === true) return mask;

  const own = maskInside(schema, value);
  return alternatives(schema).reduce((result: unknown, alternative) => maskValue(alternative, result), own);
}

function maskInside(schema: JsonObject, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => maskValue(schema.items, item));
  if (!isJsonObject(value)) return value;

  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const schemaOf = (key: string) => (Object.hasOwn(properties, key) ? properties[key] : schema.additionalProperties);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskValue(schemaOf(key), item)]));
}

function alternatives(schema: JsonObject): unknown[] {
  return ["allOf", "anyOf", "oneOf"].flatMap((keyword) => {
    const schemas = schema[keyword];
    return Array.isArray(schemas) ? schemas : [];
  });
}
