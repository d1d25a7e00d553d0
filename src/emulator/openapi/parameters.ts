import { z } from "zod";
import { maxLimit } from "../http/parameters.ts";
import { isJsonObject, type JsonObject } from "../rules/json.ts";
import type { EndpointDescription } from "./endpoint-description.ts";
import { querySchema, requestSchema } from "./json-schema.ts";

/** A parameter in the path or in the query. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly schema: unknown;
  readonly example?: string | number;
}

/** The parameters of an endpoint: those of its path, then those of its query. */
export function parametersOf({ path, query }: EndpointDescription): Parameter[] {
  return [...pathParameters(path), ...(query ? queryParameters(querySchema(query)) : [])];
}

function pathParameters(path: string): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: isInteger(path, name) ? requestSchema(z.int()) : { type: "string", minLength: 1 },
    ...example(name),
  }));
}

/** The specification declares one integration_id as a string. */
function isInteger(path: string, name: string): boolean {
  return name.endsWith("_id") && name !== "trigger_id" && !path.endsWith("/releases/latest");
}

function queryParameters({ properties, required }: JsonObject): Parameter[] {
  if (!isJsonObject(properties)) return [];
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties).map(([name, schema]) => {
    const isOptional = !needed.has(name) || (isJsonObject(schema) && "default" in schema);
    return { name, in: "query", required: !isOptional, schema: limited(name, schema), ...example(name) };
  });
}

/** Adds the maximum of `limit`. Its schema has none, as a greater value is the variant `limitOver500`. */
function limited(name: string, schema: unknown): unknown {
  return name === "limit" && isJsonObject(schema) ? { ...schema, maximum: maxLimit } : schema;
}

function example(name: string): { readonly example?: string | number } {
  const found = examples[name];
  return found === undefined ? {} : { example: found };
}

/** Ids of the built-in seed, and the first ids of what is created later. */
const examples: Readonly<Record<string, string | number>> = {
  integration_id: 101,
  release_id: 901,
  tenant_id: 5001,
  run_id: 7001,
  connector_name: "crm",
  user_name: "user-1",
};
