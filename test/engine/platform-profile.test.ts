import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createProject } from "./harness/create-project.ts";
import { openPlatform } from "./harness/live-platform.ts";

const stackYaml = (region: string) => `config:
  integration-platform:platform: platform.json
  integration-platform:tenants:
    acme: { integration: crm-to-billing, paused: false, configs: { region: ${region} } }
`;

// test/in-process/platform-profile.test.ts has the whole story.
test("a profile with a mistake stops a preview, and an intact one is followed", async () => {
  await using platform = await openPlatform({ variants: { configs: "merge", pausedUnconnected: "refused" } });
  await using project = await createProject({ stackYaml: stackYaml("eu"), env: platform.env });
  const write = (answer: string) =>
    writeFile(
      join(project.directory, "platform.json"),
      JSON.stringify({
        version: 1,
        baseUrl: platform.emulator.url,
        answers: {
          "configs.patch": { answer, basis: "measured" },
          "paused.unconnected": { answer: "refused", basis: "measured" },
        },
      }),
    );
  await write("deep");
  const { code, stdout, stderr } = await project.run(["preview"]);
  expect(code).not.toBe(0);
  expect(stdout + stderr).toMatch(/answers\.configs\.patch\.answer must be "merge"/);

  await write("merge");
  const created = await project.mustRun(["up", "--yes", "--skip-preview"]);
  expect(created.stdout).toContain("stays paused until its customer connects it");
  await platform.change("acme", { configs: { region: "eu", theirs: "kept" } });
  await project.writeStackYaml(stackYaml("us"));
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  expect((await platform.tenant("acme")).configs).toEqual({ region: "us", theirs: "kept" });
});
