import { json } from "../http/answers.ts";
import type { App } from "../http/environment.ts";
import { parseListQuery, queryOf } from "../http/list-query.ts";
import { integerParameter } from "../http/path-parameter.ts";
import { requireIntegration } from "../operations/find.ts";
import type { Platform } from "../platform.ts";
import { presentIntegration } from "../presenting/integration.ts";

/** Specification, "Endpoints": Integrations. */
export function integrationRoutes(app: App, platform: Platform): void {
  app.get("/v2/integrations", (context) => {
    const query = parseListQuery(queryOf(context.req.url), platform.variants);
    const integrations = platform.store.integrations.list(query);
    return json(integrations.map((integration) => presentIntegration(platform, integration)));
  });

  app.get("/v2/integrations/:integration_id", (context) => {
    const id = integerParameter("integration_id", context.req.param("integration_id"));
    return json(presentIntegration(platform, requireIntegration(platform, id)));
  });
}
