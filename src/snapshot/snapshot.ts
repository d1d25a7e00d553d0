import type { Client, ListTenantsQuery, Tenant } from "../api/index.ts";
import { createPages } from "../api/pages.ts";
import { type Integrations, integrations } from "./integrations.ts";
import { type Releases, releases } from "./releases.ts";
import { type TenantDirectory, tenantDirectory } from "./tenant-directory.ts";

/** The data that one operation (`preview`, `up`, `refresh` or `destroy`) has read from the platform. Each list is read once. */
export interface Snapshot {
  integrations: Integrations;
  /** The releases of an integration, by its id. */
  releasesOf(integrationId: number): Releases;
  /**
   * The tenants of an integration, by its id. Without an id, the tenants of all integrations: an update of a tenant of one
   * integration updates these too.
   */
  tenantsOf(integrationId?: number): TenantDirectory;
}

export function createSnapshot(client: Client): Snapshot {
  const releasesById = new Map<number | undefined, Releases>();
  const tenantsById = new Map<number | undefined, TenantDirectory>();
  const pages = createPages((query: ListTenantsQuery) => client.tenants.listPage(query));
  const writeToAll = (id: number, tenant: Tenant | undefined) => {
    const all = tenantsById.get(undefined);
    if (tenant === undefined) all?.delete(id);
    else all?.set(tenant);
  };
  return {
    integrations: integrations(client),
    releasesOf: (id) => entry(releasesById, id, () => releases(client, id)),
    tenantsOf: (id) =>
      entry(tenantsById, id, () => tenantDirectory(pages, id, id === undefined ? undefined : writeToAll)),
  };
}

function entry<T>(entries: Map<number | undefined, T>, id: number | undefined, make: () => T): T {
  const known = entries.get(id);
  if (known !== undefined) return known;
  const made = make();
  entries.set(id, made);
  return made;
}
