import type { IntegrationRecord } from "../entities/integration.ts";
import type { AuthStatus, ConnectorStatus, TenantRecord } from "../entities/tenant.ts";
import type { Platform } from "../platform.ts";
import { authStatus } from "./new-tenant.ts";

/** Whether a tenant can sync: its user has connected it, or all connectors of its integration are global. */
export function isConnected({ store }: Platform, tenant: TenantRecord): boolean {
  if (tenant.status?.auth?.connected === true) return true;
  return isConnectedForAll(store.integrations.find(tenant.integration_id));
}

/** Whether an integration has only global connectors, so that its tenants need not connect any. */
export function isConnectedForAll(integration: IntegrationRecord | undefined): boolean {
  const connectors = integration?.connectors ?? [];
  return connectors.length > 0 && connectors.every(({ isGlobal }) => isGlobal);
}

/** The status of one of the tenant's own connectors; undefined when nobody has connected it yet. */
export function connectorStatus(tenant: TenantRecord, name: string): ConnectorStatus | undefined {
  return tenant.status?.auth?.connectors?.find((connector) => connector.name === name);
}

/** A tenant's connections after one of them has changed. The tenant is connected when all its connectors are. */
export function changedAuth({ store }: Platform, tenant: TenantRecord, changed: ConnectorStatus): AuthStatus {
  const integration = store.integrations.find(tenant.integration_id);
  const known = integration ? (authStatus(integration, "disconnected", null).connectors ?? []) : [];
  const current = new Map([...known, ...(tenant.status?.auth?.connectors ?? [])].map((entry) => [entry.name, entry]));
  current.set(changed.name, changed);
  const connectors = [...current.values()];
  const connected = connectors.every((connector) => connector.status === "connected");
  return { ...tenant.status?.auth, connected, connectors };
}
