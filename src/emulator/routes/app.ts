import { Hono } from "hono";
import { answerToError, unknownRoute } from "../http/answers.ts";
import { authentication } from "../http/authentication.ts";
import type { App, Environment } from "../http/environment.ts";
import { sameSite } from "../http/same-site.ts";
import type { Platform } from "../platform.ts";
import { type Controls, controlRoutes } from "./control.ts";
import { integrationRoutes } from "./integrations.ts";
import { metadataRoutes } from "./metadata.ts";
import { refuseOtherMethods } from "./method-not-allowed.ts";
import { releaseRoutes } from "./releases.ts";
import { tenantRoutes } from "./tenants.ts";

/** Every route of the emulator. */
export function createApp(
  platform: Platform,
  controls: Controls,
  options: { readonly apiKey: string; readonly isOnLoopback: boolean },
): App {
  const app = new Hono<Environment>();
  app.onError(answerToError);
  app.notFound(unknownRoute);

  app.use("/v2/*", authentication(platform, options.apiKey));
  integrationRoutes(app, platform);
  releaseRoutes(app, platform);
  tenantRoutes(app, platform);
  metadataRoutes(app, platform);

  app.use("/_emulator/*", sameSite(options.isOnLoopback));
  controlRoutes(app, platform, controls);

  refuseOtherMethods(app);
  return app;
}
