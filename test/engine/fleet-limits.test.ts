import { expect, test } from "vitest";
import { runCli } from "../cli/run-cli.ts";
import { createProject } from "./harness/create-project.ts";
import { openPlatform } from "./harness/live-platform.ts";

const stackYaml = `config:
  integration-platform:fleets:
    billing:
      integration: crm-to-billing
      tenantsFrom: tenants.yaml
      limits: { change: 5 }
`;

test("shows any amount of drift, and refuses only an up that would revert more than the limits allow", async () => {
  await using platform = await openPlatform();
  await using project = await createProject({ stackYaml: stackYaml, env: platform.env });
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
