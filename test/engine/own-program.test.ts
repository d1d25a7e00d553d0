import { beforeEach, describe, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import { createProject } from "./harness/create-project.ts";
import { encrypt } from "./harness/encrypt.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";

let platform: LivePlatform;

beforeEach(() =>
  endAfterTests(async (open) => {
    platform = open.use(await openPlatform());
  }),
);

test("runs examples/tenants-in-a-program: preview with unknown values, up, up without changes, destroy", async () => {
  const options = { example: "tenants-in-a-program", stackYaml: "config: {}\n", env: platform.env };
  await using project = await createProject(options);
  const [acmeToken] = await encrypt(project, "acmes-token");
  await project.writeStackYaml(`config: { tenants-in-a-program:acmeToken: ${acmeToken} }\n`);

  expect((await project.preview()).changeSummary).toEqual({ create: 4 });
  expect(platform.writes()).toEqual([]);

  await project.mustRun(["up", "--yes", "--skip-preview"]);
  const acme = await platform.tenant("acme");
  expect(acme).toMatchObject({ paused: false, configs: { region: "eu", api_token: "acmes-token" } });
  expect(await platform.metadata("acme")).toEqual({ plan: "gold", seats: 40 });
  expect((await platform.tenant("acme-us")).configs).toEqual({
    region: "us",
    mapping: { parent: `tenant-${acme.id}` },
  });
  const { stdout } = await project.mustRun(["stack", "output", "acmeId"]);
  expect(stdout.trim()).toBe(String(acme.id));
  await project.mustRun(["up", "--yes", "--skip-preview", "--expect-no-changes"]);

  await project.mustRun(["destroy", "--yes", "--skip-preview"]);
  expect(await platform.tenants()).toEqual([]);
  expect(project.printed()).not.toContain("acmes-token");
});

describe("two resources for one object are an error in the preview", () => {
  const cases = {
    "a Tenant with metadata and a TenantMetadata with the Tenant's output": {
      program: `
        const acme = new Tenant("acme", { integration: "crm-to-billing", metadata: { plan: "gold" } });
        new TenantMetadata("plan", { tenantId: acme.tenantId, data: { seats: 2 } });`,
      expected: /TenantMetadata "plan".*metadata/,
    },
    "two Tenants with the same name": {
      program: `
        new Tenant("acme", { integration: "crm-to-billing" });
        new Tenant("other", { integration: "crm-to-billing", name: "acme" });`,
      expected: /"acme".*two resources/,
    },
  };

  test.each(Object.entries(cases))("%s", async (_, { program, expected }) => {
    await using project = await createProject({
      program: `import { Tenant, TenantMetadata } from "pulumi-integration-platform";\n${program}`,
      stackYaml: "config: {}\n",
      env: platform.env,
    });
    const { code, stdout, stderr } = await project.run(["preview"]);
    expect(code).not.toBe(0);
    expect(stdout + stderr).toMatch(expected);
    expect(platform.writes()).toEqual([]);
  });

  test("a Tenant with metadata and a TenantMetadata with its id, once the tenant exists", async () => {
    await using project = await createProject({
      program: `
        import { Config } from "@pulumi/pulumi";
        import { Tenant, TenantMetadata } from "pulumi-integration-platform";
        const acme = new Tenant("acme", { integration: "crm-to-billing", metadata: { plan: "gold" } });
        const tenantId = new Config().getNumber("tenantId");
        if (tenantId !== undefined) new TenantMetadata("plan", { tenantId, data: { seats: 2 } }, { dependsOn: acme });`,
      stackYaml: "config: {}\n",
      env: platform.env,
    });
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    const { id } = await platform.tenant("acme");
    await project.writeStackYaml(`config: { throw-away:tenantId: ${id} }\n`);
    platform.clearRequests();
    const { code, stdout, stderr } = await project.run(["up", "--yes"]);
    expect(code).not.toBe(0);
    expect(stdout + stderr).toMatch(new RegExp(`metadata of tenant ${id} is declared twice`));
    expect(platform.writes()).toEqual([]);
  });
});

test("an unknown key is named first, with the nearest known one, before a missing key that it may stand for", async () => {
  await using project = await createProject({
    program: `
      import { Tenant } from "pulumi-integration-platform";
      new Tenant("acme", { intergation: 101 });`,
    stackYaml: "config: {}\n",
    env: platform.env,
  });
  const { code, stdout, stderr } = await project.run(["preview"]);
  expect(stdout + stderr).toMatch(
    /'acme' has a problem: intergation: is not an input[^;]*; did you mean "integration"\?.*'acme' has a problem: integration: is required/s,
  );
  expect(code).not.toBe(0);
  expect(platform.writes()).toEqual([]);
});
