import type { ConnectorRecord, IntegrationRecord } from "../entities/integration.ts";
import type { ReleaseRecord } from "../entities/release.ts";
import type { TenantRecord } from "../entities/tenant.ts";
import { invalid, NotFound } from "../http/problems.ts";
import type { Platform } from "../platform.ts";

/** @throws NotFound */
export function requireIntegration({ store }: Platform, id: number): IntegrationRecord {
  const integration = store.integrations.find(id);
  if (!integration) throw new NotFound(`Integration ${id} not found`);
  return integration;
}

/** @throws NotFound also when the release is another integration's. */
export function requireRelease(platform: Platform, integrationId: number, id: number): ReleaseRecord {
  requireIntegration(platform, integrationId);
  const release = platform.store.releases.find(id);
  if (release?.integration_id !== integrationId) {
    throw new NotFound(`Release ${id} of integration ${integrationId} not found`);
  }
  return release;
}

/**
 * The live tenant as last written, for what changes it.
 *
 * @throws NotFound also when it is archived.
 */
export function requireTenant({ store }: Platform, id: number): TenantRecord {
  return requireLive(id, store.tenants.find(id));
}

/**
 * The live tenant as readers see it.
 *
 * @throws NotFound also when it is archived.
 */
export function requireShownTenant({ store, clock }: Platform, id: number): TenantRecord {
  return requireLive(id, store.tenants.findShown(id, clock.now()));
}

function requireLive(id: number, tenant: TenantRecord | undefined): TenantRecord {
  if (!tenant || tenant.archived) throw new NotFound(`Tenant ${id} not found`);
  return tenant;
}

/**
 * The live tenant that a path names, where the specification declares no 404 for one that is not there.
 *
 * @throws InvalidRequest
 */
export function requireTenantInPath({ store }: Platform, id: number): TenantRecord {
  const tenant = store.tenants.find(id);
  if (!tenant || tenant.archived) throw invalid(["path", "tenant_id"], `Tenant ${id} not found`, id);
  return tenant;
}

/**
 * The connector that a path names, global or not.
 *
 * @throws InvalidRequest when the tenant's integration has none of that name.
 */
export function requireConnectorInPath({ store }: Platform, tenant: TenantRecord, name: string): ConnectorRecord {
  const connectors = store.integrations.find(tenant.integration_id)?.connectors ?? [];
  const connector = connectors.find((candidate) => candidate.name === name);
  if (!connector) throw invalid(["path", "connector_name"], `Tenant ${tenant.id} has no connector "${name}"`, name);
  return connector;
}
