import { expect, test } from "vitest";
import { createProject } from "./harness/create-project.ts";
import { encrypt } from "./harness/encrypt.ts";
import { openPlatform } from "./harness/live-platform.ts";

const token = "token-that-nobody-may-find";

// after such an update, the engine keeps the old inputs, which contain no secret, and marks a read's inputs by them
test.each([
  { kind: "Tenant", yaml: (entry: string) => `tenants: { first: { integration: crm-to-billing, ${entry} } }` },
  {
    kind: "TenantFleet",
    yaml: (entry: string) => `fleets: { all: { integration: crm-to-billing, tenants: { first: { ${entry} } } } }`,
  },
])("keeps a secret that an update of a $kind brought, which failed in part, once it is refreshed", async ({ yaml }) => {
  const stack = (entry: string) => `config:\n  integration-platform:${yaml(entry)}\n`;
  await using platform = await openPlatform();
  await using project = await createProject({
    stackYaml: stack("configs: { region: eu }, metadata: { plan: gold }"),
    env: platform.env,
  });
  await project.mustRun(["up", "--yes", "--skip-preview"]);

  const [secure = ""] = await encrypt(project, token);
  await project.writeStackYaml(stack(`configs: { region: eu, api_token: ${secure} }, metadata: { plan: golden }`));
  platform.emulator.fault({ kind: "status", status: 422, match: { method: "PATCH", path: "/metadata$" }, times: 9 });
  expect((await project.up()).code).not.toBe(0);
  platform.emulator.clearFaults();
  expect((await platform.tenants()).map((tenant) => tenant.configs.api_token)).toEqual([token]);

  expect((await project.refresh()).code).toBe(0);

  expect((await project.exportState()).text).not.toContain(token);
  expect((await project.up()).code).toBe(0);
  expect((await project.exportState()).text).not.toContain(token);
});

// the engine marks an update's result by the inputs, which no longer declare the tenant or the secret
test.each([
  { what: "a tenant that could not be archived", match: { method: "DELETE" }, entry: "" },
  {
    what: "a value that is declared in clear now and could not be written",
    match: { method: "PATCH", path: "/tenants/\\d+$" },
    entry: "first: { configs: { region: eu, api_token: known-to-all } },",
  },
  {
    what: "a tenant under another key whose value could not be written",
    match: { method: "PATCH", path: "/tenants/\\d+$" },
    entry: "other: { aliases: [first], configs: { region: eu, api_token: known-to-all } },",
  },
])("keeps the secret of $what", async ({ match, entry }) => {
  const stack = (tenants: string) =>
    "config:\n  integration-platform:allowPlaintextSecrets: [configs.api_token]\n" +
    `  integration-platform:fleets: { all: { integration: crm-to-billing, tenants: { ${tenants} second: {} } } }\n`;
  await using platform = await openPlatform();
  await using project = await createProject({ stackYaml: stack(""), env: platform.env });
  const [secure = ""] = await encrypt(project, token);
  await project.writeStackYaml(stack(`first: { configs: { region: eu, api_token: ${secure} } },`));
  await project.mustRun(["up", "--yes", "--skip-preview"]);

  await project.writeStackYaml(stack(entry));
  platform.emulator.fault({ kind: "status", status: 422, match, times: 9 });
  expect((await project.up()).code).not.toBe(0);
  expect((await project.exportState()).text).not.toContain(token);
  platform.emulator.clearFaults();

  await project.refresh();
  expect((await project.exportState()).text).not.toContain(token);
  expect((await project.up()).code).toBe(0);
  expect((await platform.tenants()).filter(({ configs }) => configs.api_token === token)).toEqual([]);
});

test("keeps what a Tenant no longer declares as a secret, however often its update fails", async () => {
  const stack = (configs: string) =>
    `config:\n  integration-platform:tenants: { first: { integration: crm-to-billing, configs: { ${configs} } } }\n`;
  await using platform = await openPlatform();
  await using project = await createProject({ stackYaml: stack("region: eu"), env: platform.env });
  const [secure = ""] = await encrypt(project, token);
  await project.writeStackYaml(stack(`region: eu, auth: { user: me, token: ${secure} }`));
  await project.mustRun(["up", "--yes", "--skip-preview"]);

  await project.writeStackYaml(stack("region: eu, auth: { user: me }"));
  platform.emulator.fault({ kind: "status", status: 422, match: { method: "PATCH" }, times: 99 });
  for (const _ of [1, 2, 3]) {
    expect((await project.up()).code).not.toBe(0);
    expect((await project.exportState()).text).not.toContain(token);
  }

  platform.emulator.clearFaults();
  expect((await project.up()).code).toBe(0);
  expect((await project.exportState()).text).not.toContain(token);
});
