import type { Integration, Tenant } from "../../api/index.ts";

/** The specification does not show the words for a connector's status: these say for certain that it is not connected. */
const notConnected = new Set(["disconnected", "unconnected", "not_connected", "not connected", "none", "pending"]);

/**
 * Whether a customer has connected the tenant: then archiving it would cut the customer off. A word that nobody knows
 * counts as connected. Global connectors are the integration's own, not the customer's.
 */
export function isConnected({ status }: Pick<Tenant, "status">, integration: Pick<Integration, "connectors">): boolean {
  const global = (integration.connectors ?? []).filter(({ isGlobal }) => isGlobal).map(({ name }) => name);
  const own = status.auth.connectors.filter(({ name }) => !global.includes(name));
  return status.auth.connected || own.some((connector) => !notConnected.has(connector.status.toLowerCase()));
}
