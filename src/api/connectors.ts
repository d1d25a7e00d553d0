import type * as z from "zod";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import type { Call } from "./call.ts";
import { type ApiError, ProxyExternalError, ProxyInternalError } from "./errors.ts";
import { errorFacts, errorMessage, type FailedResponse } from "./failed-attempt.ts";
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
  /** Calls a SOAP endpoint. */
  callSoap(tenantId: number, connectorName: string, request: ProxyXmlRequest): Promise<ProxyResponse>;
  /** Calls an XML endpoint. Its response is not documented; one in XML is returned as a string. */
  callXml(tenantId: number, connectorName: string, request: ProxyXmlRequest): Promise<JsonValue | undefined>;
}

/** The fields that all proxy calls share. */
export interface ProxyRequest {
  headers?: JsonObject | JsonValue[] | null;
  /** HTTP method; the specification names no default. */
  method?: string;
  query_params?: JsonObject | null;
  /** The endpoint to call. */
  target_url?: string;
}

/** Body of a REST call (specification, "ProxyRestRequestBody"). */
export interface ProxyRestRequest extends ProxyRequest {
  body?: JsonObject | null;
}

/** Body of a SOAP or XML call. The specification shows `headers`, `method` and `query_params` of it. */
export interface ProxyXmlRequest extends ProxyRequest {
  /** The XML. */
  data?: string | null;
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

/**
 * Creates the errors of proxy calls (specification, "Proxy bodies"), whose `detail` is a string. The error is the external
 * service's where the string holds a JSON object with `data`, or where the platform itself never responds with this status.
 */
function proxyErrorFrom(failed: FailedResponse): ApiError | undefined {
  const { status, body } = failed;
  const { detail } = body;
  if (detail === undefined) return undefined;
  if ((isJsonObject(detail) && "data" in detail) || !ownStatuses.includes(status)) {
    const next = "Correct the call for that service.";
    const message = errorMessage(failed, "the external service refused the call", body.message, next);
    return new ProxyExternalError(message, { ...errorFacts(failed), status }, detail);
  }
  if (status === 400) {
    // The platform may have failed after the external service applied the call.
    const uncertain = { ...failed, mayHaveBeenApplied: true };
    const what = "the platform could not make the call";
    const message = errorMessage(uncertain, what, body.message, "Check the connector.");
    return new ProxyInternalError(message, errorFacts(uncertain));
  }
  return undefined;
}

/** The statuses of the platform itself on these endpoints. */
const ownStatuses = [400, 401, 403, 422];
