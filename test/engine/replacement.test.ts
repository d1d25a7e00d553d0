import { beforeAll, describe, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";

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
    await project.writeStackYaml("config: {}\n");
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
