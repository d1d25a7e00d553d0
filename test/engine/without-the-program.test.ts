import { cp, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";
import { providerUnderTest } from "./harness/provider-under-test.ts";

const stackYaml = `config:
  integration-platform:tenantDefaults: { integration: crm-to-billing, configs: { region: eu } }
  integration-platform:tenants:
    acme: { metadata: { plan: gold } }
    bluebird: {}
`;

let platform: LivePlatform;
let project: Project;

beforeEach(() =>
  endAfterTests(async (open) => {
    platform = open.use(await openPlatform());
    project = open.use(await createProject({ stackYaml, env: platform.env }));
    await project.mustRun(["up", "--yes", "--skip-preview"]);
  }),
);

test("refreshes and destroys stacks whose program is broken or missing", async () => {
  const program = join(project.directory, "program.mjs");
  await writeFile(program, 'throw new Error("not to be run");');
  await platform.archive("bluebird");
  await project.mustRun(["refresh", "--yes", "--skip-preview"]);
  expect((await project.exportState()).resources.map(({ urn }) => urn.split("::").at(-1))).not.toContain("bluebird");

  await rm(program); // without the file, Pulumi.yaml must not name it
  await writeFile(join(project.directory, "Pulumi.yaml"), "name: integration-platform\nruntime: nodejs\n");
  await project.mustRun(["destroy", "--yes", "--skip-preview"]);
  expect(await platform.tenants()).toEqual([]);
  expect((await project.exportState()).resources).toEqual([]);
});

test("destroys a stack from a folder with only Pulumi.yaml, the stack's file and the installed package", async () => {
  const folder = join(project.directory, "elsewhere");
  await mkdir(join(folder, "node_modules"), { recursive: true });
  await writeFile(join(folder, "Pulumi.yaml"), "name: integration-platform\nruntime: nodejs\n");
  await cp(project.stackFile, join(folder, basename(project.stackFile)));
  const destroy = ["-C", folder, "destroy", "--yes", "--skip-preview", "--stack", project.stack];

  if (providerUnderTest === "native") return await expectDestroyed(destroy); // by the plugin, without the package
  await writeFile(join(folder, "package.json"), "{}"); // the search for the package ends here
  const { code, stdout, stderr } = await project.run(destroy);
  expect(code).not.toBe(0);
  expect(stdout + stderr).toContain("pulumi-integration-platform");
  expect(await platform.tenants()).toHaveLength(2);

  await symlink(project.directory, join(folder, "node_modules/pulumi-integration-platform"));
  await expectDestroyed(destroy);
});

async function expectDestroyed(destroy: readonly string[]) {
  await project.mustRun(destroy);
  expect(await platform.tenants()).toEqual([]);
}
