import { expect, test } from "vitest";
import { createProject } from "./harness/create-project.ts";
import { openPlatform } from "./harness/live-platform.ts";
import { quickIntegrations } from "./harness/quick-integrations.ts";

const head = `import { Tenant, TenantFleet } from "pulumi-integration-platform";
const integration = "crm-to-billing";
const configs = { region: "eu" };
`;

test("keeps a tenant that leaves a fleet even if slow work of other resources delays the check of its new resource", async () => {
  await using platform = await openPlatform({ seed: { integrations: quickIntegrations() } });
  await using project = await createProject({
    program: `${head}new TenantFleet("first", { integration, tenants: { acme: { configs } } });`,
    stackYaml: "config: {}\n",
    env: platform.env,
  });
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  const { id } = await platform.tenant("acme");

  await project.put(
    "program.ts",
    `${head}new TenantFleet("first", { integration, tenants: {} });
for (let i = 0; i < 12; i += 1) new Tenant("new-" + i, { integration, configs });
await new Promise((resolve) => setTimeout(resolve, 100)); // by then the engine's workers are busy with the other resources
new Tenant("acme", { integration, configs, adopt: true });
`,
  );
  platform.emulator.fault({ kind: "delay", ms: 1500, times: 100, match: { method: "POST", path: "/v2/tenants" } });
  await project.mustRun(["up", "--yes", "--skip-preview", "--refresh=false", "--parallel", "4"]);
  expect((await platform.tenant("acme")).id).toBe(id);
  expect(await platform.tenants({ archived: true })).toEqual([]);
});
