import { z } from "zod";
import { isJsonObject, type JsonObject } from "../rules/json.ts";

/** The schema of a request's body, as JSON Schema 2020-12. Rules that JSON Schema cannot express, such as a valid cron string, are left out. */
export function requestSchema(schema: z.ZodType): JsonObject {
  return generated(schema, "input");
}

/** The schema of a query: its parameters with the types that they have after parsing. */
export function querySchema(schema: z.ZodType): JsonObject {
  return generated(schema, "output");
}

/**
 * The schema of a response. Clients must accept two things: a field that may be null may be absent too (variant
 * `nulls`), and a response may have unknown fields.
 */
export function responseSchema(schema: z.ZodType): JsonObject {
  const open = opened(generated(schema, "output"));
  return isJsonObject(open) ? open : {};
}

function generated(schema: z.ZodType, io: "input" | "output"): JsonObject {
  const { $schema, "~standard": standard, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}

function opened(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(opened);
  if (!isJsonObject(schema)) return schema;
  const { additionalProperties, required, ...rest } = schema;
  const inside = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, opened(value)]));
  const properties = isJsonObject(rest.properties) ? rest.properties : {};
  const isRequired = (name: unknown) => typeof name === "string" && !allowsNull(properties[name]);
  const stillRequired = Array.isArray(required) ? required.filter(isRequired) : [];
  return {
    ...inside,
    ...(stillRequired.length > 0 ? { required: stillRequired } : {}),
    ...(isJsonObject(additionalProperties) ? { additionalProperties: opened(additionalProperties) } : {}),
  };
}

function allowsNull(schema: unknown): boolean {
  if (!isJsonObject(schema)) return false;
  if (schema.type === "null" || (Array.isArray(schema.type) && schema.type.includes("null"))) return true;
  return Array.isArray(schema.anyOf) && schema.anyOf.some(allowsNull);
}
