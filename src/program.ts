import type * as pulumi from "@pulumi/pulumi";
import { Build, SyncTrigger, Tenant, TenantFleet } from "./index.ts";
import type { WebhookReceiverArgs } from "./receiver/index.ts";
import { preflight, readStack, receiverArgs, syncArgs } from "./stack/index.ts";

const stack = readStack();
const { integrationIds } = await preflight(stack);

/** The ids of the builds' releases, by the builds' keys in the stack's YAML. */
export const releases: Record<string, pulumi.Output<number>> = {};
for (const [key, { integration: _, ...args }] of Object.entries(stack.builds)) {
  releases[key] = new Build(key, { ...args, integrationId: integrationIds.get(key) ?? 0 }).releaseId;
}

/** The tenants' ids, by their keys; of those in a fleet, the fleet tells them. */
export const tenants: Record<string, pulumi.Output<number>> = {};
for (const declared of stack.tenants) {
  const { key, integration, args, build, sync, options } = declared;
  const release = build === undefined ? args.release : releases[build];
  const tenant = new Tenant(key, { ...args, integration, release }, options);
  tenants[key] = tenant.tenantId;
  if (sync !== undefined) {
    // a renamed tenant's sync is renamed with it: another one would run
    const aliases = declared.formerKeys.map((former) => ({ name: `${former}-sync` }));
    new SyncTrigger(`${key}-sync`, syncArgs(tenant, declared, sync), { aliases });
  }
}

for (const { key, argsOf, options } of stack.fleets) new TenantFleet(key, argsOf(releases), options);

/** The webhook receiver, if the stack has one; only then is anything of AWS loaded. */
export const webhookReceiver =
  stack.webhookReceiver && (await receive(receiverArgs(stack.webhookReceiver, stack.setting)));

async function receive(args: WebhookReceiverArgs) {
  const { WebhookReceiver } = await import("./receiver/index.ts");
  const receiver = new WebhookReceiver("webhook-receiver", args);
  const { url, instructions, queueUrl, deadLetterQueueUrl, ledgerName, busName } = receiver;
  return { url, instructions, queueUrl, deadLetterQueueUrl, ledgerName, busName };
}
