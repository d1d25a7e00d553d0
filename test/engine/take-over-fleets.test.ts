import { expect, test } from "vitest";
import { builtInSeed, readSeed } from "../../src/emulator/seed/seed.ts";
import { runCli } from "../cli/run-cli.ts";
import { createProject } from "./harness/create-project.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";
import { manyKindsOfTenants } from "./harness/many-kinds-of-tenants.ts";
import { expectTakenOver, mustExport } from "./harness/taking-over.ts";

const { integrations } = readSeed(builtInSeed);

/** Names of integrations and tenants that have a meaning to the engine or to JavaScript. */
const reserved = {
  integrations: [...integrations, { id: 104, name: "secure" }, { id: 105, name: "__proto__" }],
  tenants: [
    ...manyKindsOfTenants(45),
    { integration: "secure", name: "secure", configs: { region: "eu" } },
    { integration: "__proto__", name: "__proto__", configs: { region: "eu" } },
    { integration: "__proto__", name: "__defaults", configs: { region: "eu" } },
  ],
};

test("takes over 300 tenants of every kind with exported fleets whose tenants are in files", {
  timeout: 300_000,
}, async () => {
  await using platform = await openPlatform({ seed: { integrations, tenants: manyKindsOfTenants(300) } });
  await using project = await createProject({ stackYaml: "config: {}\n", env: platform.env });
  await project.writeStackYaml(await mustExport(platform, ["--as", "fleets", "--tenants-to", "tenants"], project));
  await expectTakenOver(project, platform);
  await expectChecked(platform);
});

test("takes over exported fleets whose tenants are in the stack's YAML, whatever their names", async () => {
  await using platform = await openPlatform({ seed: reserved });
  await using project = await createProject({ stackYaml: "config: {}\n", env: platform.env });
  await project.writeStackYaml(await mustExport(platform, ["--as", "fleets"]));
  await expectTakenOver(project, platform);
  for (const name of ["secure", "__proto__", "__defaults"]) {
    await platform.change(name, { paused: false });
  }
  expect((await project.preview(["--refresh"])).changeSummary).toMatchObject({ update: 2 });
});

test("takes over fleets with an exported program", async () => {
  await using platform = await openPlatform({ seed: reserved });
  const program = await mustExport(platform, ["--as", "fleets", "--format", "ts"]);
  await using project = await createProject({ program, stackYaml: "config: {}\n", env: platform.env });
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
