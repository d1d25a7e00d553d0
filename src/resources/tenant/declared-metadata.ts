import * as pulumi from "@pulumi/pulumi";

/** The outputs `tenantId` of the tenants that declare metadata of their own. */
const tenantIdsWithMetadata = new WeakSet<object>();

/** The tenant of this output declares metadata itself. */
export function declareOwnMetadata(tenantId: pulumi.Output<number>): void {
  tenantIdsWithMetadata.add(tenantId);
}

/** Throws where the tenant's own resource declares metadata, also while its id is not known yet. */
export function refuseOwnMetadata(resourceName: string, tenantId: pulumi.Input<number>): void {
  if (!pulumi.Output.isInstance(tenantId) || !tenantIdsWithMetadata.has(tenantId)) return;
  throw new pulumi.RunError(
    `TenantMetadata "${resourceName}" is for a tenant whose resource declares metadata itself: keep one of the two`,
  );
}
