import type { Agent } from "undici";
import type { JsonObject } from "../entities/json.ts";
import { ProxyFailure } from "../http/problems.ts";
import type { Platform } from "../platform.ts";
import { callLoopback } from "../targets/loopback.ts";
import type { TargetReply } from "../targets/proxied-call.ts";
import { scriptedReply } from "../targets/scripted.ts";
import { connectorStatus } from "./connection.ts";
import { requireConnectorInPath, requireTenantInPath } from "./find.ts";
import { type ProxyKind, parseProxyRequest } from "./proxy-request.ts";

/** What a proxy call came to: the service's data, or its error with its status. */
export interface ProxyResult {
  readonly status: number;
  readonly data: unknown;
}

/**
 * Specification, "Proxy": a call on behalf of a tenant through one of its authenticated connectors (a global one is the
 * platform's own), to the connector's scripted answers or to a real service on this machine.
 *
 * @throws InvalidRequest for a wrong body, and, as a 404 means the external service's here, for a tenant or connector
 * that is not there.
 * @throws ProxyFailure when the connector is not authenticated or the call cannot be made.
 */
export async function proxyCall(
  platform: Platform,
  agent: Agent,
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
  const reply = scriptedReply(target, call) ?? (await callLoopback(agent, target, call));
  if (reply.status >= 300 && reply.status < 400) {
    throw new ProxyFailure(`the external service answered with a redirect (${reply.status}), which is not followed`);
  }
  return { status: reply.status, data: dataOf(path.kind, reply) };
}

/** REST: the JSON that was answered, or the text when it is none. SOAP and XML: the XML text. */
function dataOf(kind: ProxyKind, { text }: TargetReply): unknown {
  if (kind !== "call") return text;
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
