import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";
import { quickIntegrations } from "./harness/quick-integrations.ts";

// A stack that declares no tenants while its state has some: mostly its config is not the one that was meant.

let platform: LivePlatform;
let project: Project;
beforeAll(() =>
  endAfterTests(async (open) => {
    platform = open.use(await openPlatform({ seed: { integrations: quickIntegrations() } }));
    project = open.use(await createProject({ stackYaml: "config: {}\n", env: platform.env }));
  }),
);
const both = {
  tenants: { acme: { integration: "crm-to-billing" } },
  fleets: { billing: { integration: "crm-to-billing", tenants: { bluebird: {}, kelp: {} } } },
};
const yamlOf = (config: object) =>
  `config: ${JSON.stringify(Object.fromEntries(Object.entries(config).map(([key, value]) => [`integration-platform:${key}`, value])))}\n`;
const names = async () => (await platform.tenants()).map(({ name }) => name).sort();

/** What the state has, without the provider of the engine's own functions. */
const urns = async () =>
  (await project.exportState()).resources.flatMap(({ urn, type }) => (type === "pulumi:providers:pulumi" ? [] : [urn]));

async function begin(config: object = both): Promise<void> {
  await project.writeStackYaml(yamlOf(config));
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  platform.clearRequests();
}

const commands = [["preview"], ["up", "--yes", "--skip-preview"], ["up", "--yes"], ["up", "--yes", "--refresh"]];

describe("the state of one stack, whose tenants stay", () => {
  beforeAll(() => begin());

  test.each([
    ["nothing", {}, commands],
    ["a fleet without tenants", { fleets: { billing: { ...both.fleets.billing, tenants: {} } } }, [["up", "--yes"]]],
    ["only defaults", { tenantDefaults: { integration: "crm-to-billing" } }, [["preview"]]],
    [
      "no tenants, and does not allow that",
      { tenants: {}, allowNoTenants: false },
      [["up", "--yes", "--skip-preview"]],
    ],
  ])("a stack that declares %s is refused, and nothing is archived", async (_, config, refused) => {
    await begin();
    await project.writeStackYaml(yamlOf(config));
    const before = await urns();
    for (const args of refused) {
      const { code, stdout, stderr } = await project.run(args);
      expect(code).not.toBe(0);
      expect(stdout + stderr).toContain(
        "stack test declares no tenants, but its state has 3: acme, bluebird of fleet billing, kelp of fleet billing. " +
          "`up` would archive all of them, which cannot be undone. Nothing has been changed. Check that this is the right stack, " +
          "and that its config has integration-platform:tenants or integration-platform:fleets. To archive them all, set " +
          "integration-platform:allowNoTenants: true in its config for one `up`",
      );
    }
    expect(platform.writes()).toEqual([]);
    expect(await urns()).toEqual(before);
    expect(await names()).toEqual(["acme", "bluebird", "kelp"]);
  });

  test("a state that cannot be read is an error with the reason and what to do, and nothing is archived", async () => {
    await using folder = await folderOf("#!/bin/sh\necho 'error: no backend here' >&2\nexit 255\n");
    await project.writeStackYaml("config: {}\n");
    const env = { PATH: [folder.path, project.env.PATH].join(delimiter) };
    const { code, stdout, stderr } = await project.up([], { env });
    expect(code).not.toBe(0);
    expect(platform.writes()).toEqual([]);
    expect(stdout + stderr).toMatch(/stack test declares no tenants, and it is unknown whether its state has some/);
    expect(stdout + stderr).toMatch(
      /error: no backend here\s+Nothing has been changed. If all tenants .* set integration-platform:allowNoTenants: true/,
    );
  });

  test("the state of another stack is no answer, even if it has no tenants", async () => {
    await using folder = await folderOf('#!/bin/sh\necho \'{ "deployment": { "resources": [] } }\'\n');
    await project.writeStackYaml("config: {}\n");
    const { code, stdout, stderr } = await project.up([], {
      env: { PATH: [folder.path, project.env.PATH].join(delimiter) },
    });
    expect(code).not.toBe(0);
    expect(platform.writes()).toEqual([]);
    expect(stdout + stderr).toMatch(/unknown whether its state has some.* prints the state of another stack/);
  });
});

