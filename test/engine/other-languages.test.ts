import { chmod, readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { languageHostFolder } from "../../engine/language-hosts.ts";
import { runCommand } from "../../engine/run-command.ts";
import { providerSchemaFile } from "../../scripts/schemas.ts";
import { writeSdks } from "../../scripts/sdks.ts";
import { preparePython, pythonSetUpSeconds } from "../python/prepare-python.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { encrypt } from "./harness/encrypt.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";

const pluginSource = join(import.meta.dirname, "../../src/plugin/main.ts");
const languages = ["typescript", "yaml", "python", "go"] as const;
type Language = (typeof languages)[number];

const schemaSchema = z.object({ resources: z.record(z.string(), z.object({ description: z.string() })) });
const { resources } = schemaSchema.parse(JSON.parse(await readFile(providerSchemaFile, "utf8")));

// A program in Go is compiled with Pulumi's SDK the first time.
const timeLimitSeconds = 600;
/** What the programs print and the platform holds is the same in all languages. */
const states = new Map<Language, unknown>();

let python: string;
beforeAll(
  async () => {
    python = await preparePython(join(import.meta.dirname, "python-sdk/requirements.txt"));
    for (const language of ["yaml", "python", "go"] as const) await languageHostFolder(language);
  },
  (pythonSetUpSeconds + timeLimitSeconds) * 1000,
);

test.each(languages)(
  "twelve tenants in %s: up, a preview without changes, destroy",
  async (language) => {
    await using platform = await openPlatform();
    await using project = await createProject({
      example: `tenants-in-${language}`,
      stackYaml: "config: {}\n",
      env: platform.env,
    });
    const env = await environmentOf(language, project);
    const run = (...args: string[]) => project.mustRun(args, { env, timeLimitSeconds });
    const [apiToken] = await encrypt(project, "acmes-token");
    await project.writeStackYaml(`config: { twelve-tenants:apiToken: ${apiToken} }\n`);

    await run("up", "--yes", "--skip-preview");
    states.set(language, { ...(await platformState(platform)), outputs: await outputs(project, platform) });
    await run("preview", "--expect-no-changes");
    const { text } = await project.exportState();
    expect(text).toContain('"integration-platform:index:Tenant"');
    expect(text).not.toContain("acmes-token");

    await run("destroy", "--yes", "--skip-preview");
    expect(await platform.tenants()).toEqual([]);
    expect((await platform.tenants({ archived: true })).length).toBe(12);
    expect(project.printed()).not.toContain("acmes-token");
  },
  3 * timeLimitSeconds * 1000,
);

test.each(Object.entries(resources))(
  "the YAML example of %s in the schema",
  async (_, { description }) => {
    const [, program = ""] = /```yaml\n([\s\S]*?)```/.exec(description) ?? [];
    await using platform = await openPlatform();
    await platform.call("POST", "/v2/tenants", { name: "existing", integration_id: 101 });
    await using project = await createProject({
      example: "tenants-in-yaml",
      stackYaml: "config: { twelve-tenants:acmeToken: acmes-token }\n",
      env: platform.env,
    });
    // The tenant that an example looks up must exist.
    const text = program.replace("name: acme\n", "name: existing\n");
    await project.put("Pulumi.yaml", `name: twelve-tenants\nruntime: yaml\n${text}`);
    const env = await environmentOf("yaml", project);

    const { changeSummary } = await project.preview([], { env, timeLimitSeconds });
    const resourcesAndStack = [...program.matchAll(/type: integration-platform:/g)].length + 1;
    expect(changeSummary).toEqual({ create: resourcesAndStack });
  },
  timeLimitSeconds * 1000,
);

test("the platform holds the same after each of them", () => {
  const [first, ...others] = languages.map((language) => states.get(language));
  expect(first).toMatchObject({ tenants: { acme: { configs: { region: "eu", api_token: "acmes-token" } } } });
  for (const other of others) expect(other).toEqual(first);
});

/** All tenants by name with their metadata, without what differs between two platforms: the ids. */
async function platformState(platform: LivePlatform) {
  const acme = await platform.tenant("acme");
  const tenants = (await platform.tenants()).map(async ({ name, integration_id, configs, paused, ...tenant }) => {
    const { user_schedule, integration_release_id, integration_release_channel } = tenant;
    const text = JSON.stringify(configs).replaceAll(`tenant-${acme.id}`, "tenant-acme");
    const metadata = await platform.metadata(name);
    const release = { integration_release_id, integration_release_channel };
    return [name, { integration_id, configs: JSON.parse(text), paused, user_schedule, metadata, ...release }] as const;
  });
  return { tenants: Object.fromEntries(await Promise.all(tenants)) };
}

/** The program's outputs, with the names of the tenants in place of their ids. */
async function outputs(project: Project, platform: LivePlatform): Promise<unknown> {
  const { stdout } = await project.mustRun(["stack", "output", "--json"]);
  const names = new Map((await platform.tenants()).map(({ id, name }) => [id, name]));
  return JSON.parse(stdout, (_, value) => (typeof value === "number" ? names.get(value) : value));
}

/**
 * The environment of a program: PATH with the plugin, the language host and Python, and the SDK for the program, which is
 * written where the example expects it.
 */
async function environmentOf(language: Language, project: Project): Promise<NodeJS.ProcessEnv> {
  const plugin = join(project.directory, "bin/pulumi-resource-integration-platform");
  await project.put("bin/pulumi-resource-integration-platform", `#!/bin/sh\nexec node ${pluginSource} "$@"\n`);
  await chmod(plugin, 0o755);
  const sdks = join(dirname(dirname(project.directory)), "dist/sdk");
  if (language === "go" || language === "python") await writeSdks(sdks, [language]);
  if (language === "python") await installPythonSdk(sdks);
  if (language === "yaml") await renameConfig(project.directory);
  const hosts = language === "typescript" ? [] : [await languageHostFolder(language)];
  return {
    PATH: [dirname(plugin), ...hosts, python, project.env.PATH].join(delimiter),
    PYTHONPATH: join(sdks, "installed"),
    ...(language === "go" && likeOurBuilds),
  };
}

/**
 * The settings of `engine/go-program.ts`. The example's go.mod has the versions of `engine/sdks`, so that Go has compiled
 * most of the packages for the generator of the SDKs already.
 */
const likeOurBuilds = { CGO_ENABLED: "0", GOFLAGS: [process.env.GOFLAGS, "-trimpath"].join(" ").trim() };

async function installPythonSdk(sdks: string): Promise<void> {
  const options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation"];
  const args = ["-m", "pip", "install", ...options, "--target", join(sdks, "installed"), join(sdks, "python")];
  const { code, stderr } = await runCommand(join(python, "python"), args, { timeLimitSeconds });
  if (code !== 0) throw new Error(`The Python SDK was not installed.\n${stderr}`);
}

/** The pinned YAML host is older than the engine, and gets the config only of values below the former key. */
async function renameConfig(directory: string): Promise<void> {
  const file = join(directory, "Pulumi.yaml");
  await writeFile(file, (await readFile(file, "utf8")).replace(/^config:/m, "configuration:"));
}
