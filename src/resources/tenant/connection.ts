import type { Integration, Tenant } from "../../api/index.ts";

/** The specification does not show the words for a connector's status: these say for certain that it is not connected. */
const notConnected = new Set(["disconnected", "unconnected", "not_connected", "not connected", "none", "pending"]);

/**
 * Whether a customer has connected the tenant, be it with one connector: then archiving it would cut the customer off. A
 * word that nobody knows counts as connected. Global connectors are the integration's own, not the customer's.
 */
export function isConnected({ status }: Pick<Tenant, "status">, integration: Pick<Integration, "connectors">): boolean {
  return status.auth.connected || wordsOfOwn(status, integration).some(mayBeConnected);
}

/** Whether the tenant can sync: none of its connectors is known not to be connected, or it has none of its own. */
export function canSync({ status }: Pick<Tenant, "status">, integration: Pick<Integration, "connectors">): boolean {
  const { connectors } = integration;
  if (status.auth.connected || (connectors?.length && connectors.every(({ isGlobal }) => isGlobal))) return true;
  const words = wordsOfOwn(status, integration);
  return words.length > 0 && words.every(mayBeConnected);
}

/** How each connector of the customer's own stands, as far as the tenant tells. */
function wordsOfOwn({ auth }: Tenant["status"], { connectors }: Pick<Integration, "connectors">): string[] {
  const global = (connectors ?? []).filter(({ isGlobal }) => isGlobal).map(({ name }) => name);
  return auth.connectors.filter(({ name }) => !global.includes(name)).map(({ status }) => status);
}

function mayBeConnected(word: string): boolean {
  return !notConnected.has(word.toLowerCase());
}
