import type { PreviewedTenant } from "./previewed-tenants.ts";

/** A tenant that `pulumi up` would archive, because its resource or its entry is removed or replaced. */
export interface PlannedArchive {
  /** Name of the tenant. */
  tenant: string;
  tenantId: number;
  /** Why `up` will refuse to archive it. Absent if `up` will archive it. */
  refusal?: string;
}

/**
 * The tenants that `pulumi up` would archive. The engine calls no provider about a deletion in a preview, so this follows
 * the rules of `Tenant` and `TenantFleet`: a tenant that is retained, or that another resource declares, is not archived.
 *
 * @param refusals the reasons for refusals by the ids of the tenants, as the preview's refresh found them.
 */
export function plannedArchives(
  tenants: readonly PreviewedTenant[],
  refusals: ReadonlyMap<number, string>,
): PlannedArchive[] {
  return tenants.flatMap((one): PlannedArchive[] => {
    const { tenant, tenantId, actual, declared, isRetained, resource } = one;
    const isRemoved = declared === undefined || resource.operation === "replace";
    if (!isRemoved || isRetained || actual === undefined || tenantId === undefined) return [];
    if (tenants.some((other) => other.resource !== resource && isClaimedBy(other, one))) return [];
    const refusal = refusals.get(tenantId);
    return [{ tenant, tenantId, ...(refusal === undefined ? {} : { refusal }) }];
  });
}

/** Whether the other resource declares the removed tenant, or is going to take it over. */
function isClaimedBy(other: PreviewedTenant, removed: PreviewedTenant): boolean {
  if (other.declared === undefined || other.type === "TenantMetadata") return false;
  if (other.tenantId !== undefined) return other.tenantId === removed.tenantId;
  const isNamesake =
    other.declared.name === removed.actual?.name && integrationsOf(removed).includes(integrationOf(other));
  return other.declared.adopt === removed.tenantId || isNamesake;
}

/** The name or id of the integration, as a resource declares it. A fleet declares it for all of its tenants. */
function integrationOf({ declared, resource }: PreviewedTenant): unknown {
  return declared?.integration ?? resource.declared?.integration;
}

/** What another resource may declare as the integration of a removed tenant. */
function integrationsOf({ resource }: PreviewedTenant): unknown[] {
  return [resource.actual?.integration, resource.outputs.integrationId];
}
