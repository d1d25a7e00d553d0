import type { z } from "zod";
import { listQuerySchema } from "../http/list-query.ts";
import { syncSchema, userSyncSchema } from "../routes/syncs.ts";
import { tenantFilterSchema } from "../routes/tenants.ts";
import type { ComponentName } from "./components.ts";

/** One endpoint of the specification. */
export interface Operation {
  readonly method: "get" | "post" | "patch" | "delete";
  /** With parameters in braces; those that do not end in `_id` are texts. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly query?: z.ZodType;
  readonly body?: { readonly schema: ComponentName; readonly isOptional?: true };
  /** The documented statuses: the shape of each, a list of it, or undefined for an answer without a body. */
  readonly answers: Readonly<Record<number, ComponentName | readonly [ComponentName] | undefined>>;
}

const usualErrors = { 404: "ErrorMessage", 422: "HTTPValidationError" } as const;
const wordErrors = { 404: "ErrorMessage", 422: "ErrorMessage" } as const;
const proxyAnswers = {
  200: "ProxyResponse",
  400: "ProxyInternalError",
  404: "ProxyExternalError",
  422: "HTTPValidationError",
} as const;

const integration = "/v2/integrations/{integration_id}";
const tenant = "/v2/tenants/{tenant_id}";
const connector = `${tenant}/connectors/{connector_name}`;

/** Specification, "Endpoints". What changes a tenant the most stands last, for tools that try them in this order. */
export const operations: readonly Operation[] = [
  of("get", "/v2/integrations", "List integrations", {
    query: listQuerySchema,
    answers: { 200: ["Integration"], ...usualErrors },
  }),
  of("get", integration, "One integration", { answers: { 200: "Integration", ...usualErrors } }),
  of("get", `${integration}/releases`, "All releases", { answers: { 200: ["IntegrationRelease"], ...usualErrors } }),
  of("get", `${integration}/releases/default`, "The default release", {
    answers: { 200: "IntegrationRelease", ...usualErrors },
  }),
  of("get", `${integration}/releases/latest`, "The latest release", {
    answers: { 200: "IntegrationRelease", ...usualErrors },
  }),
  of("get", `${integration}/releases/{release_id}`, "One release", {
    answers: { 200: "IntegrationRelease", ...usualErrors },
  }),
  of("post", "/v2/sourcecontrol/build", "Create a build", {
    body: { schema: "CreateBuild" },
    answers: { 201: "FreeForm", 422: "ErrorMessage" },
  }),
  of("get", "/v2/tenants", "List tenants", {
    query: listQuerySchema.extend(tenantFilterSchema.shape),
    answers: { 200: ["Tenant"], ...usualErrors },
  }),
  of("post", "/v2/tenants", "Create a tenant, unconnected and paused", {
    body: { schema: "CreateTenant" },
    answers: { 200: "Tenant", 422: "HTTPValidationError" },
  }),
  of("get", `${tenant}/release`, "The release of a tenant", { answers: { 200: "IntegrationRelease", ...usualErrors } }),
  of("get", `${tenant}/metadata`, "A tenant's metadata", { answers: { 200: "TenantMetadata", ...usualErrors } }),
  of("patch", `${tenant}/metadata`, "Update a tenant's metadata", {
    body: { schema: "FreeForm" },
    answers: { 200: "TenantMetadata", ...usualErrors },
  }),
  of("post", `${tenant}/sync`, "Request a sync of a tenant", {
    query: syncSchema,
    body: { schema: "FreeForm", isOptional: true },
    answers: { 202: "Trigger", ...usualErrors },
  }),
  of("post", `${integration}/sync`, "Request a sync by integration and user", {
    query: userSyncSchema,
    body: { schema: "FreeForm", isOptional: true },
    answers: { 202: "Trigger", ...wordErrors },
  }),
  of("get", "/v2/runs/triggers/{trigger_id}/status", "The status of a trigger's run", {
    answers: { 200: "TriggerStatus", ...usualErrors },
  }),
  of("get", "/v2/runs/{run_id}/log", "A run's log", { answers: { 302: undefined, ...usualErrors } }),
  of("post", `${connector}/call`, "REST proxy call", {
    body: { schema: "ProxyRestRequestBody" },
    answers: proxyAnswers,
  }),
  of("post", `${connector}/soap`, "SOAP proxy call", {
    body: { schema: "ProxyXmlRequestBody" },
    answers: proxyAnswers,
  }),
  of("post", `${connector}/xml`, "XML proxy call", { body: { schema: "ProxyXmlRequestBody" }, answers: proxyAnswers }),
  of("patch", `${connector}/disconnect`, "Disconnect a connector", {
    answers: { 200: "FreeForm", 422: "HTTPValidationError" },
  }),
  of("patch", tenant, "Update a tenant", {
    body: { schema: "UpdateTenant" },
    answers: { 200: "FreeForm", ...usualErrors },
  }),
  of("delete", tenant, "Archive a tenant", { answers: { 200: "FreeForm", ...usualErrors } }),
];

function of(
  method: Operation["method"],
  path: string,
  summary: string,
  rest: Pick<Operation, "answers" | "query" | "body">,
): Operation {
  const isProxy = /\/(call|soap|xml)$/.test(path);
  const tag = isProxy ? "proxy" : (/^\/v2\/(\w+)/.exec(path)?.[1] ?? "");
  return { method, path, summary, tag, ...rest };
}
