import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../cli/run-cli.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";

const secret = "plain-secret-7f3a";
/** Without questions and without the program. */
const quietly = ["--yes", "--generate-code=false"];
const tenants = [
  {
    integration: "crm-to-billing",
    name: "acme",
    user_schedule: "0 */6 * * *",
    configs: { region: "eu", batch_size: 5, mapping: { a: "b" }, api_token: secret },
    metadata: { plan: "gold" },
  },
  { integration: "crm-to-billing", name: "bluebird", paused: true, configs: { list: [1, { deep: true }] } },
  { integration: "shop-to-erp", name: "acme", configs: { warehouse: "w1" }, metadata: { tier: "gold" } },
  { integration: "shop-to-erp", name: "class" },
  { integration: "hr-to-payroll", name: "7-eleven", configs: { company_id: "c7" } },
];
const token = (type: string) => `integration-platform:index:${type}`;

describe("pulumi import", () => {
  test("takes in resources of each kind, and the program that declares their inputs shows no change", async () => {
    const labelled = { integration: "crm-to-billing", name: "dune", metadata: { plan: "gold" } };
    await using platform = await platformWith([...tenants, labelled]);
    await using project = await openProject(platform);
    const resources = [
      { type: token("Tenant"), name: "acme", id: "5001" },
      { type: token("Tenant"), name: "of-another-name", id: "5002" },
      { type: token("TenantMetadata"), name: "dune-data", id: "5006" },
      { type: token("TenantFleet"), name: "payroll", id: "hr-to-payroll/payroll" },
      { type: token("TenantFleet"), name: "fleet-of-another-name", id: "102/erp" },
      { type: token("Build"), name: "first", id: "101/v1.0.0" },
    ];
    await project.put("imports.json", JSON.stringify({ resources }));
    await project.mustRun(["import", "--file", "imports.json", ...quietly]);
    await expectNoChange(project, platform);
    await project.mustRun(["up", "--yes", "--skip-preview", "--expect-no-changes"]);
    expect(platform.writes()).toEqual([]);
    const state = await project.exportState();
    expect(state.resources.flatMap(({ type }) => resources.find((one) => one.type === type) ?? [])).toHaveLength(6);
    expect(state.text).not.toContain(secret);
  });

  test("warns of each secret that is not imported, and a declared one is the only change then", async () => {
    await using platform = await platformWith(tenants);
    await using project = await openProject(platform);
    const { stdout, stderr } = await project.mustRun(["import", token("Tenant"), "acme", "5001", ...quietly]);
    expect(stdout + stderr).toMatch(/tenant "acme" \(id 5001\).*configs\.api_token looks like a secret/s);
    expect(stdout + stderr).toContain("pulumi config set --secret");
    await declareImported(project, (text) => text.replace('"region":"eu"', '"region":"us"'));
    platform.clearRequests();
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect(platform.writes().map(({ request }) => request)).toEqual(["PATCH /v2/tenants/5001"]);
    const { configs } = await platform.call("GET", "/_emulator/tenants/5001").then(Object);
    expect(configs).toEqual({ ...tenants[0]?.configs, region: "us" });
  });

  test.each([
    [
      "Tenant",
      "acme",
      /"acme" is not an id with which a Tenant can be imported\. Write the id of the tenant, such as 5001/,
    ],
    ["Tenant", "6001", /6001.* does not exist/],
    ["Tenant", "5006", /5006.* does not exist/],
    ["TenantMetadata", "5001x", /"5001x" is not an id with which a TenantMetadata can be imported/],
    ["TenantFleet", "crm-to-bilings/billing", /there is no integration named "crm-to-bilings".*crm-to-billing/],
    ["TenantFleet", "crm-to-billing", /is not an id with which a TenantFleet can be imported/],
    ["Build", "101/v9", /101\/v9.* does not exist/],
    ["Build", "999/v1.0.0", /there is no integration with id 999/],
    [
      "SyncTrigger",
      "some-trigger",
      /a SyncTrigger cannot be imported.*not its tenant, mode and payload.*getTriggerStatus/s,
    ],
  ])("%s %s is an error that says what to do", async (type, id, message) => {
    const archived = { integration: "crm-to-billing", name: "gone", archived: true };
    await using platform = await platformWith([...tenants, archived]);
    await using project = await openProject(platform);
    const { code, stdout, stderr } = await project.run(["import", token(type), "wrong", id, "--yes"]);
    expect(code).not.toBe(0);
    expect(stdout + stderr).toMatch(message);
    expect(stdout + stderr).not.toMatch(/\n {4,}at |panic/);
    const types = (await project.exportState()).resources.map((resource) => resource.type);
    expect(types).not.toContain(token(type));
  });
});

