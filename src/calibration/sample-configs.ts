import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { valueAt } from "../json/key-path.ts";

/** Values for the keys that a schema requires, as far as simple ones fit. A key is left out for which there is none. */
export function sampleConfigs(schema: JsonObject): JsonObject {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const entries = required.flatMap((key): [string, JsonValue][] => {
    const property = typeof key === "string" ? valueAt(schema, ["properties", key]) : undefined;
    const value = isJsonObject(property) ? sample(property) : undefined;
    return value === undefined || typeof key !== "string" ? [] : [[key, value]];
  });
  return Object.fromEntries(entries);
}

/** A property of a schema whose type is simple, with a value that has another type. */
export function typedProperty(schema: JsonObject): { key: string; wrong: JsonValue } | undefined {
  const properties = isJsonObject(schema.properties) ? Object.entries(schema.properties) : [];
  for (const [key, property] of properties) {
    if (!isJsonObject(property) || property.$ref !== undefined) continue;
    if (property.type === "string") return { key, wrong: 7 };
    if (property.type === "boolean" || property.type === "integer" || property.type === "number") {
      return { key, wrong: "calibrate" };
    }
  }
  return undefined;
}

function sample(schema: JsonObject): JsonValue | undefined {
  if (typeof schema.$ref === "string") return undefined; // perhaps a dynamic choice, which has no options yet
  const [choice] = [schema.enum, schema.oneOf, schema.anyOf].flatMap((list) => (Array.isArray(list) ? [list[0]] : []));
  const given = schema.const ?? schema.default ?? (isJsonObject(choice) ? choice.const : choice);
  if (given !== undefined) return given;
  switch (schema.type) {
    case "string":
      return schema.pattern === undefined && schema.format === undefined ? "calibrate" : undefined;
    case "integer":
    case "number":
      return typeof schema.minimum === "number" ? schema.minimum : 1;
    case "boolean":
      return false;
    case "array":
      return schema.minItems === undefined ? [] : undefined;
    case "object":
      return sampleConfigs(schema);
    default:
      return undefined;
  }
}
