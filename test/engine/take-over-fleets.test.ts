import { expect, test } from "vitest";
import { createProject } from "./harness/create-project.ts";
import { openPlatform } from "./harness/live-platform.ts";
import { reserved } from "./harness/many-kinds-of-tenants.ts";
import { expectTakenOver, mustExport } from "./harness/taking-over.ts";

// test/in-process/take-over-fleets.test.ts has 300 tenants, and an exported program.

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
