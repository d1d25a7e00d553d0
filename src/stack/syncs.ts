import * as pulumi from "@pulumi/pulumi";
import { digest } from "../digest.ts";
import type { SyncTriggerArgs } from "../resources/sync-trigger/resource.ts";
import type { Tenant } from "../resources/tenant/resource.ts";
import type { SyncEntry } from "./schema.ts";
import type { DeclaredTenant } from "./tenants.ts";

/** A tenant's sync as its YAML declares it, with its secrets as such. */
export type DeclaredSync = Omit<SyncEntry, "payload" | "when"> &
  Pick<SyncTriggerArgs, "payload"> & { when?: pulumi.Input<string> | undefined };

/** The sync of a tenant that is a resource of its own. */
export function syncArgs(
  tenant: Tenant,
  { args, build }: DeclaredTenant,
  { on, when, ...sync }: DeclaredSync,
): SyncTriggerArgs {
  const { configs, metadata, schedule, release } = tenant;
  // a setting that is not declared has no output, which every preview would take for one that is not known yet
  const outputs = {
    configs: args.configs && configs,
    metadata: args.metadata && metadata,
    schedule: args.schedule && schedule,
    release: args.release || build ? release : undefined,
  };
  return { ...sync, tenantId: tenant.tenantId, triggers: triggersOf(outputs, { on, when }) ?? {} };
}

/**
 * What makes a sync due again: a change of one of the settings that `on` names, or of the text of `when`. A setting that
 * is not declared triggers nothing.
 */
export function triggersOf(
  settings: { [Setting in NonNullable<SyncEntry["on"]>[number]]?: unknown },
  { on = [], when }: Pick<DeclaredSync, "on" | "when">,
): Record<string, pulumi.Input<string>> | undefined {
  const declared = on.filter((setting) => settings[setting] !== undefined);
  const triggers: Record<string, pulumi.Input<string>> = when === undefined ? {} : { when };
  for (const setting of declared) triggers[setting] = digestOf(settings[setting]);
  return Object.keys(triggers).length === 0 ? undefined : triggers;
}

/** Tells whether a value has changed, without a copy of it; a secret where the value has one. */
function digestOf(value: unknown): pulumi.Input<string> {
  if (!hasOutput(value)) return digest(value);
  const output: pulumi.Output<unknown> = pulumi.output(value);
  return output.apply(digest);
}

function hasOutput(value: unknown): boolean {
  if (pulumi.Output.isInstance(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(hasOutput);
}
