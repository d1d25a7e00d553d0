import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createProject } from "./harness/create-project.ts";
import { encrypt } from "./harness/encrypt.ts";
import { openPlatform } from "./harness/live-platform.ts";

const oldKey = "old-key-4471";
const newKey = "new-key-9026";

test("refreshes and destroys with a rotated key from the environment although the state has the old one", async () => {
  const data = await mkdtemp(join(tmpdir(), "integration-platform-data-"));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  const before = await openPlatform({ data, apiKey: oldKey });
  await using project = await createProject({ stackYaml: "config: {}\n" });
  const [key] = await encrypt(project, oldKey);
  await project.writeStackYaml(`config:
  integration-platform:baseUrl: ${before.emulator.url}
  integration-platform:apiKey: ${key}
  integration-platform:tenants: { acme: { integration: crm-to-billing, paused: false } }
`);
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  await before.emulator.close();

  const port = Number(new URL(before.emulator.url).port);
  await using after = await openPlatform({ data, port, apiKey: newKey });
  const env = { INTEGRATION_PLATFORM_API_KEY: newKey };
  for (const command of ["refresh", "destroy"]) {
    const { code, stdout, stderr } = await project.run([command, "--yes", "--skip-preview"]);
    expect(code).not.toBe(0);
    expect(stdout + stderr).toMatch(/403.*INTEGRATION_PLATFORM_API_KEY/s);
  }
  expect(await after.tenants()).toHaveLength(1);
  expect((await project.exportState()).resources.some(({ urn }) => urn.endsWith("::acme"))).toBe(true);

  await after.change("acme", { paused: true });
  const { stdout } = await project.mustRun(["refresh", "--yes", "--skip-preview"], { env });
  expect(stdout).toContain("~ 1 updated");
  await project.mustRun(["up", "--yes", "--skip-preview"], { env });
  expect(await after.tenant("acme")).toMatchObject({ paused: false });
  await project.mustRun(["destroy", "--yes", "--skip-preview"], { env });
  expect(await after.tenants()).toEqual([]);

  for (const text of [project.printed(), (await project.exportState()).text]) {
    expect(text).not.toContain(oldKey);
    expect(text).not.toContain(newKey);
  }
});
