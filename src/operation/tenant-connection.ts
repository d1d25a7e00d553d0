import type { ConnectorStatus, Integration, Tenant } from "../api/index.ts";
import { isNoRun } from "./run-record.ts";

/**
 * Common words for a connector's status, as the specification has none ("Allowed values of ConnectorStatus.status: not
 * shown"). Case, spaces, `-` and `_` are ignored in comparisons.
 */
const connectedStatuses = ["connected", "authorized", "authenticated", "active"];
const notConnectedStatuses = ["disconnected", "unconnected", "not connected", "none", "pending"];

/** The meaning of the words in `status.auth.connectors[].status` on this platform, in addition to the common words. */
export interface ConnectorWords {
  /** Statuses of a connector that mean connected, in addition to the built-in ones. They take precedence over all others. */
  connectedStatuses: readonly string[];
  /** Statuses of a connector that mean not connected, in addition to the built-in ones. */
  notConnectedStatuses: readonly string[];
}

/** What the status of a connector means. */
export type ConnectorMeaning = "connected" | "not connected" | "unknown";

/** The meaning of a connector's status, as far as the common words and those of the user say. */
export function connectorMeaning(word: string, words: ConnectorWords): ConnectorMeaning {
  if (isAmong(words.connectedStatuses, word)) return "connected";
  if (isAmong([...words.notConnectedStatuses, ...notConnectedStatuses], word)) return "not connected";
  return isAmong(connectedStatuses, word) ? "connected" : "unknown";
}

/** What is needed to decide whether a tenant is connected. */
export interface ConnectionContext {
  /** The integration of the tenant. */
  record: Pick<Integration, "connectors">;
  connectorWords: ConnectorWords;
}

/** The fields of a tenant that show whether it is connected. */
type ConnectionOf = Pick<Tenant, "status">;

/** Whether a customer has connected a tenant, and why we think so. */
export interface Connection {
  isConnected: boolean;
  /** A clause for messages, such as `its connector "crm" has the status "connected"`. */
  reason: string;
}

/**
 * Whether a customer has connected at least one of the tenant's connectors, so that archiving the tenant would disconnect
 * the customer. A tenant counts as connected unless the platform reports that it is not: docs/decisions/connected-or-not.md.
 */
export function connectionOf(tenant: ConnectionOf, { record, connectorWords }: ConnectionContext): Connection {
  const { auth } = tenant.status ?? {};
  if (auth?.connected === true)
    return { isConnected: true, reason: "the platform reports that status.auth.connected is true" };
  const own = ownConnectors(tenant, record);
  const named = own.find(({ status }) => isAmong(connectorWords.connectedStatuses, status));
  if (named !== undefined) return { isConnected: true, reason: describe(named) };
  if (auth?.connected === undefined && !neverRan(tenant)) return { isConnected: true, reason: notReported(tenant) };
  const doubtful = own.find((connector) => !isNotConnected(connector, own, tenant, connectorWords));
  if (doubtful === undefined) return { isConnected: false, reason: "" };
  const hint =
    `. If "${doubtful.status}" means not connected on this platform, add it to ` +
    "integration-platform:notConnectedStatuses in the stack's config";
  return { isConnected: true, reason: describe(doubtful) + (isAmong(connectedStatuses, doubtful.status) ? "" : hint) };
}

/** Whether a tenant can sync. `unknown` means that the platform does not report it, and only a sync request shows it. */
export type SyncReadiness =
  | { kind: "can" }
  | { kind: "cannot"; reason: string; isReported: boolean }
  | { kind: "unknown"; reason: string };

/** Whether the tenant can sync. It can if all of its own connectors are connected, or if it has none. */
export function canSync(tenant: ConnectionOf, { record, connectorWords }: ConnectionContext): SyncReadiness {
  const { connectors } = record;
  const { auth } = tenant.status ?? {};
  if (auth?.connected === true || (connectors?.length && connectors.every(({ isGlobal }) => isGlobal))) {
    return { kind: "can" };
  }
  const own = ownConnectors(tenant, record);
  const isNamed = ({ status }: ConnectorStatus) => isAmong(connectorWords.connectedStatuses, status);
  const missing = own.find(
    (connector) => !isNamed(connector) && isNotConnected(connector, own, tenant, connectorWords),
  );
  if (missing !== undefined) return { kind: "cannot", reason: describe(missing), isReported: true };
  if (own.length === 0 && auth?.connected === false) {
    const reason = "status.auth.connected is false, and status.auth.connectors lists none of its connectors";
    return { kind: "cannot", reason, isReported: false };
  }
  if (own.length === 0) return { kind: "unknown", reason: notReported(tenant) };
  const unknown = own.find((connector) => !isNamed(connector) && !isAmong(connectedStatuses, connector.status));
  return unknown === undefined ? { kind: "can" } : { kind: "unknown", reason: describe(unknown) };
}

/** The tenant's listed connectors without the global ones. The customer connects these; global ones need no connection. */
export function ownConnectors(
  { status }: ConnectionOf,
  { connectors }: Pick<Integration, "connectors">,
): ConnectorStatus[] {
  const global = (connectors ?? []).filter(({ isGlobal }) => isGlobal).map(({ name }) => name);
  return (status?.auth?.connectors ?? []).filter(({ name }) => !global.includes(name));
}

/** Whether the platform reports that the tenant never ran. False if the platform sends no status. */
export function neverRan({ status }: ConnectionOf): boolean {
  if (status === undefined || status === null) return false;
  const runs = [status.last_run, status.current_run, status.last_successful_run];
  return runs.every(isNoRun);
}

/**
 * Whether a connector is not connected: its status says so, or it has an unknown status and has never been changed. If the
 * platform does not report when it was changed, all of the tenant's connectors must have the same status: one of two may be
 * connected while `status.auth.connected` is false.
 */
function isNotConnected(
  { status: word, last_change: lastChange }: ConnectorStatus,
  own: readonly ConnectorStatus[],
  tenant: ConnectionOf,
  words: ConnectionContext["connectorWords"],
): boolean {
  if (isAmong([...notConnectedStatuses, ...words.notConnectedStatuses], word)) return true;
  // a new tenant may list a global connector, or one without credentials, as connected: such a word keeps its meaning
  if (isAmong(connectedStatuses, word)) return false;
  if (lastChange === undefined && own.some(({ status }) => status !== word)) return false;
  return !lastChange && tenant.status?.auth?.connected === false && neverRan(tenant);
}

function describe({ name, status }: ConnectorStatus): string {
  return `its connector "${name}" has the status "${status}"`;
}

function notReported({ status }: ConnectionOf): string {
  const absent = status?.auth ? "status.auth.connected" : status ? "status.auth" : "status";
  return `the platform does not report whether it is connected, as it sends no ${absent}`;
}

function isAmong(words: readonly string[], word: string): boolean {
  return words.some((known) => normal(known) === normal(word));
}

function normal(word: string): string {
  return word.toLowerCase().replaceAll(/[\s_-]/g, "");
}
