import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";
import { stateOfMany } from "./harness/state-of-many.ts";

const count = 1000;
const stackYaml = `config:
  integration-platform:tenants:
    tenant-0:
      integration: crm-to-billing
      schedule: "0 */6 * * *"
      configs: { region: eu, mapping: { id: tenant-0 } }
`;

/**
 * An up of a thousand tenants takes half a minute and tests no more than an up of one. So the test brings up one tenant,
 * creates the others directly on the platform, and copies the tenant's entry in the state for each of them.
 */
describe("a stack of a thousand tenants of one integration", () => {
  let platform: LivePlatform;
  let project: Project;
  const names = Array.from({ length: count }, (_, index) => `tenant-${index}`);

  beforeAll(() =>
    endAfterTests(async (open) => {
      platform = open.use(await openPlatform());
      project = open.use(await createProject({ stackYaml, env: platform.env }));
      await project.mustRun(["up", "--yes", "--skip-preview"]);

      for (const name of names.slice(1)) {
        const configs = { region: "eu", mapping: { id: name } };
        const fields = { name, integration_id: 101, user_schedule: "0 */6 * * *", configs };
        await platform.call("POST", "/v2/tenants", fields);
      }
      const file = join(project.directory, "state.json");
      await writeFile(file, stateOfMany((await project.exportState()).text, names));
      await project.mustRun(["stack", "import", "--file", file]);
    }),
  );

  test("refreshes with at most 6 lists and without a write", async () => {
    platform.clearRequests();
    const { stdout } = await project.mustRun(["refresh", "--yes", "--skip-preview", "--expect-no-changes"]);
    expect(stdout).toContain(`${count + 1} unchanged`);
    expect(platform.lists().length).toBeLessThanOrEqual(6);
    expect(platform.writes()).toEqual([]);
  });

  test("shows the tenant that drifted, and the missing tenant after one more live list and one archived list", async () => {
    await platform.change("tenant-0", { user_schedule: "1 1 * * *" });
    await platform.archive("tenant-1");
    platform.clearRequests();
    const { stdout } = await project.mustRun(["refresh", "--yes", "--skip-preview"]);
    expect(stdout).toContain("~ 1 updated");
    expect(stdout).toContain("- 1 deleted");
    expect(stdout).toContain(`${count - 1} unchanged`);
    expect(platform.lists().length).toBeLessThanOrEqual(6);
    expect(platform.writes()).toEqual([]);
  });
});
