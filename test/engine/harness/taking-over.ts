import { expect } from "vitest";
import { z } from "zod";
import { runCli } from "../../cli/run-cli.ts";
import type { StackProject } from "./create-project.ts";
import type { ExportedState } from "./engine-output.ts";
import type { LivePlatform } from "./live-platform.ts";

/** What `export --integration all` writes, run in the folder of a project, or anywhere. */
export async function mustExport(
  platform: LivePlatform,
  more: readonly string[] = [],
  project?: StackProject,
): Promise<string> {
  const args = ["export", "--integration", "all", ...more];
  const { code, stdout, stderr } = await runCli(platform.emulator, args, {}, project?.directory);
  expect(code).toBe(0);
  expect(stdout + stderr).not.toContain("plain-token");
  return stdout;
}

/** Takes over what was exported: nothing is made, nothing is written, and nothing is left to do. */
export async function expectTakenOver(project: StackProject, platform: LivePlatform): Promise<void> {
  const before = await everything(platform);
  platform.clearRequests();
  await project.mustRun(["up", "--yes", "--skip-preview"], { timeLimitSeconds: 600 });
  expect(platform.writes()).toEqual([]);
  expect(await everything(platform)).toEqual(before);
  expect(takenOver(await project.exportState())).toEqual((await platform.tenants()).map(({ id }) => id));
  await project.mustRun(["preview", "--refresh", "--expect-no-changes"]);
  expect(platform.writes()).toEqual([]);
}

/** All that the platform shows of its tenants, by plain reads. */
async function everything(platform: LivePlatform) {
  const tenants = await platform.tenants();
  return Promise.all(
    tenants.map(async (tenant) => [tenant, await platform.call("GET", `/v2/tenants/${tenant.id}/metadata`)]),
  );
}

const fleetSchema = z.object({ tenants: z.record(z.string(), z.object({ tenantId: z.int() })) });

/** The ids of the tenants that a stack has, as resources of their own or in fleets. */
function takenOver({ resources }: ExportedState): number[] {
  const ids = resources.flatMap(({ type, id, outputs }) => {
    if (type.endsWith(":Tenant")) return [Number(id)];
    if (!type.endsWith(":TenantFleet")) return [];
    return Object.values(fleetSchema.parse(outputs).tenants).map(({ tenantId }) => tenantId);
  });
  return ids.sort((left, right) => left - right);
}
