import type * as pulumi from "@pulumi/pulumi";
import { defined } from "../../json/defined.ts";
import { valueAt } from "../../json/key-path.ts";
import type { SyncTriggerArgs } from "../../resources/sync-trigger/resource.ts";
import type { ReleaseArgs, Tenant, TenantArgs } from "../../resources/tenant/resource.ts";
import type { Override } from "../../settings/override.ts";
import { type SettingName, settingNames } from "../../settings/table.ts";
import type { ConfigNode } from "../config/config-node.ts";
import type { TenantDeclaration } from "../declarations/declarations.ts";
import { type NamedTenant, namedTenants } from "../declarations/named-tenant.ts";
import type { TenantEntry } from "../declarations/schema.ts";
import { type DeclaredSync, syncWithSecrets, triggersOf } from "./syncs.ts";
import { toInput } from "./to-input.ts";

/** A tenant of a stack that has no problems. */
export interface DeclaredTenant extends NamedTenant {
  /** The inputs of `Tenant`, with Pulumi secrets where the config has secrets. */
  args: Omit<TenantArgs, "integration" | "release"> & { release: pulumi.Input<ReleaseArgs> | undefined };
}

/** A tenant that is a resource of its own. */
export interface StandaloneTenant extends DeclaredTenant {
  sync: DeclaredSync | undefined;
  options: pulumi.CustomResourceOptions;
  /** The options of its sync, which is renamed with the tenant: a new resource would run another sync. */
  syncOptions: pulumi.CustomResourceOptions;
}

/** As {@link declaredTenants}, with the options of its resource. */
export function standaloneTenants(declaration: TenantDeclaration<TenantEntry>): StandaloneTenant[] {
  const { sync, aliases = [], retainOnDelete } = declaration.entry;
  return declaredTenants(declaration).map((tenant) => ({
    ...tenant,
    sync: sync && syncWithSecrets(sync, declaration.node.part("sync")),
    options: defined({ aliases: pulumiAliases(aliases), retainOnDelete }),
    syncOptions: { aliases: pulumiAliases(aliases.map((key) => `${key}-sync`)) },
  }));
}

/** The inputs of the `SyncTrigger` of a tenant that is a resource of its own. */
export function syncArgs(
  tenant: Tenant,
  { args, build }: StandaloneTenant,
  { on, when, ...sync }: DeclaredSync,
  override?: Override,
): SyncTriggerArgs {
  // A setting that is not declared has no output. Every preview would take it for one that is not known yet.
  const isDeclared = (name: SettingName) => args[name] !== undefined || (name === "release" && build !== undefined);
  const outputs = Object.fromEntries(settingNames.filter(isDeclared).map((name) => [name, tenant[name]]));
  return {
    ...sync,
    ...defined({ override }),
    tenantId: tenant.tenantId,
    triggers: triggersOf(outputs, { on, when }) ?? {},
  };
}

/** The tenant with the inputs of its resource. A tenant without an integration is a problem of the config, and gives none. */
export function declaredTenants(declaration: TenantDeclaration): DeclaredTenant[] {
  const { node, entry } = declaration;
  const { build, ...release } = entry.release ?? {};
  const isReleaseNamed = entry.release !== undefined && build === undefined;
  const args = {
    ...settingInputs(entry, node),
    release: isReleaseNamed ? toInput(release, node.part("release")) : undefined,
    adopt: toInput(entry.adopt, node.part("adopt")),
    forceArchive: toInput(entry.forceArchive, node.part("forceArchive")),
    schemaViolations: entry.schemaViolations,
  };
  return namedTenants(declaration).map((tenant) => ({ ...tenant, args }));
}

function settingInputs(entry: object, node: ConfigNode): Omit<Pick<TenantArgs, SettingName>, "release">;
function settingInputs(entry: object, node: ConfigNode): object {
  return Object.fromEntries(settingNames.map((name) => [name, toInput(valueAt(entry, [name]), node.part(name))]));
}

/** Former names of a resource as Pulumi's option takes them. */
export function pulumiAliases(formerNames: readonly string[] = []): pulumi.Alias[] {
  return formerNames.map((name) => ({ name }));
}
