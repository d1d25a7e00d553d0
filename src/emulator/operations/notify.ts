import { timestamp } from "../clock.ts";
import { type EventKey, eventTypes, sentOutcomes } from "../entities/event.ts";
import type { IntegrationRecord } from "../entities/integration.ts";
import type { TenantRecord } from "../entities/tenant.ts";
import type { Platform } from "../platform.ts";
import type { JsonObject } from "../rules/json.ts";

/**
 * Records an event (specification, "Events"): a pending webhook when webhooks are on for the event, and an e-mail to the
 * primary contact and each subscriber. The dispatcher sends the webhook later.
 *
 * | cause | event |
 * |---|---|
 * | somebody adds an integration in the console | `integration_created` |
 * | POST /v2/tenants, or an install in the marketplace | `tenant_created` |
 * | DELETE /v2/tenants/{id}, or archiving in the console | `tenant_archived` |
 * | a partner changes an integration | `partner_integration_updated` |
 * | a run fails | `run_failed` |
 *
 * @param fields the fields of the payload besides those that all events have.
 */
export function notify(platform: Platform, event: EventKey, fields: JsonObject): void {
  const { store, clock } = platform;
  const settings = store.settings.read();
  const { send_webhook, subscribers } = settings.notifications[event];
  const now = timestamp(clock);
  const payload: JsonObject = {
    event_type: eventTypes[event],
    environment: settings.account.environment,
    account_id: settings.account.id,
    account_name: settings.account.name,
    timestamp: now,
    ...fields,
  };
  const unsent = { outcome: "pending", status: null, milliseconds: null } as const;

  store.transaction(() => {
    if (send_webhook && settings.webhook_url !== null) {
      const id = store.deliveries.nextId();
      store.deliveries.write({ id, event, url: settings.webhook_url, payload, created_date: now, ...unsent });
      store.deliveries.deleteAllButNewest(maxRecords, sentCondition, ...sentOutcomes);
    }
    for (const to of new Set([...(settings.primary_contact ? [settings.primary_contact] : []), ...subscribers])) {
      const subject = `[${settings.account.environment}] ${eventTypes[event]}`;
      const text = JSON.stringify(payload, undefined, 2);
      store.emails.write({ id: store.emails.nextId(), event, to, subject, text, created_date: now });
      store.emails.deleteAllButNewest(maxRecords);
    }
  });
}

/** The fields of every event about a tenant. */
export function tenantFields({ store }: Platform, tenant: TenantRecord): JsonObject {
  const integration = store.integrations.find(tenant.integration_id);
  return {
    tenant_id: tenant.id,
    tenant_name: tenant.name,
    integration_id: tenant.integration_id,
    integration_name: integration ? displayName(integration) : "",
  };
}

/** The name of an integration for people. */
export function displayName(integration: IntegrationRecord): string {
  return integration.long_name;
}

// The database of an emulator that runs for weeks must not grow without limit.
const maxRecords = 10_000;

const sentCondition = `outcome IN (${sentOutcomes.map(() => "?").join(", ")})`;
