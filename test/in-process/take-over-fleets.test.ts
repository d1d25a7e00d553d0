import { expect, test } from "vitest";
import { builtInSeed, readSeed } from "../../src/emulator/seed/seed.ts";
import { runCli } from "../cli/run-cli.ts";
import { type LivePlatform, openPlatform } from "../engine/harness/live-platform.ts";
import { manyKindsOfTenants, reserved } from "../engine/harness/many-kinds-of-tenants.ts";
import { expectTakenOver, mustExport } from "../engine/harness/taking-over.ts";
import { createInProcessProject } from "./create-in-process-project.ts";

const { integrations } = readSeed(builtInSeed);

test("takes over 300 tenants of every kind with exported fleets whose tenants are in files", async () => {
  await using platform = await openPlatform({ seed: { integrations, tenants: manyKindsOfTenants(300) } });
  await using project = await createInProcessProject({ stackYaml: "config: {}\n", env: platform.env });
  await project.writeStackYaml(await mustExport(platform, ["--as", "fleets", "--tenants-to", "tenants"], project));
  await expectTakenOver(project, platform);
  await expectChecked(platform);
});

test("takes over fleets with an exported program", async () => {
  await using platform = await openPlatform({ seed: reserved });
  const program = await mustExport(platform, ["--as", "fleets", "--format", "ts"]);
  await using project = await createInProcessProject({ program, stackYaml: "config: {}\n", env: platform.env });
  await expectTakenOver(project, platform);
});

/** `check` reads all live tenants, including those that a fleet manages. */
async function expectChecked(platform: LivePlatform) {
  const args = ["check", "--integration", "hr-to-payroll", "--release", "latest", "--json"];
  const { code, stdout } = await runCli(platform.emulator, args);
  expect(code).toBe(1);
  const inFleet = (await platform.tenants()).filter(({ integration_id: id }) => id === 103);
  const { checked, violations } = JSON.parse(stdout);
  expect(checked).toBe(inFleet.length);
  expect(new Set(violations.map(({ tenantId }: { tenantId: number }) => tenantId))).toEqual(
    new Set(inFleet.map(({ id }) => id)),
  );
}
