import type { Platform } from "./platform.ts";

/** Throws where a resource of the other type declares metadata of the same tenant: they would undo each other's work. */
export function claimMetadata(
  { metadataOwners }: Platform,
  tenantId: number,
  owner: "Tenant" | "TenantMetadata",
): void {
  const known = metadataOwners.get(tenantId) ?? owner;
  if (known !== owner) {
    throw new Error(
      `the metadata of tenant ${tenantId} is declared twice, by its Tenant resource and by a TenantMetadata: ` +
        "keep `metadata` of the Tenant, and use TenantMetadata only for tenants that are managed elsewhere",
    );
  }
  metadataOwners.set(tenantId, owner);
}
