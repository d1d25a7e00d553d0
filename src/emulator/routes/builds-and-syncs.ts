import { z } from "zod";
import { minLength } from "../../inputs/string-schema.ts";
import { queryOf } from "../http/parameters.ts";
import { parseJsonObject, parseOptionalJsonObject } from "../http/request-body.ts";
import { json } from "../http/responses.ts";
import { usualErrors } from "../openapi/endpoint-description.ts";
import { requestBuild } from "../operations/builds.ts";
import { requestSync, requestUserSync } from "../operations/request-sync.ts";
import { presentFields } from "../presenting/present-fields.ts";
import { parseRequest } from "../rules/parse-request.ts";
import type { Endpoint } from "./endpoint.ts";

const syncQuerySchema = z.object({ mode: z.enum(["init", "normal"]) });
const userSyncQuerySchema = syncQuerySchema.extend({ user_name: z.string().check(minLength(1)) });

/** Specification, "Endpoints": the requests that the platform accepts now and works on later. */
export const buildAndSyncEndpoints: readonly Endpoint[] = [
  {
    method: "post",
    path: "/v2/sourcecontrol/build",
    summary: "Create a build",
    body: { schema: "CreateBuild" },
    responses: { 201: "FreeForm", 422: "ErrorMessage" },
    handle: ({ platform, bodyText }) => {
      const build = requestBuild(platform, parseJsonObject(bodyText));
      if (platform.variants.buildAnswer === "nothing") return json({}, 201);
      const { id, integration_id, tag, branch, created_date } = build;
      return json(presentFields(platform.variants, { id, integration_id, tag, branch, created_date }), 201);
    },
  },
  {
    method: "post",
    path: "/v2/tenants/{tenant_id}/sync",
    summary: "Request a sync of a tenant",
    query: syncQuerySchema,
    body: { schema: "FreeForm", isOptional: true },
    responses: { 202: "Trigger", ...usualErrors },
    handle: ({ platform, url, bodyText, integer }) => {
      const tenantId = integer("tenant_id");
      const { mode } = parseRequest(syncQuerySchema, queryOf(url), "query");
      const body = parseOptionalJsonObject(bodyText);
      const { trigger_id } = requestSync(platform, tenantId, { mode, body });
      return json({ trigger_id }, 202);
    },
  },
  {
    method: "post",
    path: "/v2/integrations/{integration_id}/sync",
    summary: "Request a sync by integration and user",
    query: userSyncQuerySchema,
    body: { schema: "FreeForm", isOptional: true },
    responses: { 202: "Trigger", 404: "ErrorMessage", 422: "ErrorMessage" },
    handle: ({ platform, url, bodyText, integer }) => {
      const integrationId = integer("integration_id");
      const { mode, user_name } = parseRequest(userSyncQuerySchema, queryOf(url), "query");
      const body = parseOptionalJsonObject(bodyText);
      const { trigger_id } = requestUserSync(platform, integrationId, user_name, { mode, body });
      return json({ trigger_id }, 202);
    },
  },
];
