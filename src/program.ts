import type * as pulumi from "@pulumi/pulumi";
import * as dynamic from "./index.ts";
import * as native from "./native/index.ts";
import {
  type DeclaredReceiver,
  preflight,
  readStack,
  receiverArgs,
  refuseNoTenants,
  syncArgs,
} from "./stack/program/index.ts";

const stack = readStack();
await refuseNoTenants(stack);
const { integrationIds, overrideFor } = await preflight(stack);
const { Build, FleetRollout, SyncTrigger, Tenant, TenantFleet } = stack.provider === "native" ? native : dynamic;

/** The ids of the releases of the stack's builds, by the keys of the builds. */
const releases: Record<string, pulumi.Output<number>> = {};
for (const [key, { integration: _, ...args }] of Object.entries(stack.builds)) {
  releases[key] = new Build(key, { ...args, integrationId: integrationIds.get(key) ?? 0 }).releaseId;
}

/** The ids of the tenants that are resources of their own, by key. Those of a fleet are outputs of the fleet. */
const tenants: Record<string, pulumi.Output<number>> = {};
for (const declared of stack.tenants) {
  const { key, integration, args, entry, build, sync, options, syncOptions } = declared;
  const release = build === undefined ? args.release : releases[build];
  const override = overrideFor({ integration, tenant: { key, name: entry.name } });
  const tenant = new Tenant(key, { ...args, integration, release, ...(override && { override }) }, options);
  tenants[key] = tenant.tenantId;
  if (sync !== undefined) new SyncTrigger(`${key}-sync`, syncArgs(tenant, declared, sync, override), syncOptions);
}

/** Where the rollouts stand, by the keys of the fleets, and what a person must do after their end. */
const rollouts: Record<string, Pick<dynamic.FleetRollout, "phase" | "status" | "remaining">> = {};
for (const { key, argsOf, rollout, options } of stack.fleets) {
  const fleet = new TenantFleet(key, argsOf(releases, overrideFor), options);
  if (rollout === undefined) continue;
  const { phase, status, remaining } = new FleetRollout(key, { ...rollout, fleet }, options);
  rollouts[key] = { phase, status, remaining };
}

/** The outputs of the webhook receiver, if the stack declares one. */
const webhookReceiver = stack.webhookReceiver && (await receive(stack.webhookReceiver));

const outputs = Object.entries({ releases, tenants, rollouts, webhookReceiver });

// Pulumi warns of a named export without a value, and an ES module cannot export a name only sometimes
export default Object.fromEntries(outputs.filter(([, values]) => Object.keys(values ?? {}).length > 0));

async function receive(declared: DeclaredReceiver) {
  const args = receiverArgs(declared, stack.configText);
  // The AWS SDK is large: it is loaded only if it is needed.
  const { outputsOf, WebhookReceiver } = await import("./receiver/resource.ts");
  const receiver = new WebhookReceiver("webhook-receiver", args);
  for (const [name, { eventTypes, targetArn }] of Object.entries(declared.onEvent ?? {})) {
    receiver.onEvent(eventTypes, targetArn, { name });
  }
  return outputsOf(receiver);
}
