import { expect, test } from "vitest";
import { runCli } from "../cli/run-cli.ts";
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

test("refuses to archive more tenants than the fleet's limits allow, lists them, and archives them once the limits are raised", async () => {
  await using platform = await openPlatform();
  await using project = await createProject({ stackYaml, env: platform.env });
  await project.put("tenants.yaml", "bluebird: {}\ncedar: {}\ndune: {}\n");
  await project.mustRun(["up", "--yes", "--skip-preview"]);

  await project.put("tenants.yaml", "# nobody\n");
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

const hundredYaml = `config:
  integration-platform:fleets:
    billing:
      integration: crm-to-billing
      tenantsFrom: tenants.yaml
      limits: { change: 5 }
`;

test("shows any amount of drift, and refuses only an up that would revert more than the limits allow", async () => {
  await using platform = await openPlatform();
  await using project = await createProject({ stackYaml: hundredYaml, env: platform.env });
  const keys = Array.from({ length: 100 }, (_, index) => `t-${index}`);
  await project.put("tenants.yaml", keys.map((key) => `${key}: { paused: false }\n`).join(""));
  await project.mustRun(["up", "--yes", "--skip-preview"]);

  for (const { id } of (await platform.tenants()).slice(0, 60)) {
    await platform.call("PATCH", `/v2/tenants/${id}`, { paused: true });
  }
  platform.clearRequests();
  await project.mustRun(["refresh", "--yes", "--skip-preview"]);
  const preview = await project.mustRun(["preview"]);
  expect(preview.stdout + preview.stderr).toMatch(/would change 60 tenants of 100, and its limits\.change is 5: t-/);
  const drift = await runCli(undefined, ["drift"], { ...project.env, ...platform.env }, project.directory);
  expect(drift.stdout).toContain("paused");
  expect(drift.stdout + drift.stderr).toMatch(/would change 60 tenants of 100/);

  const refused = await project.up();
  expect(refused.code).not.toBe(0);
  expect(refused.stdout + refused.stderr).toMatch(/this would change 60 tenants of 100.*Nothing has been changed/);
  expect(platform.writes()).toEqual([]);

  await project.mustRun(["up", "--yes", "--skip-preview"], { env: { INTEGRATION_PLATFORM_ALLOW_LIMITS: "1" } });
  expect((await platform.tenants()).filter(({ paused }) => paused)).toEqual([]);
});
