import type * as pulumi from "@pulumi/pulumi";
import { defined } from "../resources/defined.ts";
import type { FleetTenantArgs, TenantFleetArgs } from "../resources/tenant-fleet/resource.ts";
import type { FleetDeclaration, TenantDeclaration } from "./declarations.ts";
import { decisive, merged } from "./layers.ts";
import { fleetSchema, fleetTenantSchema } from "./schema.ts";
import { type DeclaredSync, triggersOf } from "./syncs.ts";
import { aliases, type DeclaredTenant, declaredTenant, sealedSync } from "./tenants.ts";

/** A fleet of a stack whose config is in order. */
export interface DeclaredFleet {
  key: string;
  tenants: readonly DeclaredTenant[];
  /** @param releases the ids of the builds' releases, by the builds' keys. */
  argsOf(releases: Readonly<Record<string, pulumi.Input<number>>>): TenantFleetArgs;
  options: pulumi.CustomResourceOptions;
}

export function declaredFleet(
  { key, layer }: FleetDeclaration,
  tenantsOfTheStack: readonly TenantDeclaration[],
): DeclaredFleet {
  const {
    defaults: _,
    tenants: __,
    tenantsFrom: ___,
    formerly,
    sync: fleetSync,
    ...settings
  } = fleetSchema.parse(layer.value);
  const sealed: Partial<DeclaredSync> = fleetSync ? sealedSync(fleetSync, layer, ["sync"]) : {};
  const { on: fleetOn, when: fleetWhen, ...sync } = sealed;
  const tenants = tenantsOfTheStack
    .filter(({ fleet }) => fleet?.key === key)
    .map((declaration) => {
      const { sync: own, ...entry } = fleetTenantSchema.parse(merged(declaration.layers));
      const tenant = declaredTenant(declaration, settings.integration, entry);
      return { ...tenant, own: own && sealedSync(own, decisive(declaration.layers, ["sync"]), ["sync"]) };
    });
  return {
    key,
    tenants,
    argsOf: (releases) => {
      const argsOfTenant = ({ args, build, entry, own }: (typeof tenants)[number]): FleetTenantArgs => {
        const { on = fleetOn, when = fleetWhen, ...ownSync } = own ?? {};
        const release = build === undefined ? args.release : { id: releases[build] };
        const triggers = triggersOf({ ...args, release }, { on, when });
        const sync = defined({ ...ownSync, triggers });
        return defined({
          ...args,
          release,
          formerly: entry.formerly,
          sync: Object.keys(sync).length === 0 ? undefined : sync,
        });
      };
      return {
        ...settings,
        sync: fleetSync && defined(sync),
        tenants: Object.fromEntries(tenants.map((tenant) => [tenant.key, argsOfTenant(tenant)])),
      };
    },
    options: { aliases: aliases(formerly) },
  };
}
