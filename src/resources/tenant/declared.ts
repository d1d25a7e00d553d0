import * as pulumi from "@pulumi/pulumi";
import { perRun } from "../../program-run.ts";

interface Declared {
  resourceName: string;
  urn: pulumi.Output<string>;
}

/** The tenants that this run of the program declares, to catch two resources for one tenant before anything is done. */
const resourcesByTenant = perRun(() => new Map<string, Declared>());
const tenantIdsWithMetadata = new WeakSet<object>();

/** Throws where another resource of the program declares the same tenant by the same words. */
export function declareTenant(
  resource: { tenantId: pulumi.Output<number>; urn: pulumi.Output<string> },
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
  const { urn } = resource;
  const declared = resourcesByTenant();
  pulumi.all([integration, name, adopt]).apply(([knownIntegration, knownName, knownAdopt]) => {
    // several live tenants may bear one name: then their ids tell them apart
    const key = JSON.stringify(typeof knownAdopt === "number" ? knownAdopt : [knownIntegration, knownName]);
    const other = declared.get(key);
    declared.set(key, other ?? { resourceName, urn });
    if (other === undefined) return undefined;
    const refuse = () => {
      throw new pulumi.RunError(
        `tenant "${knownName}" of integration "${knownIntegration}" is declared by two resources, "${other.resourceName}" and "${resourceName}": ` +
          "one tenant has one resource",
      );
    };
    if (other.resourceName !== resourceName) return refuse();
    // the same resource again is the engine's to refuse; in a test with mocks it is another test's
    return pulumi.all([urn, other.urn]).apply(([own, others]) => (own === others ? undefined : refuse()));
  });
}

/** Throws where the tenant's own resource declares metadata: they would undo each other's work. */
export function declareMetadata(resourceName: string, tenantId: pulumi.Input<number>): void {
  if (!pulumi.Output.isInstance(tenantId) || !tenantIdsWithMetadata.has(tenantId)) return;
  throw new pulumi.RunError(
    `TenantMetadata "${resourceName}" is for a tenant whose resource declares metadata itself: keep one of the two`,
  );
}
