import { expect, test } from "vitest";
import { runCli } from "../cli/run-cli.ts";
import { createProject } from "./harness/create-project.ts";
import { openPlatform } from "./harness/live-platform.ts";

test("export connects with the address and the encrypted API key of a stack", async () => {
  await using platform = await openPlatform();
  await platform.call("POST", "/v2/tenants", { integration_id: 101, name: "acme" });
  await using project = await createProject({ stackYaml: "config: {}\n" });
  const key = "integration-platform:apiKey";
  await project.mustRun(["config", "set", "integration-platform:baseUrl", platform.emulator.url]);
  await project.mustRun(["config", "set", "--secret", key, platform.emulator.apiKey]);
  const run = (stack: string, env: NodeJS.ProcessEnv = {}) =>
    runCli(
      undefined,
      ["export", "--integration", "all", "--stack", stack],
      { ...project.env, ...env },
      project.directory,
    );

  const { code, stdout, stderr } = await run("test");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("acme:");
  expect(stdout).not.toContain(platform.emulator.apiKey);

  const withKey = { PULUMI_CONFIG_PASSPHRASE: "another", INTEGRATION_PLATFORM_API_KEY: platform.emulator.apiKey };
  expect(await run("test", withKey)).toMatchObject({ code: 0, stderr: "" });

  expect((await run("test", { PULUMI_CONFIG_PASSPHRASE: "another" })).stderr).toBe(
    'error: cannot read the config of stack "test":\n  error: incorrect passphrase\n',
  );
  expect((await run("production")).stderr).toContain("no stack named 'production' found");
});
