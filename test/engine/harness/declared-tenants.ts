import type { DeclaredResource } from "./declared-project.ts";

const integration = "crm-to-billing";

/** The configs of the tenants that these functions declare. */
export const configs = { region: "eu", batch_size: 100 };

export function tenant(name: string, options: object = {}, args: object = {}): DeclaredResource {
  return { type: "Tenant", name, args: { integration, configs, ...args }, options };
}

export function fleet(tenants: object, options: object = {}): DeclaredResource {
  return { type: "TenantFleet", name: "billing", args: { integration, tenants }, options };
}

/**
 * One resource of each type; the names end in `end`.
 *
 * @param former the end of the names that they had before, for the option `aliases`.
 * @param on the tenant of the metadata and the sync, and the tag of the build.
 */
export function oneOfEachType(end: string, on: { tenantId: number; tag: string }, former?: string): DeclaredResource[] {
  const declared = (type: DeclaredResource["type"], part: string, args: object): DeclaredResource => ({
    type,
    name: `${part}-${end}`,
    args,
    options: former === undefined ? {} : { aliases: [{ name: `${part}-${former}` }] },
  });
  const inside = { configs: { region: "eu" } };
  return [
    declared("Build", "build", { integrationId: 101, tag: on.tag }),
    declared("Tenant", "tenant", { integration, name: "alone", ...inside }),
    declared("TenantFleet", "fleet", { integration, tenants: { inside } }),
    declared("TenantMetadata", "metadata", { tenantId: on.tenantId, data: { plan: "gold" } }),
    declared("SyncTrigger", "sync", { tenantId: on.tenantId, mode: "normal" }),
  ];
}
