import { z } from "zod";
import { maxLength, minLength } from "../../inputs/string-schema.ts";
import { isManual, timestamp } from "../clock.ts";
import { seedIntegrationSchema, seedReleaseSchema, seedTenantSchema } from "../entities/seed.ts";
import { settingsChangeSchema } from "../entities/settings.ts";
import type { FaultSpec } from "../faults/fault.ts";
import type { App } from "../http/environment.ts";
import { integerParameter, integerQuery, queryOf } from "../http/parameters.ts";
import { parseJsonObject } from "../http/request-body.ts";
import type { RequestRecord } from "../http/request-log.ts";
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
import { createApiKey, listApiKeys, revokeApiKey } from "../operations/api-keys.ts";
import { changeSettings } from "../operations/change-settings.ts";
import { requireRun } from "../operations/require.ts";
import type { Platform } from "../platform.ts";
import { presentRun } from "../presenting/status.ts";
import { parseRequest } from "../rules/parse-request.ts";
import { asInvalidRequest } from "../rules/problems.ts";
import { changeVariants } from "../variants.ts";

/** What the routes under `/_emulator` control, besides the platform. */
export interface Controls {
  readonly faults: { add(spec: unknown): void; list(): FaultSpec[]; clear(): void };
  readonly log: { list(): RequestRecord[]; clear(): void };
  readonly reset: () => void;
  readonly advance: (seconds: number) => void;
}

/** The routes with which other programs control the emulator. The documentation of the module lists them. */
export function controlRoutes(app: App, platform: Platform, { faults, log, reset, advance }: Controls): void {
  app.get("/_emulator/requests", () => json(log.list()));
  app.delete("/_emulator/requests", () => json(done(() => log.clear())));
  app.get("/_emulator/faults", () => json(faults.list()));
  app.post("/_emulator/faults", (context) => {
    const spec = parseJsonObject(context.env.bodyText);
    return json(done(() => faults.add(spec)));
  });
  app.delete("/_emulator/faults", () => json(done(() => faults.clear())));
  app.get("/_emulator/variants", () => json(platform.variants));
  app.patch("/_emulator/variants", (context) => {
    const change = parseJsonObject(context.env.bodyText);
    done(() => {
      platform.variants = changeVariants(platform.variants, change);
    });
    return json(platform.variants);
  });
  const lag = () => json({ seconds: platform.lagSeconds });
  app.get("/_emulator/lag", lag);
  app.patch("/_emulator/lag", (context) => {
    platform.lagSeconds = parseRequest(lagSchema, parseJsonObject(context.env.bodyText), "body").seconds;
    return lag();
  });
  app.post("/_emulator/reset", () => json(done(reset)));

  const clock = () => json({ now: timestamp(platform.clock), kind: isManual(platform.clock) ? "manual" : "real" });
  app.get("/_emulator/clock", clock);
  app.post("/_emulator/clock", (context) => {
    const { advanceSeconds } = parseRequest(advanceSchema, parseJsonObject(context.env.bodyText), "body");
    done(() => advance(advanceSeconds));
    return clock();
  });
}

const lagSchema = z.strictObject({ seconds: z.number().min(0) });
const advanceSchema = z.strictObject({ advanceSeconds: z.number() });

/** Runs work and answers that it is done. */
function done(work: () => void): { readonly done: true } {
  asInvalidRequest(work);
  return { done: true };
}

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

/** The settings, API keys, webhooks and e-mails, for other programs. */
export function settingsRoutes(app: App, platform: Platform): void {
  const { store } = platform;
  app.get("/_emulator/settings", () => json(store.settings.read()));
  app.patch("/_emulator/settings", (context) => {
    const change = parseRequest(settingsChangeSchema, parseJsonObject(context.env.bodyText), "body");
    return json(changeSettings(platform, change));
  });

  app.get("/_emulator/api-keys", () => json(listApiKeys(platform)));
  app.post("/_emulator/api-keys", (context) => {
    const { name } = parseRequest(newKeySchema, parseJsonObject(context.env.bodyText), "body");
    return json(createApiKey(platform, name));
  });
  app.delete("/_emulator/api-keys/:key_id", (context) =>
    json(revokeApiKey(platform, integerParameter("key_id", context.req.param("key_id")))),
  );

  app.get("/_emulator/deliveries", (context) => {
    const { limit } = parseRequest(newestSchema, queryOf(context.req.url), "query");
    return json(store.deliveries.newest(limit).reverse());
  });
  app.get("/_emulator/outbox", (context) => {
    const { limit } = parseRequest(newestSchema, queryOf(context.req.url), "query");
    return json(store.emails.newest(limit).reverse());
  });
}

const newKeySchema = z.strictObject({ name: z.string().trim().check(minLength(1), maxLength(200)) });
const newestSchema = z.object({ limit: integerQuery(1, 10_000) });
