import { z } from "zod";
import type { PendingFaults } from "../faults/pending.ts";
import { json } from "../http/answers.ts";
import { parseJsonObject } from "../http/body.ts";
import type { App } from "../http/environment.ts";
import { parseRequest } from "../http/parse.ts";
import { integerParameter } from "../http/path-parameter.ts";
import { invalid, NotFound } from "../http/problems.ts";
import {
  addIntegration,
  addRelease,
  changeIntegration,
  integrationChangeSchema,
} from "../operations/console-integrations.ts";
import {
  addTenant,
  changeTenant,
  inspectTenant,
  setConnectorStatus,
  tenantChangeSchema,
} from "../operations/console-tenants.ts";
import type { Platform } from "../platform.ts";
import type { RequestLog } from "../request-log.ts";
import { seedIntegrationSchema, seedReleaseSchema, seedTenantSchema } from "../seed/schema.ts";
import { changeVariants } from "../variants.ts";

/** What the routes under `/_emulator` steer, besides the platform. */
export interface Controls {
  readonly faults: PendingFaults;
  readonly log: RequestLog;
  readonly reset: () => void;
}

/** The emulator's own endpoints; the module's documentation lists them. */
export function controlRoutes(app: App, platform: Platform, controls: Controls): void {
  const { faults, log, reset } = controls;
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
  app.post("/_emulator/reset", () => json(done(reset)));
  tenantControls(app, platform);
  integrationControls(app, platform);
}

function tenantControls(app: App, platform: Platform): void {
  const path = "/_emulator/tenants/:tenant_id" as const;
  app.post("/_emulator/tenants", (context) => {
    const given = parseRequest(seedTenantSchema, parseJsonObject(context.env.bodyText), "body");
    return json(refused(() => addTenant(platform, given, "marketplace")));
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

function integrationControls(app: App, platform: Platform): void {
  const path = "/_emulator/integrations/:integration_id" as const;
  app.post("/_emulator/integrations", (context) => {
    const given = parseRequest(newIntegrationSchema, parseJsonObject(context.env.bodyText), "body");
    return json(refused(() => addIntegration(platform, given)));
  });
  app.patch(path, (context) => {
    const id = integerParameter("integration_id", context.req.param("integration_id"));
    const change = parseRequest(integrationChangeSchema, parseJsonObject(context.env.bodyText), "body");
    return json(changeIntegration(platform, id, change));
  });
  app.post(`${path}/releases`, (context) => {
    const id = integerParameter("integration_id", context.req.param("integration_id"));
    const given = parseRequest(seedReleaseSchema, parseJsonObject(context.env.bodyText), "body");
    return json(refused(() => addRelease(platform, id, given)));
  });
}

const connectorSchema = z.object({ status: z.string() });
const newIntegrationSchema = seedIntegrationSchema.omit({ releases: true });

function done(work: () => void): { readonly done: true } {
  refused(work);
  return { done: true };
}

/** Turns what the work throws into a 422. */
function refused<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof NotFound) throw error;
    throw invalid(["body"], error instanceof Error ? error.message : String(error));
  }
}
