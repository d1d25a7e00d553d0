import type { Agent } from "undici";
import { json } from "../http/answers.ts";
import { parseJsonObject } from "../http/body.ts";
import type { App } from "../http/environment.ts";
import { integerParameter } from "../http/path-parameter.ts";
import { disconnectConnector } from "../operations/disconnect-connector.ts";
import { type ProxyResult, proxyCall } from "../operations/proxy-call.ts";
import type { Platform } from "../platform.ts";
import { presentConnectorStatus } from "../presenting/tenant-status.ts";

/** Specification, "Endpoints": disconnecting a connector, and Proxy. */
export function connectorRoutes(app: App, platform: Platform, agent: Agent): void {
  const path = "/v2/tenants/:tenant_id/connectors/:connector_name" as const;

  app.patch(`${path}/disconnect`, (context) => {
    const tenantId = integerParameter("tenant_id", context.req.param("tenant_id"));
    const status = disconnectConnector(platform, tenantId, context.req.param("connector_name"));
    const { patchAnswer } = platform.variants;
    if (patchAnswer === "empty") return new Response(null, { status: 200 });
    return json(patchAnswer === "nothing" ? {} : presentConnectorStatus(platform.variants, status));
  });

  for (const kind of ["call", "soap", "xml"] as const) {
    app.post(`${path}/${kind}`, async (context) => {
      const tenantId = integerParameter("tenant_id", context.req.param("tenant_id"));
      const connectorName = context.req.param("connector_name");
      const body = parseJsonObject(context.env.bodyText);
      return answer(await proxyCall(platform, agent, { tenantId, connectorName, kind }, body));
    });
  }
}

/** A ProxyResponse, or the external service's error with its own status. */
function answer({ status, data }: ProxyResult): Response {
  if (status < 300) return json({ data });
  return json({ detail: JSON.stringify({ data }) }, status);
}
