import type { TargetReply } from "../entities/target.ts";
import { callLoopback } from "../outbound/call-loopback.ts";
import { scriptedReply } from "../outbound/scripted-reply.ts";
import type { Platform } from "../platform.ts";
import { type JsonObject, parseExactJson } from "../rules/json.ts";
import { ProxyFailure } from "../rules/problems.ts";
import { connectorStatus } from "./connection.ts";
import { type ProxyKind, parseProxyRequest } from "./proxy-request.ts";
import { requireConnectorInPath, requireTenantInPath } from "./require.ts";

/** The response of the external service to a proxy call: its status, and its data or error. */
export interface ProxyResult {
  readonly status: number;
  readonly data: unknown;
}

/**
 * Specification, "Proxy": makes a call for a tenant through one of its authenticated connectors, or through a global
 * connector. A scripted answer or a real service on this machine responds.
 *
 * @throws InvalidRequest for an invalid body; also for an unknown tenant or connector, as a 404 here is the external
 * service's.
 * @throws ProxyFailure when the connector is not authenticated, or the call fails.
 */
export async function proxyCall(
  platform: Platform,
  path: { readonly tenantId: number; readonly connectorName: string; readonly kind: ProxyKind },
  body: JsonObject,
): Promise<ProxyResult> {
  const tenant = requireTenantInPath(platform, path.tenantId);
  const connector = requireConnectorInPath(platform, tenant, path.connectorName);
  const call = parseProxyRequest(path.kind, body);
  if (!connector.isGlobal && connectorStatus(tenant, connector.name)?.status !== "connected") {
    throw new ProxyFailure(`The connector ${connector.name} of this tenant is not authenticated.`);
  }
  const { target } = connector;
  const reply = scriptedReply(target, call) ?? (await callLoopback(platform.agent, target, call));
  if (reply.status >= 300 && reply.status < 400) {
    throw new ProxyFailure(
      `The external service answered with a redirect (${reply.status}), and proxy calls do not follow redirects.`,
    );
  }
  return { status: reply.status, data: dataOf(path.kind, reply) };
}

/** The data of a response. REST: its JSON, or a string when it is not JSON. SOAP and XML: the XML as a string. */
function dataOf(kind: ProxyKind, { text }: TargetReply): unknown {
  if (kind !== "call") return text;
  if (text.trim() === "") return {};
  try {
    return parseExactJson(text);
  } catch {
    return text;
  }
}
