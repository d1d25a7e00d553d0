import { timestamp } from "../clock.ts";
import { type EventKey, eventTypes } from "../entities/event.ts";
import type { IntegrationRecord } from "../entities/integration.ts";
import type { JsonObject } from "../entities/json.ts";
import type { TenantRecord } from "../entities/tenant.ts";
import type { Platform } from "../platform.ts";

/**
 * Tells of an event (specification, "Events"): puts the webhook among the deliveries, if its toggle is on, and an e-mail
 * to each subscriber and to the primary contact into the outbox. Sending is done elsewhere and later.
 *
 * | what is done | event |
 * |---|---|
 * | an integration made in the console | `integration_created` |
 * | POST /v2/tenants, an install in the marketplace | `tenant_created` |
 * | DELETE /v2/tenants/{id}, archiving in the console | `tenant_archived` |
 * | a partner's change of an integration | `partner_integration_updated` |
 * | a run that ends as failed | `run_failed` |
 *
 * @param fields the payload's fields besides the common ones.
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
      store.deliveries.keepNewest(keptRecords);
    }
    for (const to of new Set([...(settings.primary_contact ? [settings.primary_contact] : []), ...subscribers])) {
      const subject = `[${settings.account.environment}] ${eventTypes[event]}`;
      const text = JSON.stringify(payload, undefined, 2);
      store.emails.write({ id: store.emails.nextId(), event, to, subject, text, created_date: now });
      store.emails.keepNewest(keptRecords);
    }
  });
}

/** What the events about a tenant say of it. */
export function tenantFields({ store }: Platform, tenant: TenantRecord): JsonObject {
  const integration = store.integrations.find(tenant.integration_id);
  return {
    tenant_id: tenant.id,
    tenant_name: tenant.name,
    integration_id: tenant.integration_id,
    integration_name: integration ? displayName(integration) : "",
  };
}

/** The name that people know an integration by. */
export function displayName(integration: IntegrationRecord): string {
  return integration.long_name;
}

// Deliveries and e-mails are for looking at; an emulator that runs for weeks must not grow without end.
const keptRecords = 10_000;
