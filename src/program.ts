import type * as pulumi from "@pulumi/pulumi";
import { Build, SyncTrigger, Tenant } from "./index.ts";
import { preflight, readStack, syncArgs } from "./stack/index.ts";

const stack = readStack();
const { integrationIds } = await preflight(stack);

/** The ids of the builds' releases, by the builds' keys in the stack's YAML. */
export const releases: Record<string, pulumi.Output<number>> = {};
for (const [key, { integration: _, ...args }] of Object.entries(stack.builds)) {
  releases[key] = new Build(key, { ...args, integrationId: integrationIds.get(key) ?? 0 }).releaseId;
}

/** The tenants' ids, by their keys. */
export const tenants: Record<string, pulumi.Output<number>> = {};
for (const { key, entry, args, build, sync, options } of stack.tenants) {
  const release = build === undefined ? args.release : releases[build];
  const tenant = new Tenant(key, { ...args, release }, options);
  tenants[key] = tenant.tenantId;
  if (sync !== undefined) new SyncTrigger(`${key}-sync`, syncArgs(tenant, entry, sync));
}
