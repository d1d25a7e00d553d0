import { parseJsonObject } from "../http/request-body.ts";
import { json } from "../http/responses.ts";
import { disconnectConnector } from "../operations/disconnect-connector.ts";
import { proxyCall } from "../operations/proxy-call.ts";
import type { ProxyKind } from "../operations/proxy-request.ts";
import { presentConnectorStatus } from "../presenting/status.ts";
import type { Endpoint } from "./endpoint.ts";

const path = "/v2/tenants/{tenant_id}/connectors/{connector_name}";

/** Specification, "Endpoints": Proxy, and disconnecting a connector. */
export const connectorEndpoints: readonly Endpoint[] = [
  proxyEndpoint("call", "REST proxy call", "ProxyRestRequestBody"),
  proxyEndpoint("soap", "SOAP proxy call", "ProxyXmlRequestBody"),
  proxyEndpoint("xml", "XML proxy call", "ProxyXmlRequestBody"),
  {
    method: "patch",
    path: `${path}/disconnect`,
    summary: "Disconnect a connector",
    responses: { 200: "FreeForm", 422: "HTTPValidationError" },
    handle: ({ platform, integer, parameter }) => {
      const status = disconnectConnector(platform, integer("tenant_id"), parameter("connector_name"));
      const { patchAnswer } = platform.variants;
      if (patchAnswer === "empty") return new Response(null, { status: 200 });
      return json(patchAnswer === "nothing" ? {} : presentConnectorStatus(platform.variants, status));
    },
  },
];

function proxyEndpoint(
  kind: ProxyKind,
  summary: string,
  schema: "ProxyRestRequestBody" | "ProxyXmlRequestBody",
): Endpoint {
  return {
    method: "post",
    path: `${path}/${kind}`,
    summary,
    body: { schema },
    responses: {
      200: "ProxyResponse",
      400: "ProxyInternalError",
      404: "ProxyExternalError",
      422: "HTTPValidationError",
    },
    handle: async ({ platform, bodyText, integer, parameter }) => {
      const target = { tenantId: integer("tenant_id"), connectorName: parameter("connector_name"), kind };
      const { status, data } = await proxyCall(platform, target, parseJsonObject(bodyText));
      // An error of the external service keeps its status and has the shape of a ProxyExternalError.
      return status < 300 ? json({ data }) : json({ detail: JSON.stringify({ data }) }, status);
    },
  };
}
