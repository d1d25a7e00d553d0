import { createHash } from "node:crypto";
import type * as pulumi from "@pulumi/pulumi";
import type { SyncTriggerArgs } from "../resources/sync-trigger/resource.ts";
import type { Tenant } from "../resources/tenant/resource.ts";
import type { SyncEntry } from "./schema.ts";

/** A tenant's sync as its YAML declares it, with the secrets of its payload as such. */
export type DeclaredSync = Omit<SyncEntry, "payload"> & Pick<SyncTriggerArgs, "payload">;

/** The sync of a tenant: due again when one of the settings changes that `on` names, or the text of `when`. */
export function syncArgs(tenant: Tenant, { on = [], when, ...sync }: DeclaredSync): SyncTriggerArgs {
  const triggers = Object.fromEntries(on.map((setting) => [setting, digest(tenant[setting])]));
  return { ...sync, tenantId: tenant.tenantId, triggers: when === undefined ? triggers : { ...triggers, when } };
}

/** Tells whether a value has changed, without a copy of it; a secret where the value has one. */
function digest(value: pulumi.Output<unknown>): pulumi.Output<string> {
  return value.apply((known) =>
    createHash("sha256")
      .update(JSON.stringify(known ?? null, byKey))
      .digest("hex"),
  );
}

/** The order of keys does not count. */
function byKey(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}
