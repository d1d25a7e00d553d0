import * as pulumi from "@pulumi/pulumi";

/** The `tenantId` outputs of the `Tenant` resources that declare metadata. */
const tenantIdsWithMetadata = new WeakSet<object>();

/** Records that the `Tenant` with this output declares metadata. */
export function declareOwnMetadata(tenantId: pulumi.Output<number>): void {
  tenantIdsWithMetadata.add(tenantId);
}

/** Throws if the `Tenant` with this output declares metadata. Works even while the id is unknown. */
export function refuseOwnMetadata(resourceName: string, tenantId: pulumi.Input<number>): void {
  if (!pulumi.Output.isInstance(tenantId) || !tenantIdsWithMetadata.has(tenantId)) return;
  throw new pulumi.RunError(
    `TenantMetadata "${resourceName}" is for a tenant whose Tenant resource declares metadata too. Remove one of the two`,
  );
}
