import type { Client, Tenant } from "../../api/index.ts";
import type { ReconciledTenantArchived, ReconciledTenantCreated } from "../events/index.ts";
import type { Subject } from "../ledger/ledger.ts";

/** The event that a webhook should have told of, as far as the platform's list of tenants tells it. */
export function reconciledEvent(
  tenant: Tenant,
  happening: Subject["happening"],
  noticedAt: string,
  integrationNames: ReadonlyMap<number, string>,
): ReconciledTenantCreated | ReconciledTenantArchived {
  const { id, name, integration_id } = tenant;
  const integrationName = integration_id === undefined ? undefined : integrationNames.get(integration_id);
  const fields = {
    tenant_id: id,
    tenant_name: name,
    ...(integration_id === undefined ? {} : { integration_id }),
    ...(integrationName === undefined ? {} : { integration_name: integrationName }),
  };
  if (happening === "archived") return { event_type: "tenant_archived", timestamp: noticedAt, ...fields };
  return { event_type: "new_tenant_created", timestamp: dateOf(tenant.created_date) ?? noticedAt, ...fields };
}

/** The names for people of all live integrations, by their ids. */
export async function integrationNames(client: Client): Promise<Map<number, string>> {
  const names = new Map<number, string>();
  for await (const { id, name, long_name } of client.integrations.list()) names.set(id, long_name || name);
  return names;
}

function dateOf(text: string | null | undefined): string | undefined {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
