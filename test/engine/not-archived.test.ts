import { delimiter } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { runCli } from "../cli/run-cli.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";
import { pluginOnPath } from "./harness/plugin-on-path.ts";
import { quickIntegrations } from "./harness/quick-integrations.ts";

// Tenants that an `up` must not archive, or must: test/resources/not-archived.test.ts has the same with single calls, and
// test/in-process/not-archived.test.ts stories on one provider.

const program = `
import * as pulumi from "@pulumi/pulumi";
import { Build, Tenant, TenantFleet } from "pulumi-integration-platform";

const crm = { integration: "crm-to-billing", configs: { region: "eu" } };
const erp = { integration: "shop-to-erp", configs: { currency: "EUR" } };
const crmFleet = { integration: "crm-to-billing" };
const erpFleet = { integration: "shop-to-erp" };
const native = (type: string, name: string, args: object, options?: object) =>
  new pulumi.CustomResource(\`integration-platform:index:\${type}\`, name, args, options);
const provider = (name: string, args = {}) => new (pulumi.ProviderResource as any)("integration-platform", name, args);
const build = (dependsOn?: pulumi.Resource[]) =>
  new Build("build", { integrationId: 101, tag: "v9.0.0", timeoutSeconds: 3 }, { dependsOn });

const steps: Record<string, () => unknown> = {
  "in a fleet": () => new TenantFleet("fleet", { ...crmFleet, tenants: { acme: { configs: { region: "eu" } }, bluebird: {} } }),
  "waits for a build": () => {
    new TenantFleet("fleet", { ...crmFleet, tenants: { bluebird: {} } });
    new Tenant("acme", { ...crm, adopt: true, release: { id: build().releaseId } });
  },
  alone: () => new Tenant("acme", crm, { deleteBeforeReplace: false }),
  "moved and native": () =>
    native("Tenant", "acme", { name: "acme", ...erp }, {
      aliases: [{ type: "pulumi-nodejs:dynamic/integration-platform:Tenant" }],
    }),
  "of one provider": () => {
    provider("other");
    native("Tenant", "acme", { name: "acme", ...crm }, { provider: provider("one") });
  },
  "moved, of another provider": () => {
    provider("one");
    native("Tenant", "acme", { name: "acme", ...erp }, { provider: provider("other") });
  },
  "moved, of another provider, before a build": () => {
    provider("one");
    build([native("Tenant", "acme", { name: "acme", ...erp }, { provider: provider("other") })]);
  },
  "taken back, of another provider, before a build": () => {
    provider("one");
    build([native("Tenant", "acme", { name: "acme", ...crm }, { provider: provider("other") })]);
  },
  "taken back, of another provider": () => {
    provider("one", { succeededStatuses: ["fine"] }); // so the engine starts it anew
    native("Tenant", "acme", { name: "acme", ...crm }, { provider: provider("other") });
  },
  native: () => native("Tenant", "acme", { name: "acme", ...crm }),
  "moved and native, before a build": () => build([native("Tenant", "acme", { name: "acme", ...erp })]),
};
steps[new pulumi.Config().require("step")]();
`;

let platform: LivePlatform;
let project: Project;
beforeEach(() =>
  endAfterTests(async (open) => {
    platform = open.use(
      await openPlatform({ seed: { integrations: quickIntegrations() }, variants: { builds: "quick" } }),
    );
    const plugin = open.use(await pluginOnPath());
    const env = { ...platform.env, PATH: [plugin.folder, process.env.PATH].join(delimiter) };
    project = open.use(await createProject({ program, provider: "dynamic", stackYaml: "config: {}\n", env }));
  }),
);

/** Runs `up` of a step of the program. Returns its exit code. */
async function up(step: string, ...args: string[]): Promise<number | null> {
  await project.writeStackYaml(`config: { throw-away:step: "${step}" }\n`);
  return (await project.run(["up", "--yes", "--skip-preview", ...args])).code;
}

