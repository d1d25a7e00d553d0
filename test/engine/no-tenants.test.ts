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
const open = () =>
  endAfterTests(async (opened) => {
    platform = opened.use(await openPlatform({ seed: { integrations: quickIntegrations() } }));
    project = opened.use(await createProject({ stackYaml: "config: {}\n", env: platform.env }));
  });
const fleet = { integration: "crm-to-billing", tenants: { bluebird: {}, kelp: {} } };
const both = { tenants: { acme: { integration: "crm-to-billing" } }, fleets: { billing: fleet } };
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

describe("the state of one stack, whose tenants stay", () => {
  const many = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`t${index}`, {}]));

  beforeAll(async () => {
    await open();
    await begin({ ...both, fleets: { billing: { ...fleet, tenants: many } } });
  });

  test.each([
    ["nothing", {}, ["up", "--yes"]], // its preview is refused
    ["a fleet without tenants", { fleets: { billing: { ...fleet, tenants: {} } } }, ["up", "--yes", "--skip-preview"]],
    ["only defaults", { tenantDefaults: { integration: "crm-to-billing" } }, ["preview"]],
    [
      "no tenants, and does not allow that",
      { tenants: {}, allowNoTenants: false },
      ["up", "--yes", "--skip-preview", "--refresh"],
    ],
    ["nothing in the file that is given", undefined, ["up", "--yes", "--skip-preview", "--config-file", "empty.yaml"]],
  ])("a stack that declares %s is refused, and nothing is archived", async (_, config, args) => {
    await project.put("empty.yaml", "config: {}\n");
    if (config !== undefined) await project.writeStackYaml(yamlOf(config));
    const before = await urns();
    const { code, stdout, stderr } = await project.run(args);
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain(
      "stack test declares no tenants, but its state has 9: acme, t0 of fleet billing, t1 of fleet billing, " +
        "t2 of fleet billing, t3 of fleet billing and 4 more. " +
        "`up` would archive all of them, which cannot be undone. Nothing has been changed. Check that this is the right stack, " +
        "and that its config has integration-platform:tenants or integration-platform:fleets. To archive them all, set " +
        "integration-platform:allowNoTenants: true in its config for one `up`",
    );
    expect(platform.writes()).toEqual([]);
    expect(await urns()).toEqual(before);
    expect(await platform.tenants()).toHaveLength(9);
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
  beforeEach(open);

  // in-process stories have the boolean
  test('allowNoTenants: "true" archives all of them', async () => {
    await begin();
    await project.writeStackYaml(yamlOf({ allowNoTenants: "true" }));
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect(await names()).toEqual([]);
  });

  test("tenants that stay on the platform may all be removed", async () => {
    const retained = { integration: "crm-to-billing", retainOnDelete: true };
    await begin({ tenants: { acme: retained }, fleets: { billing: { ...retained, tenants: { bluebird: {} } } } });
    await project.writeStackYaml("config: {}\n");
    await project.mustRun(["up", "--yes"]);
    expect(await names()).toEqual(["acme", "bluebird"]);
  });

  test("destroy needs no permission, and a stack that never had tenants needs none", async () => {
    await begin();
    await project.writeStackYaml("config: {}\n");
    await project.mustRun(["destroy", "--yes", "--skip-preview"]);
    expect(await names()).toEqual([]);
    const { stdout, stderr } = await project.mustRun(["up", "--yes", "--skip-preview"]);
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
    const first = ["up", "--yes", "--skip-preview", ...inProject];
    const { stdout: firstOut, stderr: firstErr } = await project.mustRun(first, { env });
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
  });
});

/** A folder with this program as `pulumi`. */
async function folderOf(pulumi: string) {
  const path = await mkdtemp(join(tmpdir(), "no-tenants-"));
  await writeFile(join(path, "pulumi"), pulumi, { mode: 0o755 });
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
