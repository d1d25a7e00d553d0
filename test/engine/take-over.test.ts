import { expect, it } from "vitest";
import { builtInSeed, readSeed } from "../../src/emulator/seed/read.ts";
import { runCli } from "../cli/run-cli.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";
import { manyKindsOfTenants } from "./harness/many-kinds-of-tenants.ts";

const { integrations } = readSeed(builtInSeed);

/** All that the platform shows of its tenants, by plain reads. */
async function everything(platform: LivePlatform) {
  const tenants = await platform.tenants();
  return Promise.all(
    tenants.map(async (tenant) => [tenant, await platform.call("GET", `/v2/tenants/${tenant.id}/metadata`)]),
  );
}

async function mustExport(platform: LivePlatform, ...more: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli(platform.emulator, ["export", "--integration", "all", ...more]);
  expect(code).toBe(0);
  expect(stdout + stderr).not.toContain("plain-token");
  return stdout;
}

/** Takes over what was exported: nothing is made, nothing is written, and nothing is left to do. */
async function expectTakenOver(project: Project, platform: LivePlatform) {
  const before = await everything(platform);
  platform.clearRequests();
  await project.mustRun(["up", "--yes", "--skip-preview"], { timeLimitSeconds: 600 });
  expect(platform.writes()).toEqual([]);
  expect(await everything(platform)).toEqual(before);
  const taken = (await project.exportState()).resources.filter(({ type }) => type.endsWith(":Tenant"));
  expect(taken.map(({ id }) => Number(id)).sort((left, right) => left - right)).toEqual(
    (await platform.tenants()).map(({ id }) => id),
  );
  await project.mustRun(["preview", "--refresh", "--expect-no-changes"]);
  expect(platform.writes()).toEqual([]);
}

it("takes over 500 tenants of every kind by what export writes as YAML", { timeout: 900_000 }, async () => {
  await using platform = await openPlatform({ seed: { integrations, tenants: manyKindsOfTenants(500) } });
  await using project = await createProject({ stackYaml: "config: {}\n", env: platform.env });
  await project.writeStackYaml(await mustExport(platform));
  await expectTakenOver(project, platform);
});

it("takes over 50 tenants by the program that export writes", { timeout: 300_000 }, async () => {
  await using platform = await openPlatform({ seed: { integrations, tenants: manyKindsOfTenants(50) } });
  const program = await mustExport(platform, "--format", "ts");
  await using project = await createProject({ program, stackYaml: "config: {}\n", env: platform.env });
  await expectTakenOver(project, platform);
});
