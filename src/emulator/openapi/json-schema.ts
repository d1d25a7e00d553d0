import { z } from "zod";
import { isJsonObject, type JsonObject } from "../entities/json.ts";

/** What a request has to be, as JSON Schema 2020-12. What JSON Schema cannot say (a valid cron string) is left out. */
export function requestSchema(schema: z.ZodType): JsonObject {
  return generated(schema, "input");
}

/** A query's parameters, by their names, as they are after they were read from text. */
export function querySchema(schema: z.ZodType): JsonObject {
  return generated(schema, "output");
}

/**
 * What an answer is. A field that may be null may be absent as well (variant `nulls`), and there may be fields that are
 * not named: clients have to take both.
 */
export function answerSchema(schema: z.ZodType): JsonObject {
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
  const isCertain = (name: unknown) => typeof name === "string" && !allowsNull(properties[name]);
  const certain = Array.isArray(required) ? required.filter(isCertain) : [];
  return {
    ...inside,
    ...(certain.length > 0 ? { required: certain } : {}),
    ...(isJsonObject(additionalProperties) ? { additionalProperties: opened(additionalProperties) } : {}),
  };
}

function allowsNull(schema: unknown): boolean {
  if (!isJsonObject(schema)) return false;
  if (schema.type === "null" || (Array.isArray(schema.type) && schema.type.includes("null"))) return true;
  return Array.isArray(schema.anyOf) && schema.anyOf.some(allowsNull);
}
