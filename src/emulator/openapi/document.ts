import { z } from "zod";
import { isJsonObject, type JsonObject } from "../entities/json.ts";
import { maxLimit } from "../http/list-query.ts";
import { componentSchemas, reference } from "./components.ts";
import { querySchema, requestSchema } from "./json-schema.ts";
import { type Operation, operations } from "./operations.ts";

/**
 * The API as OpenAPI 3.1, from the schemas that requests are checked with. It names the statuses that the specification
 * documents, and those of a missing key, which the specification leaves open. Those of an external service behind a
 * proxy call may be any.
 */
export function openApiDocument(): JsonObject {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: operationObject(operation) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Integration Platform Management API",
      version: "2",
      description:
        "As the local emulator serves it. A proxy call passes on the external service's status, whatever it is.",
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

function operationObject({ method, path, tag, summary, query, body, answers }: Operation): JsonObject {
  const parameters = [...pathParameters(path), ...(query ? queryParameters(querySchema(query)) : [])];
  return {
    operationId: operationIdOf(method, path),
    summary,
    tags: [tag],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: requestBody(body) } : {}),
    responses: Object.fromEntries(
      Object.entries({ ...answers, ...keyRefused }).map(([status, shape]) => [status, answer(status, shape)]),
    ),
  };
}

/** See the variant `unauthorized`. */
const keyRefused = { 401: "KeyRefused", 403: "KeyRefused" } as const;

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

/** Of the built-in seed, and the first ids that are given. */
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

/** Its maximum is checked apart from its schema, as a variant. */
function limited(name: string, schema: unknown): unknown {
  return name === "limit" && isJsonObject(schema) ? { ...schema, maximum: maxLimit } : schema;
}

function requestBody({ schema, isOptional }: NonNullable<Operation["body"]>): JsonObject {
  const shape = isOptional ? { anyOf: [reference(schema), { type: "null" }] } : reference(schema);
  return { required: !isOptional, content: { "application/json": { schema: shape } } };
}

function answer(status: string, shape: Operation["answers"][number]): JsonObject {
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
  302: "To a signed address that expires after 15 minutes",
  401: "The key is missing or wrong (variant)",
  403: "The key is missing or wrong",
  400: "The platform could not make the call",
  404: "Not found",
  422: "Refused",
};
