import { z } from "zod";
import { maxLimit } from "../http/parameters.ts";
import { isJsonObject, type JsonObject } from "../rules/json.ts";
import { componentSchemas, reference } from "./components.ts";
import type { EndpointDescription } from "./endpoint-description.ts";
import { querySchema, requestSchema } from "./json-schema.ts";

/**
 * The description of the API in OpenAPI 3.1, generated from the schemas that check requests. It lists the statuses of the
 * specification, and 401 and 403 for a refused key, which the specification leaves open. A proxy call may have any other
 * status, that of the external service.
 */
export function openApiDocument(endpoints: readonly EndpointDescription[]): JsonObject {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method]: operationObject(endpoint) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Integration Platform Management API",
      version: "2",
      description:
        "As the local emulator serves it. A proxy call passes on the status of the external service, whatever it is.",
    },
    servers: [{ url: "/" }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "x-api-key" } },
      schemas: componentSchemas(),
    },
  };
}

function operationObject({ method, path, summary, query, body, responses }: EndpointDescription): JsonObject {
  const parameters = [...pathParameters(path), ...(query ? queryParameters(querySchema(query)) : [])];
  return {
    operationId: operationIdOf(method, path),
    summary,
    tags: [tagOf(path)],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: requestBody(body) } : {}),
    responses: Object.fromEntries(
      Object.entries({ ...responses, ...keyRefused }).map(([status, shape]) => [status, responseObject(status, shape)]),
    ),
  };
}

/** See the variant `unauthorized`. */
const keyRefused = { 401: "KeyRefused", 403: "KeyRefused" } as const;

function tagOf(path: string): string {
  return /\/(call|soap|xml)$/.test(path) ? "proxy" : (/^\/v2\/(\w+)/.exec(path)?.[1] ?? "");
}

function operationIdOf(method: string, path: string): string {
  const words = path.replace(/^\/v2\//, "").split(/[^a-z]+/i);
  return [method, ...words.filter((word) => word !== "")].join("_");
}

function pathParameters(path: string): JsonObject[] {
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

/** Ids of the built-in seed, and the first ids of what is created later. */
const examples: Readonly<Record<string, string | number>> = {
  integration_id: 101,
  release_id: 901,
  tenant_id: 5001,
  run_id: 7001,
  connector_name: "crm",
  user_name: "user-1",
};

function example(name: string): JsonObject {
  return examples[name] === undefined ? {} : { example: examples[name] };
}

function queryParameters({ properties, required }: JsonObject): JsonObject[] {
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

function requestBody({ schema, isOptional }: NonNullable<EndpointDescription["body"]>): JsonObject {
  const shape = isOptional ? { anyOf: [reference(schema), { type: "null" }] } : reference(schema);
  return { required: !isOptional, content: { "application/json": { schema: shape } } };
}

function responseObject(status: string, shape: EndpointDescription["responses"][number]): JsonObject {
  const description = descriptions[status] ?? "";
  if (shape === undefined) {
    return { description, headers: { location: { required: true, schema: { type: "string" } } } };
  }
  const schema = typeof shape === "string" ? reference(shape) : { type: "array", items: reference(shape[0]) };
  return { description, content: { "application/json": { schema } } };
}

const descriptions: Readonly<Record<string, string>> = {
  200: "Done",
  201: "Accepted as a build",
  202: "Accepted",
  302: "Redirect to a signed URL that expires after 15 minutes",
  401: "The key is missing or wrong (variant)",
  403: "The key is missing or wrong",
  400: "The platform could not make the call",
  404: "Not found",
  422: "Refused",
};
