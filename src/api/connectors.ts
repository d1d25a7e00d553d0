import type { z } from "zod";
import type { Call } from "./call.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import { path } from "./path.ts";
import { proxyErrorFrom } from "./proxy-error.ts";
import type { ApiRequest } from "./request.ts";
import { anyJsonValue, wireObject } from "./wire-schema.ts";

/**
 * `/v2/tenants/{tenant_id}/connectors/{connector_name}` (specification, "Tenants" and "Proxy"). The calls reject with
 * `ProxyInternalError` or `ProxyExternalError` besides the common errors; they are repeated only after a 429.
 */
export interface Connectors {
  /** Only a connector that is not global; the API has no way to connect it again. */
  disconnect(tenantId: number, connectorName: string): Promise<void>;
  /** A REST call with the tenant's credentials. */
  call(tenantId: number, connectorName: string, request: ProxyRestRequest): Promise<ProxyResponse>;
  /** A call to a SOAP endpoint. Fields besides those of `ProxyRequest` are not documented and are sent as they are. */
  callSoap(tenantId: number, connectorName: string, request: ProxyRequest & JsonObject): Promise<ProxyResponse>;
  /** A call to an XML endpoint; neither request nor answer is documented. An answer in XML comes as a string. */
  callXml(tenantId: number, connectorName: string, request: JsonObject): Promise<JsonValue | undefined>;
}

/** What REST and SOAP calls have in common. */
export interface ProxyRequest {
  headers?: JsonObject | JsonValue[] | null;
  /** HTTP method. */
  method?: string;
  query_params?: JsonObject | null;
}

/** `ProxyRestRequestBody` of the specification. */
export interface ProxyRestRequest extends ProxyRequest {
  target_url?: string;
  body?: JsonObject | null;
}

/** `data`, documented as a free-form object, is whatever JSON the external service answered: a list, say, must not be lost. */
export type ProxyResponse = z.infer<typeof proxyResponseSchema>;

export const proxyResponseSchema = wireObject({ data: anyJsonValue });

export function createConnectors(call: Call): Connectors {
  function proxy(kind: "call" | "soap" | "xml", tenantId: number, connectorName: string, body: unknown): ApiRequest {
    return {
      method: "POST",
      path: `${path`/v2/tenants/${tenantId}/connectors/${connectorName}`}/${kind}`,
      body,
      mayAnswerXml: kind === "xml",
      errorFrom: proxyErrorFrom,
    };
  }

  return {
    disconnect: async (tenantId, connectorName) => {
      await call.loosely({
        method: "PATCH",
        path: path`/v2/tenants/${tenantId}/connectors/${connectorName}/disconnect`,
      });
    },
    call: async (tenantId, connectorName, request) =>
      call(proxy("call", tenantId, connectorName, request), proxyResponseSchema),
    callSoap: async (tenantId, connectorName, request) =>
      call(proxy("soap", tenantId, connectorName, request), proxyResponseSchema),
    callXml: async (tenantId, connectorName, request) => call.loosely(proxy("xml", tenantId, connectorName, request)),
  };
}
