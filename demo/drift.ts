import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { openSandbox, type Sandbox } from "./sandbox.ts";
import { say, show } from "./say.ts";
import { type ListedTenant, listTenants, tenantTable } from "./tenants.ts";

const stackFile = join(import.meta.dirname, "../Pulumi.sandbox.yaml");

/** Creates tenants, changes them by hand, and repairs the drift, with the real engine and the emulator. */
export async function tellDrift(): Promise<void> {
  await using sandbox = await openSandbox({ stack: "sandbox", stackYaml: await readFile(stackFile, "utf8") });
  say(`1. The platform: an emulator at ${sandbox.emulator.url}, without tenants.`);
  await sandbox.pulumi("stack", "init", "--no-select");

  say("2. `pulumi up`: creates what Pulumi.sandbox.yaml declares.");
  const created = await sandbox.pulumi("up", "--yes", "--skip-preview");
  show(countingTheStack(named(created), "created"), /\d+ created| created \(|errored/);
  const declared = await listTenants(sandbox);
  say(`The platform now lists ${declared.size} tenants:`);
  show(tenantTable(declared.values()));
  assert.equal(declared.size, 12);
  say("The receiver got one webhook for each tenant:");
  await showEvents(sandbox, /^new_tenant_created /, 12);

  say("3. Changes by hand, past Pulumi.");
  say("acme is paused and moved to another region, cedar loses its schedule, juniper-hr is archived.");
  say("kelp-hr gets a config that nothing declares, so it belongs to the customer.");
  await changeByHand(sandbox, declared);
  say("The platform sends the receiver one webhook about these changes:");
  await showEvents(sandbox, /^tenant_archived .*juniper-hr/, 1);

  say("4. `integration-platform drift`: what differs from the declarations.");
  const drift = await sandbox.command("drift");
  assert.equal(drift.code, 2, "there is drift");
  show(drift.stdout);

  say("5. `pulumi preview --diff`: what `up` would do about it.");
  const [, changes = ""] = named(await sandbox.pulumi("preview", "--diff")).split(/^.*Stack: \(same\)$/m);
  show(changes, /^\s+[~+-] (?!tenants)|Tenant \S+ \(|to update|to create/);

  say("6. `pulumi up`: repairs the drift.");
  const repaired = named(await sandbox.pulumi("up", "--yes", "--skip-preview"));
  show(countingTheStack(repaired, "unchanged"), /created|updated|errored|unchanged/);
  await checkRepaired(sandbox, declared);
  say("The receiver got a webhook for the new tenant:");
  await showEvents(sandbox, /^new_tenant_created .*juniper-hr/, 1);

  say("7. `pulumi preview --expect-no-changes`: there is no difference left.");
  show(countingTheStack(await sandbox.pulumi("preview", "--expect-no-changes"), "unchanged"), /unchanged/);

  say("8. `pulumi destroy`: archives the declared tenants.");
  show(countingTheStack(await sandbox.pulumi("destroy", "--yes", "--skip-preview"), "deleted"), /\d+ deleted/);
  assert.equal((await listTenants(sandbox)).size, 0);
  say("The receiver got one webhook for each tenant:");
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
  say(
    "The platform lists all 12 tenants as declared. juniper-hr is a new tenant, because the API cannot restore an archived one.",
  );
  say("kelp-hr keeps the customer's config.");
}

/** Shows the events that the receiver got since the last call, and checks their number and kind. */
async function showEvents(box: Sandbox, expected: RegExp, count: number) {
  // without the time and level, and without the integration, which makes the line long
  const events = (await box.events()).map((line) =>
    line.replace(/^\S+ \w+ (.*?)(?: integration_id=.*)? \[\S+\]$/, "$1"),
  );
  assert.equal(events.filter((event) => expected.test(event)).length, count);
  assert.equal(events.length, count);
  const nameIn = (event: string) => /tenant_name="(.*)"/.exec(event)?.[1] ?? "";
  const [first = "", ...more] = events.toSorted((one, other) => nameIn(one).localeCompare(nameIn(other)));
  show(more.length === 0 ? first : `${first}\nand ${more.length} more`);
}

/** The engine's output, shortened: `Tenant` for its long type, and one line with the name of each resource in a diff. */
function named(output: string) {
  return output
    .replaceAll(/\S+:Tenant: \((\w+)\)\n(?:.*\[id=.*\n)?.*\[urn=.*::(\S+)\]/g, "Tenant $2 ($1)")
    .replaceAll(/\S+:(Tenant|Stack) /g, "$1 ");
}

/** The engine's output with a word about its counts: the stack itself is one of the resources that were `created`. */
function countingTheStack(output: string, word: "created" | "unchanged" | "deleted") {
  return output.replace(new RegExp(`(\\d+) ${word}$`, "m"), (counted, count) => {
    return `${counted} (${Number(count) - 1} tenants and the stack itself)`;
  });
}
