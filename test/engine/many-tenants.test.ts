import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
 * To bring up a thousand takes half a minute and shows nothing that one does not: so one is brought up, the others are
 * made on the platform, and the state is multiplied.
 */
describe("a stack of a thousand tenants of one integration", () => {
  let platform: LivePlatform;
  let project: Project;
  const names = Array.from({ length: count }, (_, index) => `tenant-${index}`);

  beforeAll(async () => {
    platform = await openPlatform();
    project = await createProject({ stackYaml, env: platform.env });
    await project.mustRun(["up", "--yes", "--skip-preview"]);

    for (const name of names.slice(1)) {
      const configs = { region: "eu", mapping: { id: name } };
      const fields = { name, integration_id: 101, user_schedule: "0 */6 * * *", configs };
      await platform.call("POST", "/v2/tenants", fields);
    }
    const file = join(project.directory, "state.json");
    await writeFile(file, stateOfMany((await project.exportState()).text, names));
    await project.mustRun(["stack", "import", "--file", file]);
  });
  afterAll(async () => {
    await project[Symbol.asyncDispose]();
    await platform[Symbol.asyncDispose]();
  });

  it("is refreshed with at most 6 lists and without a write", async () => {
    platform.clearRequests();
    const { stdout } = await project.mustRun(["refresh", "--yes", "--skip-preview", "--expect-no-changes"]);
    expect(stdout).toContain(`${count + 1} unchanged`);
    expect(platform.lists().length).toBeLessThanOrEqual(6);
    expect(platform.writes()).toEqual([]);
  });

  it("shows the one that drifted, and the one that is gone after a second look and one among the archived", async () => {
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
