import type * as pulumi from "@pulumi/pulumi";
import { digest } from "../digest.ts";
import type { SyncTriggerArgs } from "../resources/sync-trigger/resource.ts";
import type { Tenant } from "../resources/tenant/resource.ts";
import type { SyncEntry, TenantEntry } from "./schema.ts";

/** A tenant's sync as its YAML declares it, with the secrets of its payload as such. */
export type DeclaredSync = Omit<SyncEntry, "payload"> & Pick<SyncTriggerArgs, "payload">;

/**
 * The sync of a tenant: due again when one of the settings changes that `on` names, or the text of `when`. A setting that
 * is not declared has no output, which every preview would take for one that is not known yet: it triggers nothing.
 */
export function syncArgs(
  tenant: Tenant,
  entry: TenantEntry,
  { on = [], when, ...sync }: DeclaredSync,
): SyncTriggerArgs {
  const declared = on.filter((setting) => entry[setting] !== undefined);
  const triggers = Object.fromEntries(declared.map((setting) => [setting, digestOf(tenant[setting])]));
  return { ...sync, tenantId: tenant.tenantId, triggers: when === undefined ? triggers : { ...triggers, when } };
}

/** Tells whether a value has changed, without a copy of it; a secret where the value has one. */
function digestOf(value: pulumi.Output<unknown>): pulumi.Output<string> {
  return value.apply(digest);
}
