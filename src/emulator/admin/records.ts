import { z } from "zod";
import { seedIntegrationSchema, seedReleaseSchema, seedTenantSchema } from "../entities/seed.ts";
import type { App } from "../http/environment.ts";
import { integerParameter, integerQuery, queryOf } from "../http/parameters.ts";
import { parseJsonObject } from "../http/request-body.ts";
import { json } from "../http/responses.ts";
import {
  addIntegration,
  addRelease,
  changeAsPartner,
  changeIntegration,
  integrationChangeSchema,
  partnerChangeSchema,
} from "../operations/administer-integrations.ts";
import {
  addTenant,
  changeTenant,
  inspectTenant,
  setConnectorStatus,
  tenantChangeSchema,
} from "../operations/administer-tenants.ts";
import { requireRun } from "../operations/require.ts";
import type { Platform } from "../platform.ts";
import { presentRun } from "../presenting/status.ts";
import { parseRequest } from "../rules/parse-request.ts";
import { asInvalidRequest } from "../rules/problems.ts";

/** What people do in the console with tenants, integrations and runs, for other programs. */
export function recordRoutes(app: App, platform: Platform): void {
  tenantRoutes(app, platform);
  integrationRoutes(app, platform);
  runRoutes(app, platform);
}

function tenantRoutes(app: App, platform: Platform): void {
  const path = "/_emulator/tenants/:tenant_id" as const;
  app.post("/_emulator/tenants", (context) => {
    const given = parseRequest(seedTenantSchema, parseJsonObject(context.env.bodyText), "body");
    return json(asInvalidRequest(() => addTenant(platform, given, "marketplace")));
  });
  app.get(path, (context) =>
    json(inspectTenant(platform, integerParameter("tenant_id", context.req.param("tenant_id")))),
  );
  app.patch(path, (context) => {
    const id = integerParameter("tenant_id", context.req.param("tenant_id"));
    const change = parseRequest(tenantChangeSchema, parseJsonObject(context.env.bodyText), "body");
    return json(changeTenant(platform, id, change));
  });
  app.post(`${path}/connectors/:connector_name`, (context) => {
    const id = integerParameter("tenant_id", context.req.param("tenant_id"));
    const { status } = parseRequest(connectorSchema, parseJsonObject(context.env.bodyText), "body");
    return json(setConnectorStatus(platform, id, context.req.param("connector_name"), status));
  });
}

function integrationRoutes(app: App, platform: Platform): void {
  const path = "/_emulator/integrations/:integration_id" as const;
  app.post("/_emulator/integrations", (context) => {
    const given = parseRequest(newIntegrationSchema, parseJsonObject(context.env.bodyText), "body");
    return json(asInvalidRequest(() => addIntegration(platform, given, "console")));
  });
  app.patch(path, (context) => {
    const id = integerParameter("integration_id", context.req.param("integration_id"));
    const change = parseRequest(integrationChangeSchema, parseJsonObject(context.env.bodyText), "body");
    return json(changeIntegration(platform, id, change));
  });
  app.post(`${path}/partner-changes`, (context) => {
    const id = integerParameter("integration_id", context.req.param("integration_id"));
    const change = parseRequest(partnerChangeSchema, parseJsonObject(context.env.bodyText), "body");
    return json(changeAsPartner(platform, id, change));
  });
  app.post(`${path}/releases`, (context) => {
    const id = integerParameter("integration_id", context.req.param("integration_id"));
    const given = parseRequest(seedReleaseSchema, parseJsonObject(context.env.bodyText), "body");
    return json(asInvalidRequest(() => addRelease(platform, id, given)));
  });
}

function runRoutes(app: App, platform: Platform): void {
  app.get("/_emulator/runs", (context) => {
    const { tenant_id, limit } = parseRequest(runsQuerySchema, queryOf(context.req.url), "query");
    const runs = platform.store.runs.newest(limit, tenant_id || undefined);
    return json(runs.map((run) => presentRun(platform.variants, run)));
  });
  app.get("/_emulator/runs/:run_id", (context) => {
    const id = integerParameter("run_id", context.req.param("run_id"));
    const run = requireRun(platform, id);
    const log = platform.store.runs.findLog(id) ?? null;
    return json({ ...presentRun(platform.variants, run), log });
  });
}

const connectorSchema = z.object({ status: z.string() });
const newIntegrationSchema = seedIntegrationSchema.omit({ releases: true });
const runsQuerySchema = z.object({ tenant_id: integerQuery(0, 0), limit: integerQuery(1, 100) });
