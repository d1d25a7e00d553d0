import { appendFile, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeCloneOfSources } from "./harness/clone-of-sources.ts";
import { createProject } from "./harness/create-project.ts";
import { openPlatform } from "./harness/live-platform.ts";
import { runIn } from "./harness/packed-package.ts";

test("the program of a clone is built once for the same sources, and again for others", async () => {
  await using clone = await makeCloneOfSources();
  const first = await build(clone.path);
  const { mtimeMs } = await stat(first);
  expect(await build(clone.path)).toBe(first);
  expect((await stat(first)).mtimeMs).toBe(mtimeMs);

  await appendFile(join(clone.path, "src/stack/program/stack.ts"), '\nconsole.error("changed");\n');
  const second = await build(clone.path);
  expect(second).not.toBe(first);
  expect(await readFile(second, "utf8")).toContain('console.error("changed")');
});

test("a program that cannot be built is run from its sources", async () => {
  await using clone = await makeCloneOfSources();
  const cache = join(clone.path, "node_modules/.cache/stack-program");
  await mkdir(join(cache, ".."));
  await writeFile(cache, "no folder can be made here");
  expect(await build(clone.path)).toBe(join(clone.path, "src/program.ts"));

  await rm(cache);
  await appendFile(join(clone.path, "src/program.ts"), "\nconst = a mistake;\n");
  expect(await build(clone.path)).toBe(join(clone.path, "src/program.ts"));
});

test.for(["dynamic", "native"] as const)("a stack on the %s provider is the same, bundled or not", async (provider) => {
  await using platform = await openPlatform();
  const stackYaml = `config:
  integration-platform:builds: { v9: { integration: crm-to-billing, tag: v9.9.9 } }
  integration-platform:tenantDefaults: { integration: crm-to-billing, configs: { region: eu } }
  integration-platform:tenants:
    acme: { release: { build: v9 }, metadata: { plan: gold }, sync: { mode: init, on: [configs] } }
  integration-platform:fleets:
    billing: { integration: crm-to-billing, tenants: { cedar: {}, dune: { name: dune-corp } } }
`;
  await using project = await createProject({ stackYaml, env: platform.env, provider });
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  const bundled = await registered();

  const projectYaml = await readFile(join(project.directory, "Pulumi.yaml"), "utf8");
  expect(projectYaml).toContain("main: program.mjs");
  await project.put("Pulumi.yaml", projectYaml.replace("main: program.mjs", "main: src/program.ts"));
  await project.mustRun(["up", "--yes", "--skip-preview", "--expect-no-changes"]);
  expect(await registered()).toEqual(bundled);

  async function registered() {
    const { resources } = await project.exportState();
    expect(resources.length).toBeGreaterThanOrEqual(5);
    return Object.fromEntries(resources.map(({ urn, inputs, outputs }) => [urn, { inputs, outputs }]));
  }
});

/** The path of the program of a clone, as its program.mjs imports it. */
async function build(clone: string): Promise<string> {
  const print =
    'const { builtProgram } = await import("./engine/built-program.ts"); console.log(await builtProgram());';
  return (await runIn(clone, process.execPath, "--input-type=module", "--eval", print)).trim();
}
