import type { Integration } from "../api/index.ts";
import type { Releases, TenantDirectory } from "../snapshot/index.ts";
import type { Platform } from "./platform.ts";
import type { ConnectorWords } from "./tenant/connection.ts";

/** An integration with what belongs to it. */
export interface IntegrationScope {
  id: number;
  record: Integration;
  releases: Releases;
  tenants: TenantDirectory;
  /** What the words for the status of a connector mean. */
  connectorWords: ConnectorWords & {
    /** The words that the platform's answers to POST carried in this operation; to be added to. */
    ofNewTenants: Set<string>;
  };
}

/** Throws {@link UnknownNameError} where there is no such integration. */
export async function integrationScope(
  { snapshot, connectorWords, wordsOfNewTenants }: Platform,
  nameOrId: string | number,
): Promise<IntegrationScope> {
  const record = await snapshot.integrations.find(nameOrId);
  const { id } = record;
  const ofNewTenants = wordsOfNewTenants.get(id) ?? new Set();
  wordsOfNewTenants.set(id, ofNewTenants);
  return {
    id,
    record,
    releases: snapshot.releasesOf(id),
    tenants: snapshot.tenantsOf(id),
    connectorWords: { ...connectorWords, ofNewTenants },
  };
}
