import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { openSandbox, type Sandbox } from "./sandbox.ts";
import { say, show } from "./say.ts";
import { type ListedTenant, listTenants, tenantTable } from "./tenants.ts";

/** Creates tenants, changes them by hand, and repairs the drift, with the real engine and the emulator. */
export async function tellDrift(): Promise<void> {
  await using sandbox = await openSandbox({ stack: "sandbox" });
  say(`1. The platform: a local emulator at ${sandbox.emulator.url}. It has no tenants yet.`);
  await sandbox.pulumi("stack", "init", "--no-select");

  say("2. `pulumi up`: creates what Pulumi.sandbox.yaml declares.");
  show(await sandbox.pulumi("up", "--yes", "--skip-preview"), /created|errored/);
  const declared = await listTenants(sandbox);
  say(`   The platform now lists ${declared.size} tenants:`);
  show(tenantTable(declared.values()));
  assert.equal(declared.size, 12);
  say("   The receiver got one webhook for each tenant:");
  await showEvents(sandbox, /^new_tenant_created /, 12);

  say("3. Changes by hand: acme is paused and moved to another region, cedar loses its schedule,");
  say("   juniper-hr is archived. kelp-hr gets a config that nothing declares, so it belongs to the customer.");
  await changeByHand(sandbox, declared);
  say("   The platform sends the receiver one webhook about these changes:");
  await showEvents(sandbox, /^tenant_archived .*juniper-hr/, 1);

  say("4. `pulumi preview`: reads the platform, and shows the drift and what `up` would do.");
  show(named(await sandbox.pulumi("preview", "--diff")), /^\s+[~+-] (?!tenants)|Tenant \S+ \(|to update|to create/);

  say("5. `pulumi up`: repairs the drift.");
  show(await sandbox.pulumi("up", "--yes", "--skip-preview"), /created|updated|errored|unchanged/);
  await checkRepaired(sandbox, declared);
  say("   The receiver got a webhook for the new tenant:");
  await showEvents(sandbox, /^new_tenant_created .*juniper-hr/, 1);

  say("6. `pulumi preview --expect-no-changes`: there is no difference left.");
  show(await sandbox.pulumi("preview", "--expect-no-changes"), /unchanged/);

  say("7. `pulumi destroy`: archives the declared tenants.");
  show(await sandbox.pulumi("destroy", "--yes", "--skip-preview"), /\d+ deleted/);
  assert.equal((await listTenants(sandbox)).size, 0);
  say("   The receiver got one webhook for each tenant:");
  await showEvents(sandbox, /^tenant_archived /, 12);
  say("Done. The demo stops its emulator and receiver and deletes its state.");
}

async function changeByHand({ call }: Sandbox, tenants: Map<string, ListedTenant>) {
  const idOf = (name: string) => tenants.get(name)?.id;
  const configsOf = (name: string) => tenants.get(name)?.configs;
  await call("PATCH", `/v2/tenants/${idOf("acme")}`, { paused: true, configs: { ...configsOf("acme"), region: "us" } });
  await call("PATCH", `/v2/tenants/${idOf("cedar")}`, { user_schedule: null });
  await call("DELETE", `/v2/tenants/${idOf("juniper-hr")}`);
  await call("PATCH", `/v2/tenants/${idOf("kelp-hr")}`, { configs: { ...configsOf("kelp-hr"), note: "by hand" } });
}

/** Checks by the platform's own list that every tenant is as after the first `up`, except for the customer's config. */
async function checkRepaired(box: Sandbox, before: Map<string, ListedTenant>) {
  const after = await listTenants(box);
  assert.deepEqual([...after.keys()].sort(), [...before.keys()].sort());
  for (const [name, tenant] of before) {
    const { id: _, ...settings } = tenant;
    const { id: __, ...now } = after.get(name) ?? tenant;
    const isOwn = name === "kelp-hr" && now.configs.note === "by hand";
    assert.ok(isOwn || isDeepStrictEqual(now, settings), `${name} is as declared`);
  }
  say("   The platform's list shows all 12 tenants as declared. juniper-hr is a new tenant,");
  say("   because the API cannot restore an archived one. kelp-hr keeps the customer's config.");
}

/** Shows the events that the receiver got since the last call, and checks their number and kind. */
async function showEvents(box: Sandbox, expected: RegExp, count: number) {
  const events = (await box.events()).map((line) => line.replace(/^\S+ \w+ (.*) \[\S+\]$/, "$1"));
  show(events.join("\n"));
  assert.equal(events.filter((event) => expected.test(event)).length, count);
  assert.equal(events.length, count);
}

/** The engine's detailed diff, shortened: one line with the name of each resource. */
function named(diff: string) {
  return diff.replaceAll(/\S+:Tenant: \((\w+)\)\n(?:.*\[id=.*\n)?.*\[urn=.*::(\S+)\]/g, "Tenant $2 ($1)");
}
