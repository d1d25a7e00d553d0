import type { ConnectorStatus, Integration, Tenant } from "../../api/index.ts";

/**
 * The usual words for a connector's status: the specification shows none ("Allowed values of ConnectorStatus.status: not
 * shown"). Compared blind to case, spaces, `-` and `_`.
 */
const connectedStatuses = ["connected", "authorized", "authenticated", "active"];
const notConnectedStatuses = ["disconnected", "unconnected", "not connected", "none", "pending"];

/** What the words in `status.auth.connectors[].status` mean on this platform, besides the usual ones. */
export interface ConnectorWords {
  /** Words that the user names as connected; they outrank all others. */
  connectedStatuses: readonly string[];
  /** Words that the user names as not connected. */
  notConnectedStatuses: readonly string[];
}

/** What the state of a tenant's connection is told from. */
export interface ConnectionContext {
  /** The integration of the tenant. */
  record: Pick<Integration, "connectors">;
  connectorWords: ConnectorWords & {
    /** The words in the platform's answers to POST in this operation: a new tenant is unconnected, whatever the word. */
    ofNewTenants: ReadonlySet<string>;
  };
}

/** What of a tenant tells whether it is connected. */
type ConnectionOf = Pick<Tenant, "status">;

/** Whether a customer has connected a tenant, and what tells so. */
export interface Connection {
  isConnected: boolean;
  /** Ends a sentence: `its connector "crm" has the status "connected"`. */
  reason: string;
}

/**
 * Whether a customer has connected the tenant, be it with one connector: then archiving it would cut the customer off. A
 * tenant counts as connected unless the platform tells that it is not: docs/decisions/connected-or-not.md.
 */
export function connectionOf(tenant: ConnectionOf, { record, connectorWords }: ConnectionContext): Connection {
  const { auth } = tenant.status ?? {};
  if (auth?.connected === true) return { isConnected: true, reason: "the platform says so (status.auth.connected)" };
  const own = ownConnectors(tenant, record);
  const named = own.find(({ status }) => isAmong(connectorWords.connectedStatuses, status));
  if (named !== undefined) return { isConnected: true, reason: describe(named) };
  if (auth?.connected === undefined && !neverRan(tenant)) return { isConnected: true, reason: notTold(tenant) };
  const doubtful = own.find((connector) => !isNotConnected(connector, tenant, connectorWords));
  if (doubtful === undefined) return { isConnected: false, reason: "" };
  const hint =
    `. If "${doubtful.status}" means not connected on this platform, add it to ` +
    "integration-platform:notConnectedStatuses in the stack's config";
  return { isConnected: true, reason: describe(doubtful) + (isAmong(connectedStatuses, doubtful.status) ? "" : hint) };
}

/** Whether a tenant can sync. `unknown`: the platform does not tell, and only asking for a sync shows it. */
export type SyncReadiness =
  | { kind: "can" }
  | { kind: "cannot"; reason: string; isTold: boolean }
  | { kind: "unknown"; reason: string };

/** Whether the tenant can sync: each of its connectors is connected, or it has none of its own. */
export function canSync(tenant: ConnectionOf, { record, connectorWords }: ConnectionContext): SyncReadiness {
  const { connectors } = record;
  const { auth } = tenant.status ?? {};
  if (auth?.connected === true || (connectors?.length && connectors.every(({ isGlobal }) => isGlobal))) {
    return { kind: "can" };
  }
  const own = ownConnectors(tenant, record);
  const isNamed = ({ status }: ConnectorStatus) => isAmong(connectorWords.connectedStatuses, status);
  const missing = own.find((connector) => !isNamed(connector) && isNotConnected(connector, tenant, connectorWords));
  if (missing !== undefined) return { kind: "cannot", reason: describe(missing), isTold: true };
  if (own.length === 0 && auth?.connected === false) {
    const reason = "status.auth.connected is false, and status.auth.connectors lists none of its connectors";
    return { kind: "cannot", reason, isTold: false };
  }
  if (own.length === 0) return { kind: "unknown", reason: notTold(tenant) };
  const unknown = own.find((connector) => !isNamed(connector) && !isAmong(connectedStatuses, connector.status));
  return unknown === undefined ? { kind: "can" } : { kind: "unknown", reason: describe(unknown) };
}

/** The connectors that the customer connects, as far as the tenant lists them. Global ones are the integration's own. */
export function ownConnectors(
  { status }: ConnectionOf,
  { connectors }: Pick<Integration, "connectors">,
): ConnectorStatus[] {
  const global = (connectors ?? []).filter(({ isGlobal }) => isGlobal).map(({ name }) => name);
  return (status?.auth?.connectors ?? []).filter(({ name }) => !global.includes(name));
}

/** Whether the platform tells that the tenant never ran. A platform that sends no status does not tell. */
export function neverRan({ status }: ConnectionOf): boolean {
  if (status === undefined || status === null) return false;
  const runs = [status.last_run, status.current_run, status.last_successful_run];
  return runs.every((run) => Object.keys(run).length === 0);
}

/** By its word, or because nothing has happened to it: then a word that nobody knows stands for the state of a new tenant. */
function isNotConnected(
  { status: word, last_change: lastChange }: ConnectorStatus,
  tenant: ConnectionOf,
  words: ConnectionContext["connectorWords"],
): boolean {
  if ([notConnectedStatuses, words.notConnectedStatuses, [...words.ofNewTenants]].some((list) => isAmong(list, word))) {
    return true;
  }
  const isUntouched = !lastChange && tenant.status?.auth?.connected === false && neverRan(tenant);
  return isUntouched && !isAmong(connectedStatuses, word);
}

function describe({ name, status }: ConnectorStatus): string {
  return `its connector "${name}" has the status "${status}"`;
}

function notTold({ status }: ConnectionOf): string {
  const absent = status?.auth ? "status.auth.connected" : status ? "status.auth" : "status";
  return `the platform does not tell whether it is connected: it sends no ${absent} of it`;
}

function isAmong(words: readonly string[], word: string): boolean {
  return words.some((known) => normal(known) === normal(word));
}

function normal(word: string): string {
  return word.toLowerCase().replaceAll(/[\s_-]/g, "");
}
