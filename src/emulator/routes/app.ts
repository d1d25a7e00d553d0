import { Hono } from "hono";
import type { Agent } from "undici";
import { consolePages } from "../console/routes.ts";
import { answerToError, unknownRoute } from "../http/answers.ts";
import { authentication } from "../http/authentication.ts";
import type { App, Environment } from "../http/environment.ts";
import { repeatingRefusals } from "../http/repeating-refusals.ts";
import { ownName, sameSite } from "../http/same-site.ts";
import type { Platform } from "../platform.ts";
import { buildRoutes } from "./builds.ts";
import { connectorRoutes } from "./connectors.ts";
import { consoleRoutes } from "./console.ts";
import { type Controls, controlRoutes } from "./control.ts";
import { integrationRoutes } from "./integrations.ts";
import { metadataRoutes } from "./metadata.ts";
import { refuseOtherMethods } from "./method-not-allowed.ts";
import { openApiRoute } from "./openapi.ts";
import { releaseRoutes } from "./releases.ts";
import { runRoutes } from "./runs.ts";
import { settingsRoutes } from "./settings.ts";
import { storageRoutes } from "./storage.ts";
import { syncRoutes } from "./syncs.ts";
import { tenantRoutes } from "./tenants.ts";

/** Every route of the emulator. */
export function createApp(
  platform: Platform,
  controls: Controls,
  options: { readonly agent: Agent; readonly isOnLoopback: boolean },
): App {
  const app = new Hono<Environment>();
  app.onError(answerToError);
  app.notFound(unknownRoute);

  app.use("/v2/*", authentication(platform));
  app.use("/v2/*", repeatingRefusals(platform));
  integrationRoutes(app, platform);
  releaseRoutes(app, platform);
  tenantRoutes(app, platform);
  metadataRoutes(app, platform);
  buildRoutes(app, platform);
  syncRoutes(app, platform);
  runRoutes(app, platform);
  app.use("/v2/tenants/:tenant_id/connectors/*", ownName(options.isOnLoopback));
  connectorRoutes(app, platform, options.agent);
  storageRoutes(app, platform);

  app.use("/_emulator/*", sameSite(options.isOnLoopback));
  controlRoutes(app, platform, controls);
  consoleRoutes(app, platform);
  settingsRoutes(app, platform);
  openApiRoute(app);
  consolePages(app, platform, options);

  refuseOtherMethods(app);
  return app;
}
