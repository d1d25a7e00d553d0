// `npm run record-upgrade [-- <folder>]`: stores what a version leaves behind, for test/engine/upgrades.test.ts. The folder has
// the files of a release, such as `dist/release`. Default: this clone's sources are packed.
import { existsSync } from "node:fs";
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import { packPackage } from "../../scripts/pack.ts";
import { packPlugin } from "../../scripts/plugin/pack-plugin.ts";
import type { SeedTenant } from "../../src/emulator/index.ts";
import { runMain } from "../command-line.ts";
import type { Project } from "../engine/harness/create-project.ts";
import { openPlatform } from "../engine/harness/live-platform.ts";
import { runIn } from "../engine/harness/packed-package.ts";
import { type ProviderName, providerNames } from "../engine/harness/provider-under-test.ts";
import { quickIntegrations } from "../engine/harness/quick-integrations.ts";
import { recordFiles, recordsFolder } from "./records.ts";
import { type InstalledPackage, installPackage, openUpgradeProject, referredToken, token } from "./upgrade-project.ts";

/** Tenants that are there before the program: it refers to the first by its id, and takes over the others by name. */
const tenants: SeedTenant[] = ["umbrella", "dune", "ember"].map((name, index) => ({
  id: 4001 + index,
  integration: "crm-to-billing",
  name,
  user_name: name,
  paused: false,
  status: { auth: { connected: true, connectors: [] } },
}));

/** The outputs of a stack in which nothing waits. */
const finishedSchema = z.looseObject({ phase: z.literal("done"), outcome: z.literal("succeeded") });

await runMain(async () => {
  await using open = new AsyncDisposableStack();
  const place = await mkdtemp(join(tmpdir(), "integration-platform-record-"));
  open.defer(() => rm(place, { recursive: true, force: true }));

  const [given] = process.argv.slice(2);
  const { tarball, archive, version } = await filesOf(given === undefined ? await packSources(place) : resolve(given));
  const target = join(recordsFolder, version);
  if (existsSync(target)) throw new Error(`There is a record of ${version}. Remove ${target} to make it again.`);

  const plugin = join(place, "plugin");
  await mkdir(plugin);
  await runIn(plugin, "tar", "-xzf", archive);
  const installed = open.use(await installPackage(tarball));
  const record = join(place, "record");
  await mkdir(record);
  await copyFile(join(import.meta.dirname, "program.js"), join(record, "program.js"));
  for (const provider of providerNames) await recordOn(provider, { installed, plugin, place, record });
  await cp(record, target, { recursive: true });
  console.log(`The record of ${version} is in ${target}.`);
});

async function packSources(place: string): Promise<string> {
  const destination = join(place, "packed");
  await packPackage({ destination, buildDirectory: join(place, "package") });
  await packPlugin(destination);
  return destination;
}

/** The tarball of the package and the archive of the plugin among the files of a release. */
async function filesOf(release: string) {
  const names = await readdir(release);
  const versions = names.flatMap((name) => /^pulumi-integration-platform-(\d.*)\.tgz$/.exec(name)?.[1] ?? []);
  const [version, ...others] = versions;
  if (version === undefined || others.length > 0) {
    throw new Error(`${release} has ${versions.length} tarballs of the package; it must have one.`);
  }
  return {
    version,
    tarball: join(release, `pulumi-integration-platform-${version}.tgz`),
    archive: join(release, `pulumi-resource-integration-platform-v${version}.tar.gz`),
  };
}

interface Recording {
  readonly installed: InstalledPackage;
  /** The folder of the provider plugin. */
  readonly plugin: string;
  /** A folder for the data of the running emulator. */
  readonly place: string;
  /** The folder of the record, with program.js. */
  readonly record: string;
}

/** Brings up the program on a new platform, and stores the stack and the platform's data. */
async function recordOn(provider: ProviderName, { installed, plugin, place, record }: Recording): Promise<void> {
  const program = await readFile(join(record, "program.js"), "utf8");
  await using project = await openUpgradeProject(installed, { provider, program, plugin });
  const data = join(place, `platform-${provider}`);
  const state = await bringUp(project, data);
  for (const text of [token, referredToken, project.directory]) {
    if (state.includes(text)) throw new Error(`The state on the ${provider} provider contains "${text}".`);
  }
  const folder = join(record, provider);
  await mkdir(folder);
  await writeFile(join(folder, recordFiles.state), state);
  await copyFile(project.stackFile, join(folder, recordFiles.stackFile));
  await copyFile(join(data, recordFiles.platform), join(folder, recordFiles.platform));
}

/**
 * Brings up the project until nothing is left to do.
 *
 * @returns the exported state. The emulator has ended by then, so its database is whole in one file.
 */
async function bringUp(project: Project, data: string): Promise<string> {
  await using platform = await openPlatform({ data, seed: { integrations: quickIntegrations(), tenants } });
  const { url, apiKey } = platform.emulator;
  await project.mustRun(["config", "set", "region", "eu"]);
  await project.mustRun(["config", "set", "--secret", "token", token]);
  await project.mustRun(["config", "set", "integration-platform:baseUrl", url]);
  await project.mustRun(["config", "set", "--secret", "integration-platform:apiKey", apiKey]);
  // a rollout that had to wait in the first up is finished by the second
  for (let count = 0; count < 2; count += 1) await project.mustRun(["up", "--yes", "--skip-preview"]);
  await project.mustRun(["preview", "--refresh", "--expect-no-changes"]);
  const { stdout } = await project.mustRun(["stack", "output", "--json"]);
  finishedSchema.parse(JSON.parse(stdout));
  return (await project.exportState()).text;
}
