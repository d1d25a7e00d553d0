import type { IntegrationRecord } from "../entities/integration.ts";
import type { ReleaseRecord } from "../entities/release.ts";
import type { TenantRecord } from "../entities/tenant.ts";
import { NotFound } from "../http/problems.ts";
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
