import type { Client, Tenant } from "../../api/index.ts";
import { parsePlatformDate } from "../../api/platform-clock.ts";
import type { TenantArchived, TenantCreated } from "../events/index.ts";
import type { TenantEvent } from "../ledger/ledger.ts";

/** The event that the missing webhook should have carried, with the fields that the list of tenants provides. */
export function reconciledEvent(
  tenant: Tenant,
  eventKind: TenantEvent["eventKind"],
  noticedAt: string,
  integrationNames: ReadonlyMap<number, string>,
): TenantCreated | TenantArchived {
  const { id, name, integration_id } = tenant;
  const integrationName = integration_id === undefined ? undefined : integrationNames.get(integration_id);
  const fields = {
    tenant_id: id,
    tenant_name: name,
    ...(integration_id === undefined ? {} : { integration_id }),
    ...(integrationName === undefined ? {} : { integration_name: integrationName }),
  };
  if (eventKind === "archived") return { event_type: "tenant_archived", timestamp: noticedAt, ...fields };
  return { event_type: "new_tenant_created", timestamp: isoDate(tenant.created_date) ?? noticedAt, ...fields };
}

/** The display names of all live integrations, by id. */
export async function integrationNames(client: Client): Promise<Map<number, string>> {
  const names = new Map<number, string>();
  for await (const { id, name, long_name } of client.integrations.list()) names.set(id, long_name || name);
  return names;
}

function isoDate(date: string | null | undefined): string | undefined {
  const time = parsePlatformDate(date ?? "");
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
