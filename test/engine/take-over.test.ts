import { test } from "vitest";
import { builtInSeed, readSeed } from "../../src/emulator/seed/seed.ts";
import { createProject } from "./harness/create-project.ts";
import { openPlatform } from "./harness/live-platform.ts";
import { manyKindsOfTenants } from "./harness/many-kinds-of-tenants.ts";
import { expectTakenOver, mustExport } from "./harness/taking-over.ts";

const { integrations } = readSeed(builtInSeed);

test("takes over 120 tenants of every kind with exported YAML", { timeout: 300_000 }, async () => {
  await using platform = await openPlatform({ seed: { integrations, tenants: manyKindsOfTenants(120) } });
  await using project = await createProject({ stackYaml: "config: {}\n", env: platform.env });
  await project.writeStackYaml(await mustExport(platform));
  await expectTakenOver(project, platform);
});

test("takes over 50 tenants with an exported program", { timeout: 300_000 }, async () => {
  await using platform = await openPlatform({ seed: { integrations, tenants: manyKindsOfTenants(50) } });
  const program = await mustExport(platform, ["--format", "ts"]);
  await using project = await createProject({ program, stackYaml: "config: {}\n", env: platform.env });
  await expectTakenOver(project, platform);
});
