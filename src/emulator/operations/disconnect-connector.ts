import { timestamp } from "../clock.ts";
import type { ConnectorStatus } from "../entities/tenant.ts";
import { hiddenPeriod, type Platform } from "../platform.ts";
import { invalid } from "../rules/problems.ts";
import { changedAuth, connectorStatus } from "./connection.ts";
import { requireConnectorInPath, requireTenantInPath } from "./require.ts";
import { writeTenant } from "./schedule.ts";

/**
 * PATCH /v2/tenants/{tenant_id}/connectors/{connector_name}/disconnect. Nothing changes when the connector is disconnected
 * already.
 *
 * @throws InvalidRequest for a global or unknown connector; also for an unknown tenant, as the specification declares no
 * 404 here.
 */
export function disconnectConnector(platform: Platform, tenantId: number, name: string): ConnectorStatus {
  const tenant = requireTenantInPath(platform, tenantId);
  const { isGlobal } = requireConnectorInPath(platform, tenant, name);
  if (isGlobal) throw invalid(["path", "connector_name"], `Connector "${name}" is global`, name);

  const current = connectorStatus(tenant, name);
  if (current?.status === "disconnected") return current;
  const now = timestamp(platform.clock);
  const disconnected = { name, status: "disconnected", last_change: now };
  const auth = changedAuth(platform, tenant, disconnected);
  const changed = { ...tenant, modified_date: now, status: { ...tenant.status, auth } };
  writeTenant(platform, changed, hiddenPeriod(platform));
  return disconnected;
}
