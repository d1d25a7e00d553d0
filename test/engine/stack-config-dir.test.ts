import { appendFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";
import { quickIntegrations } from "./harness/quick-integrations.ts";

// A project whose stacks' files are not beside Pulumi.yaml: the engine reads its program's config from there, so must the program.

let platform: LivePlatform;
let project: Project;
const acme = 'integration-platform:tenants: {"acme":{"integration":"crm-to-billing"}}';
const stackFile = () => join(project.directory, "config/stacks/Pulumi.test.yaml");

beforeAll(() =>
  endAfterTests(async (open) => {
    platform = open.use(await openPlatform({ seed: { integrations: quickIntegrations() } }));
    project = open.use(await createProject({ stackYaml: `config:\n  ${acme}\n`, env: platform.env }));
    await mkdir(dirname(stackFile()), { recursive: true });
    await rename(project.stackFile, stackFile());
    await appendFile(join(project.directory, "Pulumi.yaml"), "\nstackConfigDir: ./config/stacks\n");
    await mkdir(join(project.directory, "docs"));
    await project.mustRun(["up", "--yes", "--skip-preview", "--cwd", "docs"]);
  }),
);
beforeEach(() => platform.clearRequests());

test("an up from a folder below the project finds the stack's file", async () => {
  const { stdout, stderr } = await project.mustRun(["preview", "--expect-no-changes", "--cwd", "docs"]);
  expect(stdout + stderr).not.toContain("there is no stack's file");
  expect((await platform.tenants()).map(({ name }) => name)).toEqual(["acme"]);
});

test.each([
  [
    "a misspelt namespace",
    acme.replace("form:", "from:"),
    "has an unknown namespace, so Pulumi would ignore it; did you mean",
  ],
  ["an unknown setting of a tenant", acme.replace('"}}', '","colour":"red"}}'), "colour: is not a setting of a tenant"],
])("%s is found there with its line, and nothing is archived", async (_, mistake, reason) => {
  const text = await readFile(stackFile(), "utf8");
  await writeFile(stackFile(), text.replace(acme, mistake));
  try {
    const { code, stdout, stderr } = await project.up();
    expect(code).not.toBe(0);
    expect(stdout + stderr).toMatch(/config\/stacks\/Pulumi\.test\.yaml:2:\d+: /);
    expect(stdout + stderr).toContain(reason);
  } finally {
    await writeFile(stackFile(), text);
  }
  expect(platform.writes()).toEqual([]);
});

test("an up whose stack has no file there says so", async () => {
  const text = await readFile(stackFile(), "utf8");
  const elsewhere = join(project.directory, "elsewhere.yaml");
  await writeFile(elsewhere, text);
  await rm(stackFile());
  try {
    const { stdout, stderr } = await project.mustRun(["up", "--yes", "--skip-preview", "--config-file", elsewhere]);
    expect(stdout + stderr).toContain(`there is no stack's file ${stackFile()}`);
    await writeFile(elsewhere, text.replace(acme, acme.replace("form:", "from:")));
    const { code, stdout: out, stderr: err } = await project.up(["--config-file", elsewhere]);
    expect(code).not.toBe(0);
    expect(out + err).toContain("integration-platfrom:tenants: has an unknown namespace");
  } finally {
    await writeFile(stackFile(), text);
  }
  expect(platform.writes()).toEqual([]);
});
