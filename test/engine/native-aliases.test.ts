import { expect, test } from "vitest";
import { createDeclaredProject } from "./harness/declared-project.ts";
import { openPlatform } from "./harness/live-platform.ts";

test("that a dynamic resource may have been native shows neither in a preview nor in the state", async () => {
  await using platform = await openPlatform();
  await using declared = await createDeclaredProject(platform);
  await declared.mustUp([{ type: "Tenant", name: "acme", args: { integration: 101 } }]);

  const { text: state } = await declared.project.exportState();
  const { stdout: json } = await declared.project.mustRun(["preview", "--json"]);
  const { stdout: diff } = await declared.project.mustRun(["preview", "--diff"]);

  expect(state).toContain('"pulumi-nodejs:dynamic/integration-platform:Tenant"');
  for (const shown of [state, json, diff]) expect(shown).not.toMatch(/alias|integration-platform:index/);
});
