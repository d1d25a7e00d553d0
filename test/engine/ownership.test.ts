import { expect, test } from "vitest";
import { runCli } from "../cli/run-cli.ts";
import { createProject } from "./harness/create-project.ts";
import { stackOf } from "./harness/declared-stack.ts";
import { openPlatform } from "./harness/live-platform.ts";
import { quickIntegrations } from "./harness/quick-integrations.ts";

// test/in-process/ownership.test.ts has the stories that need no command of this package.

const configs = { region: "eu" };

test("drift names an adopted tenant that was archived by hand, and up creates it again", async () => {
  await using platform = await openPlatform({
    seed: { integrations: quickIntegrations(), tenants: [{ integration: "crm-to-billing", name: "theirs", configs }] },
  });
  const { id } = await platform.tenant("theirs");
  await using project = await createProject({
    stackYaml: stackOf({ theirs: { adopt: id, configs } }),
    env: platform.env,
  });
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  await platform.call("PATCH", `/_emulator/tenants/${id}`, { archived: true });

  const env = { ...project.env, ...platform.env };
  const { code, stdout } = await runCli(undefined, ["drift"], env, project.directory);
  expect(code).toBe(2);
  expect(stdout).toMatch(/theirs \(\d+\)\s+\(tenant\)\s+exists\s+archived|theirs\s+\(tenant\)\s+exists\s+archived/);

  expect((await project.preview()).changeSummary).toMatchObject({ create: 1 });
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  expect((await platform.tenant("theirs")).id).not.toBe(id);
  await project.mustRun(["preview", "--expect-no-changes"]);
});

// In process, it is also refused if the replacement would be created first.
test("replaces with replaceOnChanges", async () => {
  await using platform = await openPlatform();
  const program = (region: string) => `import { Tenant } from "pulumi-integration-platform";
new Tenant("acme", { integration: "crm-to-billing", configs: { region: "${region}" } }, {
  replaceOnChanges: ["configs.region"],
});`;
  await using project = await createProject({ program: program("eu"), stackYaml: "config: {}\n", env: platform.env });
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  const { id } = await platform.tenant("acme");
  await project.put("program.ts", program("us"));
  await project.mustRun(["up", "--yes", "--skip-preview", "--refresh=false"]);
  const second = await platform.tenant("acme");
  expect(second).toMatchObject({ configs: { region: "us" } });
  expect(second.id).not.toBe(id);
});
