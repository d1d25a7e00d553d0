import { expect, test } from "vitest";
import { openPlatform } from "../engine/harness/live-platform.ts";
import { createInProcessProject } from "./create-in-process-project.ts";

const stackYaml = `config:
  integration-platform:tenantDefaults: { integration: crm-to-billing, schedule: "0 6 * * *" }
  integration-platform:tenants: { acme: {}, globex: {} }
  integration-platform:fleets:
    more: { integration: crm-to-billing, tenants: { initech: { schedule: "0 6 * * *" } } }
`;

test("refreshes and repairs a schedule that was cleared by hand, and destroys its tenant", async () => {
  await using platform = await openPlatform();
  await using project = await createInProcessProject({ stackYaml, env: platform.env });
  const empty = async () => {
    for (const { id } of await platform.tenants()) {
      await platform.call("PATCH", `/_emulator/tenants/${id}`, { user_schedule: "" });
    }
  };
  const schedules = async () => (await platform.tenants()).map(({ user_schedule }) => user_schedule);

  await project.mustRun(["up", "--yes", "--skip-preview"]);
  await empty();
  await project.mustRun(["refresh", "--yes", "--skip-preview"]);
  await project.mustRun(["refresh", "--yes", "--skip-preview"]);
  await project.mustRun(["up", "--yes", "--skip-preview", "--refresh=false"]);
  expect(await schedules()).toEqual(["0 6 * * *", "0 6 * * *", "0 6 * * *"]);
  await empty();
  await project.mustRun(["refresh", "--yes", "--skip-preview"]);
  await project.mustRun(["destroy", "--yes", "--skip-preview"]);
  expect(await platform.tenants()).toEqual([]);
});
