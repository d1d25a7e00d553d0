import { timestamp } from "../clock.ts";
import type { JsonObject } from "../entities/json.ts";
import type { MetadataRecord } from "../entities/tenant.ts";
import { NotFound } from "../http/problems.ts";
import { type Platform, shownAt } from "../platform.ts";
import { applyPatch } from "../rules/merging.ts";
import { checkMetadata } from "./check-configs.ts";
import { requireShownTenant, requireTenant } from "./find.ts";
import { resolveRelease } from "./resolve-release.ts";

/** Specification, "TenantMetadata". Metadata that was never written has no dates. */
export interface Metadata {
  readonly tenant_id: number;
  readonly data: JsonObject;
  readonly created_date: string | null;
  readonly modified_date: string | null;
}

/**
 * GET /v2/tenants/{tenant_id}/metadata.
 *
 * @throws NotFound for an archived tenant, and for metadata never written (see the variant `metadataWhenNone`).
 */
export function readMetadata(platform: Platform, tenantId: number): Metadata {
  requireShownTenant(platform, tenantId);
  const found = platform.store.metadata.findShown(tenantId, platform.clock.now());
  if (found) return found;
  if (platform.variants.metadataWhenNone === "missing") throw new NotFound(`Tenant ${tenantId} has no metadata`);
  return { tenant_id: tenantId, data: {}, created_date: null, modified_date: null };
}

/**
 * PATCH /v2/tenants/{tenant_id}/metadata.
 *
 * @throws NotFound for an archived tenant too.
 * @throws InvalidRequest when the result is not what the release's metadata schema asks for.
 */
export function updateMetadata(platform: Platform, tenantId: number, body: JsonObject): Metadata {
  const tenant = requireTenant(platform, tenantId);
  const current = platform.store.metadata.find(tenantId);
  const next = applyPatch(platform.variants.metadata, current?.data ?? {}, body);

  const now = timestamp(platform.clock);
  const metadata: MetadataRecord = {
    tenant_id: tenantId,
    data: checkMetadata(platform, resolveRelease(platform, tenant.integration_id, tenant), next),
    created_date: current?.created_date ?? now,
    modified_date: now,
  };
  platform.store.metadata.write(metadata, shownAt(platform));
  return metadata;
}
