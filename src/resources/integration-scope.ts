import type { Integration } from "../api/index.ts";
import type { Releases, TenantDirectory } from "../snapshot/index.ts";
import type { Platform } from "./platform.ts";

/** An integration with what belongs to it. */
export interface IntegrationScope {
  id: number;
  record: Integration;
  releases: Releases;
  tenants: TenantDirectory;
}

/** Throws {@link UnknownNameError} where there is no such integration. */
export async function integrationScope({ snapshot }: Platform, nameOrId: string | number): Promise<IntegrationScope> {
  const record = await snapshot.integrations.find(nameOrId);
  const { id } = record;
  return { id, record, releases: snapshot.releasesOf(id), tenants: snapshot.tenantsOf(id) };
}
