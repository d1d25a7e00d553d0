import { timestamp } from "../clock.ts";
import type { MetadataRecord } from "../entities/tenant.ts";
import { hiddenPeriod, type Platform } from "../platform.ts";
import { applyPatch } from "../rules/apply-patch.ts";
import type { JsonObject } from "../rules/json.ts";
import { NotFound } from "../rules/problems.ts";
import { checkMetadata } from "./check-configs.ts";
import { resolveRelease } from "./release-choice.ts";
import { requireIdle, requireTenant, requireVisibleTenant } from "./require.ts";

/** Specification, "TenantMetadata". The dates are null if no metadata was ever written. */
export interface Metadata {
  readonly tenant_id: number;
  readonly data: JsonObject | null;
  readonly created_date: string | null;
  readonly modified_date: string | null;
}

/**
 * GET /v2/tenants/{tenant_id}/metadata.
 *
 * @throws NotFound also for an archived tenant (see the variant `archivedTenant`), and if no metadata was ever written in
 * the variant `metadataWhenNone=missing`.
 */
export function readMetadata(platform: Platform, tenantId: number): Metadata {
  requireVisibleTenant(platform, tenantId);
  const found = platform.store.metadata.findVisible(tenantId, platform.clock.now());
  if (found) return found;
  if (platform.variants.metadataWhenNone === "missing") throw new NotFound(`Tenant ${tenantId} has no metadata`);
  return { tenant_id: tenantId, data: {}, created_date: null, modified_date: null };
}

/**
 * PATCH /v2/tenants/{tenant_id}/metadata.
 *
 * @throws NotFound also for an archived tenant.
 * @throws Busy while a run of the tenant is in progress; see the variant `busy`.
 * @throws InvalidRequest when the result violates the release's metadata schema.
 */
export function updateMetadata(platform: Platform, tenantId: number, body: JsonObject): Metadata {
  const tenant = requireTenant(platform, tenantId);
  requireIdle(platform, tenantId);
  const current = platform.store.metadata.find(tenantId);
  const next = applyPatch(platform.variants.metadata, current?.data ?? {}, body);

  const now = timestamp(platform.clock);
  const metadata: MetadataRecord = {
    tenant_id: tenantId,
    data: checkMetadata(platform, resolveRelease(platform, tenant.integration_id, tenant), next),
    created_date: current?.created_date ?? now,
    modified_date: now,
  };
  platform.store.metadata.write(metadata, hiddenPeriod(platform));
  return metadata;
}
