import type { JsonObject } from "../rules/json.ts";
import { componentSchemas, reference } from "./components.ts";
import type { EndpointDescription } from "./endpoint-description.ts";
import { type Parameter, parametersOf } from "./parameters.ts";

/** The parts of OpenAPI 3.1 that the description of the API uses. */
export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly JsonObject[];
  /** The nouns of the API. */
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** The operations of each path by their methods. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly securitySchemes: JsonObject; readonly schemas: Readonly<Record<string, JsonObject>> };
}

/** One method of a path. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: RequestBody;
  /** The responses by their statuses. */
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

interface RequestBody {
  readonly required: boolean;
  readonly content: JsonContent;
}

/** One response of an operation. A redirect has a header and no content. */
export interface ResponseObject {
  readonly description: string;
  readonly content?: JsonContent;
  readonly headers?: JsonObject;
}

interface JsonContent {
  readonly "application/json": { readonly schema: JsonObject };
}

/**
 * The description of the API in OpenAPI 3.1, generated from the schemas that check requests. It lists the statuses of the
 * specification, and 403 for a refused key, which the specification leaves open. A proxy call may have any other
 * status, that of the external service.
 */
export function openApiDocument(endpoints: readonly EndpointDescription[]): OpenApiDocument {
  const paths: Record<string, Record<string, Operation>> = {};
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
    tags: Object.entries(tags).map(([name, section]) => ({
      name,
      description: `Specification, "Endpoints": ${section}`,
    })),
    paths,
    components: {
      securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "x-api-key" } },
      schemas: componentSchemas(),
    },
  };
}

/** The tags, in the order of the specification, with the sections in which it describes their endpoints. */
const tags = { builds: "Builds", integrations: "Integrations", tenants: "Tenants", runs: "Runs", proxy: "Proxy" };

function operationObject(endpoint: EndpointDescription): Operation {
  const { method, path, summary, body, responses } = endpoint;
  const parameters = parametersOf(endpoint);
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

const keyRefused = { 403: "KeyRefused" } as const;

function tagOf(path: string): keyof typeof tags {
  if (/\/(call|soap|xml)$/.test(path)) return "proxy";
  if (path.startsWith("/v2/integrations")) return "integrations";
  if (path.startsWith("/v2/tenants")) return "tenants";
  return path.startsWith("/v2/runs") ? "runs" : "builds";
}

function operationIdOf(method: string, path: string): string {
  const words = path.replace(/^\/v2\//, "").split(/[^a-z]+/i);
  return [method, ...words.filter((word) => word !== "")].join("_");
}

function requestBody({ schema, isOptional }: NonNullable<EndpointDescription["body"]>): RequestBody {
  const shape = isOptional ? { anyOf: [reference(schema), { type: "null" }] } : reference(schema);
  return { required: !isOptional, content: { "application/json": { schema: shape } } };
}

function responseObject(status: string, shape: EndpointDescription["responses"][number]): ResponseObject {
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
  403: "The key is missing or wrong",
  400: "The platform could not make the call",
  404: "Not found",
  422: "Refused",
};
