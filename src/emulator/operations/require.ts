import type { ConnectorRecord, IntegrationRecord } from "../entities/integration.ts";
import type { ReleaseRecord } from "../entities/release.ts";
import type { RunRecord } from "../entities/run.ts";
import type { TenantRecord } from "../entities/tenant.ts";
import type { Platform } from "../platform.ts";
import { Busy, invalid, NotFound } from "../rules/problems.ts";

/** An integration, live or archived. @throws NotFound */
export function requireIntegration({ store }: Platform, id: number): IntegrationRecord {
  const integration = store.integrations.find(id);
  if (!integration) throw new NotFound(`Integration ${id} not found`);
  return integration;
}

/** A release of an integration. @throws NotFound also when the release belongs to another integration. */
export function requireRelease(platform: Platform, integrationId: number, id: number): ReleaseRecord {
  requireIntegration(platform, integrationId);
  const release = platform.store.releases.find(id);
  if (release?.integration_id !== integrationId) {
    throw new NotFound(`Release ${id} of integration ${integrationId} not found`);
  }
  return release;
}

/**
 * The latest state of a live tenant. Operations that change the tenant start from it.
 *
 * @throws NotFound also when the tenant is archived.
 */
export function requireTenant({ store }: Platform, id: number): TenantRecord {
  return requireLive(id, store.tenants.find(id));
}

/**
 * The state of a tenant that readers see; see the variant `visibility`.
 *
 * @throws NotFound also when the tenant is archived, but in the variant `archivedTenant=readable`.
 */
export function requireVisibleTenant({ store, clock, variants }: Platform, id: number): TenantRecord {
  const tenant = store.tenants.findVisible(id, clock.now());
  return tenant && variants.archivedTenant === "readable" ? tenant : requireLive(id, tenant);
}

function requireLive(id: number, tenant: TenantRecord | undefined): TenantRecord {
  if (!tenant || tenant.archived) throw new NotFound(`Tenant ${id} not found`);
  return tenant;
}

/**
 * The live tenant of a path for which the specification declares no 404.
 *
 * @throws InvalidRequest when there is no such tenant.
 */
export function requireTenantInPath({ store }: Platform, id: number): TenantRecord {
  const tenant = store.tenants.find(id);
  if (!tenant || tenant.archived) throw invalid(["path", "tenant_id"], `Tenant ${id} not found`, id);
  return tenant;
}

/**
 * The connector of a path, global or not.
 *
 * @throws InvalidRequest when the tenant's integration has no connector of this name.
 */
export function requireConnectorInPath({ store }: Platform, tenant: TenantRecord, name: string): ConnectorRecord {
  const connectors = store.integrations.find(tenant.integration_id)?.connectors ?? [];
  const connector = connectors.find((candidate) => candidate.name === name);
  if (!connector) throw invalid(["path", "connector_name"], `Tenant ${tenant.id} has no connector "${name}"`, name);
  return connector;
}

/**
 * Checks that a name is free in an integration, where names are unique; see the variant `names`.
 *
 * @param tenantId the tenant that gets the name; undefined for a new tenant.
 * @throws InvalidRequest when another live tenant of the integration has the name.
 */
export function requireFreeName(platform: Platform, integrationId: number, name: string, tenantId?: number): void {
  if (platform.variants.names === "free") return;
  const others = platform.store.tenants.findLive(integrationId, name).filter((id) => id !== tenantId);
  if (others.length === 0) return;
  throw invalid(["body", "name"], `Integration ${integrationId} already has a live tenant "${name}"`, name);
}

/** @throws Busy while a run of the tenant is in progress; see the variant `busy`. */
export function requireIdle({ store, variants }: Platform, tenantId: number): void {
  if (variants.busy === "no" || !store.runs.findRunning(tenantId)) return;
  throw new Busy(Number(variants.busy), `A run of tenant ${tenantId} is in progress`);
}

/** @throws NotFound */
export function requireRun({ store }: Platform, id: number): RunRecord {
  const run = store.runs.find(id);
  if (!run) throw new NotFound(`Run ${id} not found`);
  return run;
}

/**
 * GET /v2/runs/triggers/{trigger_id}/status: the run that serves a trigger.
 *
 * @throws NotFound also while the trigger is debounced.
 */
export function requireRunOfTrigger({ store }: Platform, triggerId: string): RunRecord {
  const trigger = store.triggers.find(triggerId);
  if (!trigger) throw new NotFound(`Trigger ${triggerId} not found`);
  const run = trigger.run_id === null ? undefined : store.runs.find(trigger.run_id);
  if (!run) throw new NotFound(`Trigger ${triggerId} has no run yet`);
  return run;
}
