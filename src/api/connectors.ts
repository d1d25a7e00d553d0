import type * as z from "zod";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import type { Call } from "./call.ts";
import { proxyErrorFrom } from "./proxy-error.ts";
import { type ApiRequest, path } from "./request.ts";
import { anyJsonValue, wireObject } from "./wire-schema.ts";

/**
 * `/v2/tenants/{tenant_id}/connectors/{connector_name}` (specification, "Tenants" and "Proxy"). Besides the
 * common errors, the calls reject with `ProxyInternalError` or `ProxyExternalError`. They are retried only after a 429.
 */
export interface Connectors {
  /** Disconnects a connector that is not global. The API has no request to connect it again. */
  disconnect(tenantId: number, connectorName: string): Promise<void>;
  /** Calls a REST endpoint of the connected service with the tenant's credentials. */
  call(tenantId: number, connectorName: string, request: ProxyRestRequest): Promise<ProxyResponse>;
  /** Calls a SOAP endpoint. Fields besides those of `ProxyRequest` are not documented and are sent as they are. */
  callSoap(tenantId: number, connectorName: string, request: ProxyRequest & JsonObject): Promise<ProxyResponse>;
  /** Calls an XML endpoint. Neither request nor response is documented; an XML response is returned as a string. */
  callXml(tenantId: number, connectorName: string, request: JsonObject): Promise<JsonValue | undefined>;
}

/** The fields that REST and SOAP calls share. */
export interface ProxyRequest {
  headers?: JsonObject | JsonValue[] | null;
  /** HTTP method; the specification names no default. */
  method?: string;
  query_params?: JsonObject | null;
}

/** Body of a REST call (specification, "ProxyRestRequestBody"). */
export interface ProxyRestRequest extends ProxyRequest {
  target_url?: string;
  body?: JsonObject | null;
}

/** Response of a proxy call. `data` may be any JSON, such as a list, although the specification says object. */
export type ProxyResponse = z.infer<typeof proxyResponseSchema>;

export const proxyResponseSchema = wireObject({ data: anyJsonValue });

export function createConnectors(call: Call): Connectors {
  function proxy(kind: "call" | "soap" | "xml", tenantId: number, connectorName: string, body: unknown): ApiRequest {
    return {
      method: "POST",
      path: `${path`/v2/tenants/${tenantId}/connectors/${connectorName}`}/${kind}`,
      body,
      acceptsXml: kind === "xml",
      errorFrom: proxyErrorFrom,
    };
  }

  return {
    disconnect: async (tenantId, connectorName) => {
      await call.undocumented({
        method: "PATCH",
        path: path`/v2/tenants/${tenantId}/connectors/${connectorName}/disconnect`,
      });
    },
    call: async (tenantId, connectorName, request) =>
      call(proxy("call", tenantId, connectorName, request), proxyResponseSchema),
    callSoap: async (tenantId, connectorName, request) =>
      call(proxy("soap", tenantId, connectorName, request), proxyResponseSchema),
    callXml: async (tenantId, connectorName, request) =>
      call.undocumented(proxy("xml", tenantId, connectorName, request)),
  };
}
