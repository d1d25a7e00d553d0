import { timestamp } from "../clock.ts";
import type { IntegrationRecord } from "../entities/integration.ts";
import type { AuthStatus, TenantRecord } from "../entities/tenant.ts";
import type { Platform } from "../platform.ts";

/** A tenant as POST leaves it when nothing is said: unconnected, paused, of source "api", no release. Not written yet. */
export function newTenant(platform: Platform, integration: IntegrationRecord, name: string): TenantRecord {
  const now = timestamp(platform.clock);
  return {
    id: platform.store.tenants.nextId(),
    name,
    archived: false,
    integration_id: integration.id,
    configs: {},
    created_date: now,
    modified_date: now,
    paused: true,
    user_schedule: null,
    source: "api",
    integration_release_id: null,
    integration_release_channel: null,
    status: {
      last_run: {},
      current_run: {},
      last_successful_run: {},
      dynamic_configs: {},
      auth: authStatus(integration, "disconnected", null),
    },
    user_name: null,
  };
}

/** The status of all of an integration's connectors that a tenant connects itself, that is, the non-global ones. */
export function authStatus(
  integration: IntegrationRecord,
  status: "connected" | "disconnected",
  lastChange: string | null,
): AuthStatus {
  const connectors = integration.connectors
    .filter((connector) => !connector.isGlobal)
    .map(({ name }) => ({ name, status, last_change: lastChange }));
  return { connected: status === "connected", connectors };
}
