import { timestamp } from "../clock.ts";
import type { IntegrationRecord } from "../entities/integration.ts";
import type { AuthStatus, TenantRecord } from "../entities/tenant.ts";
import type { Platform } from "../platform.ts";

/** A tenant with the defaults of POST: unconnected, paused, with the source "api" and no release. It is not stored. */
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

/** The status of the connectors that a tenant connects itself: those of its integration that are not global. */
export function authStatus(
  integration: IntegrationRecord,
  status: "connected" | "disconnected",
  lastChange: string | null,
): AuthStatus {
  const connectors = (integration.connectors ?? [])
    .filter((connector) => !connector.isGlobal)
    .map(({ name }) => ({ name, status, last_change: lastChange }));
  return { connected: status === "connected", connectors };
}
