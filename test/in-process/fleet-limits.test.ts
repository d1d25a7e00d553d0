import { expect, test } from "vitest";
import { openPlatform } from "../engine/harness/live-platform.ts";
import { createInProcessProject } from "./create-in-process-project.ts";

const stackYaml = `config:
  integration-platform:fleets:
    billing:
      integration: crm-to-billing
      tenantsFrom: tenants.yaml
      tenants: { acme: {} }
      limits: { archive: 1, change: "50%" }
`;

test("refuses to archive more tenants than the fleet's limits allow, lists them, and archives them once the limits are raised", async () => {
  await using platform = await openPlatform();
  await using project = await createInProcessProject({ stackYaml, env: platform.env });
  await project.put("tenants.yaml", "bluebird: {}\ncedar: {}\ndune: {}\n");
  await project.mustRun(["up", "--yes", "--skip-preview"]);

  await project.put("tenants.yaml", "{}\n");
  platform.clearRequests();
  for (const command of [["preview"], ["up", "--yes", "--skip-preview"]]) {
    const { code, stdout, stderr } = await project.run(command);
    expect(code === 0).toBe(command[0] === "preview");
    expect(stdout + stderr).toMatch(
      /would archive 3 tenants of 4, and its limits\.archive is 1: bluebird, cedar, dune/,
    );
    expect(stdout + stderr).toContain("INTEGRATION_PLATFORM_ALLOW_LIMITS=1");
  }
  expect(platform.writes()).toEqual([]);

  const env = { INTEGRATION_PLATFORM_ALLOW_LIMITS: "1" };
  await project.mustRun(["up", "--yes", "--skip-preview"], { env });
  expect((await platform.tenants()).map(({ name }) => name)).toEqual(["acme"]);
  expect(await platform.tenants({ archived: true })).toHaveLength(3);
});