describe("the option import in a program", () => {
  const declared = (configs: string) => `
import { Tenant } from "pulumi-integration-platform";
new Tenant("mine", {
  integration: "crm-to-billing",
  name: "acme",
  schedule: "0 */6 * * *",
  release: { tag: "v1.0.0" },
  paused: false,
  configs: ${configs},
  metadata: { plan: "gold" },
}, { import: "5001" });
`;

  test("takes the tenant into the state as it is", async () => {
    await using platform = await platformWith(tenants);
    await using project = await openProject(platform, declared('{ region: "eu", batch_size: 5, mapping: { a: "b" } }'));
    const before = await drift(project, platform);
    expect(before.code).toBe(2);
    expect(JSON.parse(before.stdout).differences).toMatchObject([{ tenant: "acme", declared: "exists" }]);
    const { stdout, stderr } = await project.mustRun(["up", "--yes"]);
    expect(stdout).toMatch(/1 imported/);
    expect(stdout + stderr).not.toMatch(/cannot be created|already live/);
    await project.mustRun(["preview", "--expect-no-changes"]);
    expect(platform.writes()).toEqual([]);
  });

  test("changes what the program declares differently, and nothing else", async () => {
    await using platform = await platformWith(tenants);
    await using project = await openProject(platform, declared('{ region: "us", batch_size: 5, mapping: { a: "b" } }'));
    const before = await drift(project, platform);
    expect(before.code).toBe(2);
    expect(JSON.parse(before.stdout).differences).toMatchObject([
      { tenant: "acme", declared: "exists" },
      { tenant: "acme", field: "configs.region", declared: "us", actual: "eu" },
    ]);
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect((await drift(project, platform)).code).toBe(0);
    await project.mustRun(["preview", "--expect-no-changes"]);
    expect(platform.writes().map(({ request }) => request)).toEqual(["PATCH /v2/tenants/5001"]);
    const { configs } = await platform.call("GET", "/_emulator/tenants/5001").then(Object);
    expect(configs).toEqual({ ...tenants[0]?.configs, region: "us" });
  });
});

describe("pulumi import --file", () => {
  test.each(["tenants", "fleets"])("takes all %s that `integration-platform export` writes", async (as) => {
    await using platform = await platformWith(tenants);
    await using project = await openProject(platform);
    const exported = await runCli(platform.emulator, [
      "export",
      "--integration",
      "all",
      "--format",
      "import",
      "--as",
      as,
    ]);
    await writeFile(join(project.directory, "imports.json"), exported.stdout);
    await project.mustRun(["import", "--file", "imports.json", ...quietly]);
    await expectNoChange(project, platform);
    const types = (await project.exportState()).resources.map(({ type }) => type);
    expect(types.filter((type) => type.startsWith("integration-platform:index:Tenant"))).toHaveLength(
      as === "fleets" ? 3 : tenants.length,
    );
  });
});

/** Expects that the program of what was imported changes nothing, compared with the state and with the platform. */
async function expectNoChange(project: Project, platform: LivePlatform): Promise<void> {
  await declareImported(project);
  await project.mustRun(["preview", "--expect-no-changes"]);
  await project.mustRun(["preview", "--refresh", "--expect-no-changes"]);
  expect(platform.writes()).toEqual([]);
}

function drift(project: Project, platform: LivePlatform) {
  return runCli(undefined, ["drift", "--json", "-"], { ...project.env, ...platform.env }, project.directory);
}

async function platformWith(all: readonly object[]): Promise<LivePlatform> {
  const platform = await openPlatform();
  for (const tenant of all) await platform.call("POST", "/_emulator/tenants", tenant);
  platform.clearRequests();
  return platform;
}

async function openProject(platform: LivePlatform, program = "export {};\n"): Promise<Project> {
  return createProject({ program, stackYaml: "", env: platform.env, provider: "native" });
}

/**
 * Makes the imported resources the project's program, each with the inputs that `pulumi import` prints. The Node.js host that
 * can be built from Go modules prints no programs.
 */
async function declareImported(project: Project, change = (text: string) => text): Promise<void> {
  const { resources } = await project.exportState();
  const own = resources.filter(({ type }) => type.startsWith("integration-platform:index:"));
  const classes = own.map(({ type }) => type.split(":").at(-1));
  const statements = own.map(({ urn, inputs }, index) => {
    const name = JSON.stringify(urn.split("::").at(-1));
    return `new ${classes[index]}(${name}, ${JSON.stringify(inputs)}, { protect: true });`;
  });
  const imports = `import { ${[...new Set(classes)].join(", ")} } from "pulumi-integration-platform";`;
  await project.put("program.ts", change([imports, ...statements, ""].join("\n")));
}
