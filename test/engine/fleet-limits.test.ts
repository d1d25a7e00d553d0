import { expect, it } from "vitest";
import { createProject } from "./harness/create-project.ts";
import { openPlatform } from "./harness/live-platform.ts";

const stackYaml = `config:
  integration-platform:fleets:
    billing:
      integration: crm-to-billing
      tenantsFrom: tenants.yaml
      tenants: { acme: {} }
      limits: { archive: 1, change: "50%" }
`;

it("refuses to archive more than the limits of a fleet say, with the list, and does so once they are lifted", async () => {
  await using platform = await openPlatform();
  await using project = await createProject({ stackYaml, env: platform.env });
  await project.put("tenants.yaml", "bluebird: {}\ncedar: {}\ndune: {}\n");
  await project.mustRun(["up", "--yes", "--skip-preview"]);

  await project.put("tenants.yaml", "# nobody\n");
  platform.clearRequests();
  for (const command of [["preview"], ["up", "--yes", "--skip-preview"]]) {
    const { code, stdout, stderr } = await project.run(command);
    expect(code).not.toBe(0);
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
