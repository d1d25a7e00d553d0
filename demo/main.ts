// `npm run demo`: the main job from the first `up` to a repaired drift, on the real engine and the emulator.
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { openSandbox, type Sandbox } from "./sandbox.ts";
import { type ListedTenant, listTenants, tenantTable } from "./tenants.ts";

await using sandbox = await openSandbox();
say(`1. The platform: a local emulator of it, at ${sandbox.emulator.url}, without any tenant yet.`);
await sandbox.pulumi("stack", "init", "--no-select");

say("2. `pulumi up`: what Pulumi.sandbox.yaml declares comes to be.");
show(await sandbox.pulumi("up", "--yes", "--skip-preview"), /created|errored/);
const declared = await listTenants(sandbox);
say(`   The platform's own list now has ${declared.size} tenants:`);
show(tenantTable(declared.values()));
assert.equal(declared.size, 12);
say("   A receiver has its webhooks, one for each:");
await showEvents(/^new_tenant_created /, 12);

say("3. Behind its back, by hand: acme is paused and moved to another region, cedar loses its schedule,");
say("   juniper-hr is archived. kelp-hr gets a config that nothing declares: that is its customer's own business.");
await changeByHand(sandbox, declared);
say("   Of all this the platform tells the receiver one thing:");
await showEvents(/^tenant_archived .*juniper-hr/, 1);

say("4. `pulumi preview`: looks first, and shows the drift and what `up` would do about it.");
show(named(await sandbox.pulumi("preview", "--diff")), /^\s+[~+-] (?!tenants)|Tenant \S+ \(|to update|to create/);

say("5. `pulumi up`: puts it right.");
show(await sandbox.pulumi("up", "--yes", "--skip-preview"), /created|updated|errored|unchanged/);
await checkRepaired(sandbox, declared);
say("   The receiver was told of the new one:");
await showEvents(/^new_tenant_created .*juniper-hr/, 1);

say("6. `pulumi preview --expect-no-changes`: nothing is left to do.");
show(await sandbox.pulumi("preview", "--expect-no-changes"), /unchanged/);

say("7. `pulumi destroy`: archives what was declared.");
show(await sandbox.pulumi("destroy", "--yes", "--skip-preview"), /\d+ deleted/);
assert.equal((await listTenants(sandbox)).size, 0);
say("   The receiver was told of each:");
await showEvents(/^tenant_archived /, 12);
say("Done. The emulator and the state of this demo are gone; nothing is left running.");

async function changeByHand({ call }: Sandbox, tenants: Map<string, ListedTenant>) {
  const idOf = (name: string) => tenants.get(name)?.id;
  const configsOf = (name: string) => tenants.get(name)?.configs;
  await call("PATCH", `/v2/tenants/${idOf("acme")}`, { paused: true, configs: { ...configsOf("acme"), region: "us" } });
  await call("PATCH", `/v2/tenants/${idOf("cedar")}`, { user_schedule: null });
  await call("DELETE", `/v2/tenants/${idOf("juniper-hr")}`);
  await call("PATCH", `/v2/tenants/${idOf("kelp-hr")}`, { configs: { ...configsOf("kelp-hr"), note: "by hand" } });
}

/** By the platform's own list: all is as after the first `up`, but for what is the customer's. */
async function checkRepaired(box: Sandbox, before: Map<string, ListedTenant>) {
  const after = await listTenants(box);
  assert.deepEqual([...after.keys()].sort(), [...before.keys()].sort());
  for (const [name, tenant] of before) {
    const { id: _, ...settings } = tenant;
    const { id: __, ...now } = after.get(name) ?? tenant;
    const isOwn = name === "kelp-hr" && now.configs.note === "by hand";
    assert.ok(isOwn || isDeepStrictEqual(now, settings), `${name} is as declared`);
  }
  say("   The platform's own list agrees: all 12 are as declared; juniper-hr is a new tenant,");
  say("   as the API cannot bring an archived one back; kelp-hr keeps its customer's config.");
}

/** What the receiver was told of since the last time: as many events as expected, each of that kind. */
async function showEvents(expected: RegExp, count: number) {
  const events = (await sandbox.events()).map((line) => line.replace(/^\S+ (.*) \[\S+\]$/, "$1"));
  show(events.join("\n"));
  assert.equal(events.filter((event) => expected.test(event)).length, count);
  assert.equal(events.length, count);
}

function say(text: string) {
  console.log(/^\d/.test(text) ? `\n${text}` : text);
}

/** The engine's detailed diff with each resource on one line, by its name. */
function named(diff: string) {
  return diff.replaceAll(/\S+:Tenant: \((\w+)\)\n(?:.*\[id=.*\n)?.*\[urn=.*::(\S+)\]/g, "Tenant $2 ($1)");
}

/** What a command printed, indented; only the lines that match. */
function show(output: string, lines = /./) {
  const shown = output.split("\n").filter((line) => lines.test(line));
  console.log(shown.map((line) => `     | ${line}`).join("\n"));
}
