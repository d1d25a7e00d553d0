import { beforeAll, describe, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";
import { quickIntegrations } from "./harness/quick-integrations.ts";

const crm = "acme: { integration: crm-to-billing, configs: { region: eu } }";
const shop = "acme: { integration: shop-to-erp, configs: { warehouse: north } }";
const hr = "acme: { integration: hr-to-payroll, configs: { company_id: acme }, forceArchive: true }";

describe("a change of a tenant's integration, step by step", () => {
  let platform: LivePlatform;
  let project: Project;

  const declare = (tenant: string) =>
    project.writeStackYaml(`config:\n  integration-platform:tenants:\n    ${tenant}\n`);

  beforeAll(() =>
    endAfterTests(async (open) => {
      platform = open.use(await openPlatform());
      project = open.use(await createProject({ stackYaml: "config: {}\n", env: platform.env }));
      await declare(crm);
      await project.mustRun(["up", "--yes", "--skip-preview"]);
    }),
  );

  test("archives the tenant before it creates the replacement", async () => {
    const { id } = await platform.tenant("acme");
    await declare(shop);
    const { steps } = await project.preview();
    expect(steps.find(({ op }) => op === "replace")).toMatchObject({ replaceReasons: ["integration"] });

    platform.clearRequests();
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    const requests = platform.writes().map(({ request }) => request);
    expect(requests).toEqual([`DELETE /v2/tenants/${id}`, "POST /v2/tenants"]);
    expect(await platform.tenants()).toMatchObject([{ name: "acme", integration_id: 102 }]);
    expect(await platform.tenants({ archived: true })).toMatchObject([{ id, integration_id: 101 }]);
  });

  test("is refused for a connected tenant before any write", async () => {
    const { id } = await platform.tenant("acme");
    await platform.connect("acme", "shop");
    await declare(crm);
    platform.clearRequests();

    const { code, stdout, stderr } = await project.up();
    expect(code).not.toBe(0);
    expect(stdout + stderr).toMatch(/tenant "acme".*connected.*forceArchive/s);
    expect(platform.writes()).toEqual([]);
    expect(await platform.tenants()).toMatchObject([{ id }]);
  });

  test("removing a connected tenant from the YAML and destroying the stack are refused too", async () => {
    platform.clearRequests();
    await project.writeStackYaml("config: { integration-platform:allowNoTenants: true }\n");
    expect((await project.up()).code).not.toBe(0);
    expect((await project.destroy()).code).not.toBe(0);
    expect(platform.writes()).toEqual([]);
    expect((await project.exportState()).resources.some(({ urn }) => urn.endsWith("::acme"))).toBe(true);
  });

  test("is applied after an up with forceArchive", async () => {
    const { id } = await platform.tenant("acme");
    await declare(shop.replace(" }", " }, forceArchive: true"));
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect(await platform.tenant("acme")).toMatchObject({ id });

    await declare(hr);
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect(await platform.tenants()).toMatchObject([{ name: "acme", integration_id: 103 }]);
  });
});

describe("the TenantMetadata of a tenant whose integration changes, step by step", () => {
  let platform: LivePlatform;
  let project: Project;

  const declare = (integration: string) => project.writeStackYaml(`config: { app:integration: ${integration} }\n`);

  beforeAll(() =>
    endAfterTests(async (open) => {
      const seed = { integrations: quickIntegrations() };
      platform = open.use(await openPlatform({ seed, variants: { metadata: "replace" } }));
      const program = `import * as pulumi from "@pulumi/pulumi";
import { Tenant, TenantMetadata } from "pulumi-integration-platform";
const integration = new pulumi.Config("app").require("integration");
const acme = new Tenant("acme", { integration });
new TenantMetadata("labels", { tenantId: acme.tenantId, data: { account_manager: "Ada" } });
`;
      project = open.use(await createProject({ program, stackYaml: "config: {}\n", env: platform.env }));
      await declare("crm-to-billing");
      await project.mustRun(["up", "--yes", "--skip-preview"]);
    }),
  );

  test("moves to the new tenant", async () => {
    await declare("shop-to-erp");
    await project.mustRun(["up", "--yes"]);
    expect(await platform.tenants()).toMatchObject([{ name: "acme", integration_id: 102 }]);
    expect(await platform.metadata("acme")).toEqual({ account_manager: "Ada" });
    await project.mustRun(["up", "--yes", "--skip-preview", "--expect-no-changes"]);
  });

  test("stays if the replacement is refused, as the tenant is connected", async () => {
    await platform.connect("acme", "shop");
    await declare("crm-to-billing");
    platform.clearRequests();
    const { code, stdout, stderr } = await project.up();
    expect(code).not.toBe(0);
    expect(stdout + stderr).toMatch(/tenant "acme".*connected.*forceArchive/s);
    expect(platform.writes()).toEqual([]);
    expect(await platform.metadata("acme")).toEqual({ account_manager: "Ada" });

    await declare("shop-to-erp");
    await project.mustRun(["up", "--yes", "--skip-preview", "--expect-no-changes"]);
  });
});
