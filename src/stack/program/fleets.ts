import type * as pulumi from "@pulumi/pulumi";
import { defined } from "../../json/defined.ts";
import type { FleetTenantArgs, TenantFleetArgs } from "../../resources/tenant-fleet/resource.ts";
import type { Declarations } from "../declarations/declarations.ts";
import { type DeclaredSync, syncWithSecrets, triggersOf } from "./syncs.ts";
import { type DeclaredTenant, declaredTenant, pulumiAliases } from "./tenants.ts";

/** A fleet of a stack that has no problems. */
export interface DeclaredFleet {
  key: string;
  tenants: readonly DeclaredTenant[];
  /** @param releases the ids of the builds' releases, by the keys of the builds. */
  argsOf(releases: Readonly<Record<string, pulumi.Input<number>>>): TenantFleetArgs;
  options: pulumi.CustomResourceOptions;
}

/** The fleet with the inputs of its resource. A fleet without an integration is a problem of the config, and gives none. */
export function declaredFleet({ fleet, tenants }: Declarations["fleets"][number]): DeclaredFleet[] {
  const { key, node, entry } = fleet;
  const { integration, defaults: _, tenants: __, tenantsFrom: ___, aliases, sync: declaredSync, ...settings } = entry;
  if (integration === undefined) return [];
  const fleetSync: Partial<DeclaredSync> = declaredSync ? syncWithSecrets(declaredSync, node.part("sync")) : {};
  const { on: fleetOn, when: fleetWhen, ...sync } = fleetSync;
  const members = tenants.flatMap((declaration) => {
    const { sync: own } = declaration.entry;
    const ownSync = own ? syncWithSecrets(own, declaration.node.part("sync")) : {};
    return declaredTenant(declaration).map((tenant) => ({ ...tenant, ownSync }));
  });
  const argsOf: DeclaredFleet["argsOf"] = (releases) => {
    const tenantArgs = members.map(({ key, args, build, entry, ownSync }): [string, FleetTenantArgs] => {
      const { on = fleetOn, when = fleetWhen, ...more } = ownSync;
      const release = build === undefined ? args.release : { id: releases[build] };
      const tenantSync = defined({ ...more, triggers: triggersOf({ ...args, release }, { on, when }) });
      const { aliases, retainOnDelete } = entry;
      const hasSync = Object.keys(tenantSync).length > 0;
      return [key, defined({ ...args, release, aliases, retainOnDelete, sync: hasSync ? tenantSync : undefined })];
    });
    const declared = { integration, ...settings, tenants: Object.fromEntries(tenantArgs) };
    return { ...declared, sync: declaredSync && defined(sync) };
  };
  return [{ key, tenants: members, argsOf, options: { aliases: pulumiAliases(aliases) } }];
}
