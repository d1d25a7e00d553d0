import { isDeepStrictEqual } from "node:util";
import type * as pulumi from "@pulumi/pulumi";
import { defined } from "../../json/defined.ts";
import type { FleetRolloutArgs } from "../../resources/fleet-rollout/resource.ts";
import type { FleetTenantArgs, TenantFleetArgs } from "../../resources/tenant-fleet/resource.ts";
import type { Override } from "../../settings/override.ts";
import type { Declarations, FleetDeclaration } from "../declarations/declarations.ts";
import type { OverrideScope } from "../declarations/override-for.ts";
import { rolloutArgs, targetArgs } from "./rollouts.ts";
import { type DeclaredSync, syncWithSecrets, triggersOf } from "./syncs.ts";
import { type DeclaredTenant, declaredTenants, pulumiAliases } from "./tenants.ts";

/** A fleet of a stack that has no problems. */
export interface DeclaredFleet {
  key: string;
  declaration: FleetDeclaration;
  tenants: readonly DeclaredTenant[];
  /**
   * @param releases the ids of the builds' releases, by the keys of the builds.
   * @param overrideFor the override of a tenant, or of the whole fleet. Default: there is none.
   */
  argsOf(
    releases: Readonly<Record<string, pulumi.Input<number>>>,
    overrideFor?: (scope: OverrideScope) => Override | undefined,
  ): TenantFleetArgs;
  /** How a `FleetRollout` takes the tenants to the release of the fleet's defaults, if it does. */
  rollout: Omit<FleetRolloutArgs, "fleet"> | undefined;
  /** Of the fleet, and of its rollout, which is renamed with it. */
  options: pulumi.CustomResourceOptions;
}

/** The fleet with the inputs of its resource. A fleet without an integration is a problem of the config, and gives none. */
export function declaredFleets({ fleet, tenants }: Declarations["fleets"][number]): DeclaredFleet[] {
  const { key, node, entry } = fleet;
  const { integration, aliases, sync: declaredSync } = entry;
  const { adopt, forceArchive, retainOnDelete, schemaViolations, limits, syncConcurrency } = entry;
  const settings = defined({ adopt, forceArchive, retainOnDelete, schemaViolations, limits, syncConcurrency });
  if (integration === undefined) return [];
  const fleetSync: Partial<DeclaredSync> = declaredSync ? syncWithSecrets(declaredSync, node.part("sync")) : {};
  const { on: fleetOn, when: fleetWhen, ...sync } = fleetSync;
  const members = tenants.flatMap((declaration) => {
    const { sync: own } = declaration.entry;
    const ownSync = own ? syncWithSecrets(own, declaration.node.part("sync")) : {};
    return declaredTenants(declaration).map((tenant) => ({ ...tenant, ownSync }));
  });
  const argsOf: DeclaredFleet["argsOf"] = (releases, overrideFor = () => undefined) => {
    const override = overrideFor({ fleet: key, integration });
    const tenantArgs = members.map((tenant): [string, FleetTenantArgs] => {
      const { args, build, entry, ownSync } = tenant;
      const { on = fleetOn, when = fleetWhen, ...more } = ownSync;
      const release = build === undefined ? args.release : { id: releases[build] };
      const tenantSync = defined({ ...more, triggers: triggersOf({ ...args, release }, { on, when }) });
      const { aliases, retainOnDelete } = entry;
      const hasSync = Object.keys(tenantSync).length > 0;
      const ownOverride = overrideFor({ fleet: key, integration, tenant: { key: tenant.key, name: entry.name } });
      const ofTenant = { ...args, release, aliases, retainOnDelete };
      return [
        tenant.key,
        defined({
          ...ofTenant,
          override: isDeepStrictEqual(ownOverride, override) ? undefined : ownOverride,
          sync: hasSync ? tenantSync : undefined,
        }),
      ];
    });
    const declared = { integration, ...settings, override, tenants: Object.fromEntries(tenantArgs) };
    return { ...declared, sync: declaredSync && defined(sync), rollout: targetArgs(entry, releases) };
  };
  return [
    {
      key,
      declaration: fleet,
      tenants: members,
      argsOf,
      rollout: rolloutArgs(entry),
      options: { aliases: pulumiAliases(aliases) },
    },
  ];
}
