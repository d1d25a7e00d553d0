import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openPlatform } from "../engine/harness/live-platform.ts";
import { createInProcessProject } from "./create-in-process-project.ts";

const stackYaml = (profile: string, region: string) => `config:
  integration-platform:platform: ${profile}
  integration-platform:tenants:
    acme: { integration: crm-to-billing, paused: false, configs: { region: ${region} } }
`;

test("a profile with a mistake stops a preview, an intact one is followed, and one that is gone stops no refresh", async () => {
  await using platform = await openPlatform({ variants: { configs: "merge", pausedUnconnected: "refused" } });
  await using project = await createInProcessProject({ stackYaml: "config: {}\n", env: platform.env });
  const profile = join(project.directory, "platform.json");
  await project.writeStackYaml(stackYaml(profile, "eu"));
  const write = (answers: object, baseUrl = platform.emulator.url) =>
    writeFile(profile, JSON.stringify({ version: 1, baseUrl, answers }));
  const measured = (answer: string) => ({ answer, basis: "measured" });

  for (const [mistake, message] of [
    [() => write({ "configs.patch": measured("deep") }), /answers\.configs\.patch\.answer must be "merge"/],
    [() => write({}, "https://other.example.com"), /is the profile of https:\/\/other\.example\.com/],
  ] as const) {
    await mistake();
    const { code, stdout, stderr } = await project.run(["preview"]);
    expect(code).not.toBe(0);
    expect(stdout + stderr).toMatch(message);
  }
  expect(platform.emulator.requests().filter(({ method }) => method !== "GET")).toEqual([]);

  await write({ "configs.patch": measured("merge"), "paused.unconnected": measured("refused") });
  const created = await project.mustRun(["up", "--yes", "--skip-preview"]);
  expect(created.stdout).toContain("stays paused until its customer connects it");
  await platform.change("acme", { configs: { region: "eu", theirs: "kept" } });
  platform.emulator.clearRequests();
  await project.writeStackYaml(stackYaml(profile, "us"));
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  const writes = platform.emulator.requests().filter(({ method, path }) => method !== "GET" && path.startsWith("/v2/"));
  expect(writes.map(({ body }) => body)).toEqual([{ configs: { region: "us" } }]);
  expect((await platform.tenant("acme")).configs).toEqual({ region: "us", theirs: "kept" });
  await project.mustRun(["up", "--yes", "--skip-preview", "--expect-no-changes"]);

  await rm(profile);
  const refreshed = await project.mustRun(["refresh", "--yes", "--skip-preview"]);
  expect(refreshed.stdout).toContain(`the profile ${profile} cannot be read (ENOENT)`);
  expect((await project.run(["preview"])).stdout).toContain(`the profile ${profile} cannot be read (ENOENT)`);
  await project.mustRun(["destroy", "--yes", "--skip-preview"]);
  expect(await platform.tenants()).toEqual([]);
});
