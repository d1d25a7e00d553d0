import { Hono } from "hono";
import { type Controls, controlRoutes, recordRoutes, settingsRoutes } from "./admin/admin.ts";
import { consoleRoutes } from "./console/routes.ts";
import { requireApiKey, requireLoopbackName, requireSameSite } from "./http/access.ts";
import { redirectBrowsers } from "./http/browser-requests.ts";
import { echoRefusals } from "./http/echo-refusals.ts";
import type { App, Environment } from "./http/environment.ts";
import { errorResponse, json, notFoundResponse } from "./http/responses.ts";
import { openApiDocument } from "./openapi/document.ts";
import type { Platform } from "./platform.ts";
import { addRoutes } from "./routes/endpoint.ts";
import { endpoints } from "./routes/endpoints.ts";
import { logStorageRoutes } from "./routes/log-storage.ts";
import { runLinkRoutes } from "./routes/runs.ts";

/** Every route of the emulator. */
export function createApp(
  platform: Platform,
  controls: Controls,
  options: {
    /** Whether the emulator listens on a loopback address only. */
    readonly isOnLoopback: boolean;
  },
): App {
  const app = new Hono<Environment>();
  app.onError(errorResponse);
  app.notFound(notFoundResponse);

  app.use("/v2/*", requireApiKey(platform));
  app.use("/v2/*", echoRefusals(platform));
  app.use("/v2/tenants/:tenant_id/connectors/*", requireLoopbackName(options.isOnLoopback));
  addRoutes(app, platform, [...endpoints, ...runLinkRoutes]);
  logStorageRoutes(app, platform);
  // The document is built on request, because most emulators are never asked for it.
  const describeApi = () => openApiDocument(endpoints);
  app.get("/openapi.json", () => json(describeApi()));

  app.use("/_emulator/*", requireSameSite(options.isOnLoopback));
  controlRoutes(app, platform, controls);
  recordRoutes(app, platform);
  settingsRoutes(app, platform);
  const { faults, log } = controls;
  consoleRoutes(app, { platform, faults, log, describeApi, ...options });

  refuseOtherMethods(app);
  redirectBrowsers(app);
  return app;
}

/** Answers 405 to the other methods of every path that the app has a route for. Call it after all routes are added. */
function refuseOtherMethods(app: App): void {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of app.routes) {
    if (method === "ALL") continue;
    const known = methods.get(path) ?? new Set();
    methods.set(path, known.add(method));
  }
  for (const [path, allowed] of methods) {
    const allow = [...allowed].join(", ");
    app.all(path, () => json({ detail: "Method Not Allowed" }, 405, { allow }));
  }
}
