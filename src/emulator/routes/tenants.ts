import { z } from "zod";
import {
  integerQuery,
  listQuerySchema,
  pageQuerySchema,
  parseListQuery,
  parsePageQuery,
  queryOf,
} from "../http/parameters.ts";
import { parseFreeFormObject, parseJsonObject } from "../http/request-body.ts";
import { json } from "../http/responses.ts";
import { usualErrors } from "../openapi/endpoint-description.ts";
import { readMetadata, updateMetadata } from "../operations/metadata.ts";
import { resolveRelease } from "../operations/release-choice.ts";
import { requireVisibleTenant } from "../operations/require.ts";
import { archiveTenant, createTenant, updateTenant } from "../operations/tenants.ts";
import { presentRelease } from "../presenting/integration.ts";
import { presentRun } from "../presenting/status.ts";
import { presentMetadata, presentTenant, presentTenants } from "../presenting/tenant.ts";
import { parseRequest } from "../rules/parse-request.ts";
import { NotFound } from "../rules/problems.ts";
import type { Page } from "../store/documents.ts";
import type { Endpoint } from "./endpoint.ts";

const path = "/v2/tenants/{tenant_id}";

/** The parameters that the list of tenants has beyond those of every list. */
const tenantFilterSchema = z.object({
  /** 0 means every integration. */
  integration_id: integerQuery(0, 0),
  user_name: z.string().default(""),
});

/** Specification, "Endpoints": Tenants. */
export const tenantEndpoints: readonly Endpoint[] = [
  {
    method: "get",
    path: "/v2/tenants",
    summary: "List tenants",
    query: listQuerySchema.extend(tenantFilterSchema.shape),
    responses: { 200: ["Tenant"], ...usualErrors },
    handle: ({ platform, url }) => {
      const query = queryOf(url);
      const list = parseListQuery(query, platform.variants);
      const { integration_id, user_name } = parseRequest(tenantFilterSchema, query, "query");
      const tenants = platform.store.tenants.list(
        { ...list, integrationId: integration_id || undefined, userName: user_name || undefined },
        platform.clock.now(),
      );
      return json(presentTenants(platform, tenants));
    },
  },
  {
    method: "post",
    path: "/v2/tenants",
    summary: "Create a tenant, unconnected and paused",
    body: { schema: "CreateTenant" },
    responses: { 200: "Tenant", 422: "HTTPValidationError" },
    handle: ({ platform, bodyText }) =>
      json(presentTenant(platform, createTenant(platform, parseJsonObject(bodyText)))),
  },
  {
    method: "get",
    path: `${path}/release`,
    summary: "The release of a tenant",
    responses: { 200: "IntegrationRelease", ...usualErrors },
    handle: ({ platform, integer }) => {
      const tenant = requireVisibleTenant(platform, integer("tenant_id"));
      const release = resolveRelease(platform, tenant.integration_id, tenant);
      if (!release) throw new NotFound(`Tenant ${tenant.id} has no release`);
      return json(presentRelease(platform, release));
    },
  },
  {
    method: "get",
    path: `${path}/runs`,
    summary: "The runs of a tenant",
    query: pageQuerySchema,
    responses: { 200: ["Run"], ...usualErrors },
    handle: ({ platform, url, integer }) => {
      const { variants, store } = platform;
      if (variants.runsList === "missing") return json({ detail: "Not Found" }, 404);
      const { id } = requireVisibleTenant(platform, integer("tenant_id"));
      const page = parsePageQuery(queryOf(url), variants);
      return json(store.runs.listPage(byKnownField(page), id).map((run) => presentRun(variants, run)));
    },
  },
  {
    method: "get",
    path: `${path}/metadata`,
    summary: "A tenant's metadata",
    responses: { 200: "TenantMetadata", ...usualErrors },
    handle: ({ platform, integer }) => json(presentMetadata(platform, readMetadata(platform, integer("tenant_id")))),
  },
  {
    method: "patch",
    path: `${path}/metadata`,
    summary: "Update a tenant's metadata",
    body: { schema: "FreeForm" },
    responses: { 200: "TenantMetadata", ...usualErrors },
    handle: ({ platform, bodyText, integer }) => {
      const tenantId = integer("tenant_id");
      const body = parseFreeFormObject(bodyText);
      const metadata = presentMetadata(platform, updateMetadata(platform, tenantId, body));
      const isEchoed = platform.variants.patchAnswer === "echoed";
      return json(isEchoed ? { ...metadata, data: { ...metadata.data, ...body } } : metadata);
    },
  },
  {
    method: "patch",
    path,
    summary: "Update a tenant",
    body: { schema: "UpdateTenant" },
    responses: { 200: "FreeForm", ...usualErrors },
    handle: ({ platform, bodyText, integer }) => {
      const body = parseJsonObject(bodyText);
      const tenant = updateTenant(platform, integer("tenant_id"), body);
      const { patchAnswer } = platform.variants;
      if (patchAnswer === "empty") return new Response(null, { status: 200 });
      if (patchAnswer === "nothing") return json({});
      return json({ ...presentTenant(platform, tenant), ...(patchAnswer === "echoed" ? body : {}) });
    },
  },
  {
    method: "delete",
    path,
    summary: "Archive a tenant",
    responses: { 200: "FreeForm", ...usualErrors },
    handle: ({ platform, integer }) => {
      const { id } = archiveTenant(platform, integer("tenant_id"));
      return json({ id, archived: true });
    },
  },
];

/** Runs have no name and no date of a change. */
function byKnownField(page: Page): Page {
  const { field, direction } = page.sort;
  const isKnown = field === "id" || field === "created_date";
  return { ...page, sort: isKnown ? { field, direction } : { field: "id", direction } };
}