const noBuild = () =>
  platform.emulator.fault({ kind: "status", status: 422, match: { method: "POST", path: "/build$" }, times: 9 });
const idOf = async (integrationId: number) =>
  (await platform.tenants()).find((one) => one.name === "acme" && one.integration_id === integrationId)?.id;
const replaceOf = (type: string) => ["--replace", `urn:pulumi:test::throw-away::${type}::acme`];

test("a tenant that moves out of a fleet, to a resource that waits for a build that fails, stays", async () => {
  expect(await up("in a fleet")).toBe(0);
  const id = await idOf(101);
  platform.emulator.setVariants({ builds: "never" }); // so it fails while the fleet waits to archive the tenant
  expect(await up("waits for a build")).toBe(1);
  expect(await idOf(101)).toBe(id);
  const fleet = "urn:pulumi:test::throw-away::pulumi-nodejs:dynamic/integration-platform:TenantFleet::fleet";
  expect(await up("waits for a build", "--target", fleet)).toBe(0); // the way out that the documents name
  expect(await idOf(101)).toBeUndefined();
});

test("a move to another integration and to the native provider leaves one tenant", async () => {
  expect(await up("alone")).toBe(0);
  expect(await up("moved and native")).toBe(0);
  expect(await platform.tenants()).toHaveLength(1);
});

test("a move to another integration and to another provider of the same kind leaves one tenant", async () => {
  expect(await up("of one provider")).toBe(0);
  expect(await up("moved, of another provider")).toBe(0);
  expect(await platform.tenants()).toHaveLength(1);
});

test("a replacement that cannot be created archives nothing, also if its provider changes", async () => {
  expect(await up("of one provider")).toBe(0);
  const id = await idOf(101);
  await platform.call("POST", "/_emulator/tenants", { integration: 102, name: "acme", source: "marketplace" });
  expect(await up("moved, of another provider")).toBe(1);
  expect(await idOf(101)).toBe(id);
});

test("a deletion that another process does archives the tenant that a failed replacement has left", async () => {
  expect(await up("of one provider")).toBe(0);
  noBuild();
  const replacing = replaceOf("integration-platform:index:Tenant");
  expect(await up("moved, of another provider, before a build", ...replacing)).toBe(1);
  platform.emulator.clearFaults();
  expect(await up("moved, of another provider")).toBe(0);
  expect(await platform.tenants()).toHaveLength(1);
});

test("a deletion that another process does archives nothing if the resource has its tenant again", async () => {
  expect(await up("of one provider")).toBe(0);
  const id = await idOf(101);
  noBuild();
  const replacing = replaceOf("integration-platform:index:Tenant");
  expect(await up("moved, of another provider, before a build", ...replacing)).toBe(1);
  expect(await up("taken back, of another provider, before a build")).toBe(1);
  platform.emulator.clearFaults();
  expect(await up("taken back, of another provider")).toBe(0);
  expect(await idOf(101)).toBe(id);
});

test("drift names the tenant that a failed replacement has left, and tells it from the new one", async () => {
  expect(await up("native")).toBe(0);
  const id = await idOf(101);
  noBuild();
  expect(await up("moved and native, before a build", ...replaceOf("integration-platform:index:Tenant"))).toBe(1);
  const drift = async () => {
    const { code, stdout } = await runCli(undefined, ["drift", "--json", "-"], { ...project.env }, project.directory);
    return { code, ...JSON.parse(stdout) };
  };
  expect(await drift()).toMatchObject({ code: 2, archives: [{ tenant: "acme", tenantId: id }] });
  const other = await idOf(102);
  await platform.call("PATCH", `/_emulator/tenants/${other}`, { configs: { currency: "USD" } });
  const changed = { tenantId: other, field: "configs.currency", declared: "EUR", actual: "USD", changedOn: "platform" };
  expect((await drift()).differences).toContainEqual(expect.objectContaining(changed));
});