describe("the state of a new stack", () => {
  beforeEach(async () => {
    await project.mustRun(["destroy", "--yes", "--skip-preview"]);
  });

  test("the config of another file is refused too, and a long list of tenants is not shown whole", async () => {
    const tenants = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`t${index}`, {}]));
    await begin({ fleets: { billing: { ...both.fleets.billing, tenants } } });
    const empty = join(project.directory, "empty.yaml");
    await writeFile(empty, "config: {}\n");
    const { code, stdout, stderr } = await project.up(["--config-file", empty]);
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain("its state has 8: t0 of fleet billing, ");
    expect(stdout + stderr).toContain("t4 of fleet billing and 3 more. ");
    expect(platform.writes()).toEqual([]);
  });

  test.each([true, "true"])("allowNoTenants: %j archives all of them", async (allowNoTenants) => {
    await begin();
    await project.writeStackYaml(yamlOf({ allowNoTenants }));
    await project.mustRun(["up", "--yes"]);
    expect(await names()).toEqual([]);
  });

  test("tenants that stay on the platform may all be removed", async () => {
    const retained = { integration: "crm-to-billing", retainOnDelete: true };
    await begin({ tenants: { acme: retained }, fleets: { billing: { ...retained, tenants: { bluebird: {} } } } });
    await project.writeStackYaml("config: {}\n");
    await project.mustRun(["up", "--yes"]);
    expect(await names()).toEqual(["acme", "bluebird"]);
    for (const { id } of await platform.tenants()) {
      await platform.call("PATCH", `/_emulator/tenants/${id}`, { archived: true });
    }
  });

  test("destroy needs no permission, and a stack that never had tenants needs none", async () => {
    await begin();
    await project.writeStackYaml("config: {}\n");
    await project.mustRun(["destroy", "--yes", "--skip-preview"]);
    expect(await names()).toEqual([]);
    const { stdout, stderr } = await project.mustRun(["up", "--yes"]);
    expect(stdout + stderr).not.toMatch(/declares no tenants/);
  });

  test("a project whose program is in another project's folder is never taken for that one", async () => {
    const yaml = await readFile(join(project.directory, "Pulumi.yaml"), "utf8");
    const own = yaml.replace(/^name: .*/, "name: zz").replaceAll(/(program\.mjs|engine\/plugin)/g, "../../$1");
    await project.put("examples/zz/Pulumi.yaml", own);
    const directory = join(project.directory, "examples/zz");
    const inProject = ["--cwd", directory, "--stack", "test"];
    const env = { PULUMI_NODEJS_ROOT_DIRECTORY: directory }; // newer language hosts say so themselves
    const useConfigOfOther = () => copyFile(project.stackFile, join(directory, "Pulumi.test.yaml"));
    await project.writeStackYaml(yamlOf(both));
    await useConfigOfOther();
    await project.mustRun(["stack", "init", "--cwd", directory, "test"]);
    const { stdout: firstOut, stderr: firstErr } = await project.mustRun(["up", "--yes", ...inProject], { env });
    expect(firstOut + firstErr).not.toContain("there is no stack's file");
    platform.clearRequests();

    await project.writeStackYaml("config: {}\n");
    await useConfigOfOther();
    const known = await project.up(inProject, { env });
    expect(known.stdout + known.stderr).toContain("stack test declares no tenants, but its state has 3: acme, ");
    const unknown = await project.up(inProject);
    expect(unknown.stdout + unknown.stderr).toContain("there is no Pulumi.yaml of the project zz in ");
    expect([known.code, unknown.code]).not.toContain(0);
    expect(platform.writes()).toEqual([]);
    expect(await names()).toEqual(["acme", "bluebird", "kelp"]);
    await project.mustRun(["destroy", "--yes", "--skip-preview", ...inProject], { env });
  });
});

/** A folder with this program as `pulumi`. */
async function folderOf(pulumi: string) {
  const path = await mkdtemp(join(tmpdir(), "no-tenants-"));
  await writeFile(join(path, "pulumi"), pulumi, { mode: 0o755 });
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
