import * as pulumi from "@pulumi/pulumi";

/** The tenants that this program declares, to catch two resources for one tenant before anything is done. */
const resourceByTenant = new Map<string, string>();
const tenantIdsWithMetadata = new WeakSet<object>();

/** Throws where another resource of the program declares the same tenant by the same words. */
export function declareTenant(
  resource: { tenantId: pulumi.Output<number> },
  resourceName: string,
  {
    integration,
    name,
    adopt,
    metadata,
  }: {
    integration: pulumi.Input<string | number>;
    name: pulumi.Input<string>;
    adopt: pulumi.Input<string | number | boolean> | undefined;
    metadata: unknown;
  },
): void {
  if (metadata !== undefined) tenantIdsWithMetadata.add(resource.tenantId);
  pulumi.all([integration, name, adopt]).apply(([knownIntegration, knownName, knownAdopt]) => {
    // several live tenants may bear one name: then their ids tell them apart
    const key = JSON.stringify(typeof knownAdopt === "number" ? knownAdopt : [knownIntegration, knownName]);
    const other = resourceByTenant.get(key);
    if (other === undefined) return resourceByTenant.set(key, resourceName);
    throw new pulumi.RunError(
      `tenant "${knownName}" of integration "${knownIntegration}" is declared by two resources, "${other}" and "${resourceName}": ` +
        "one tenant has one resource",
    );
  });
}

/** Throws where the tenant's own resource declares metadata: they would undo each other's work. */
export function declareMetadata(resourceName: string, tenantId: pulumi.Input<number>): void {
  if (!pulumi.Output.isInstance(tenantId) || !tenantIdsWithMetadata.has(tenantId)) return;
  throw new pulumi.RunError(
    `TenantMetadata "${resourceName}" is for a tenant whose resource declares metadata itself: keep one of the two`,
  );
}
