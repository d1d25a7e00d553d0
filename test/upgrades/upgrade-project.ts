import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProject, type Project } from "../engine/harness/create-project.ts";
import { runIn } from "../engine/harness/packed-package.ts";
import { type ProviderName, programOn } from "../engine/harness/provider-under-test.ts";

/** The secret of the stack's config `upgrades:token`, encrypted in the stack's file of each record. */
export const token = "plain-token-of-the-config";

/** The secret to which the program refers. The records were made with it. */
export const referredToken = "plain-token-of-the-environment";

/** A folder with an installed tarball of this package. The projects in it find the package there. */
export interface InstalledPackage extends AsyncDisposable {
  readonly folder: string;
}

/** Installs a tarball of this package with npm, as a user does. */
export async function installPackage(tarball: string): Promise<InstalledPackage> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "integration-platform-upgrades-")));
  await writeFile(join(folder, "package.json"), "{}");
  const packages = [tarball, "@pulumi/pulumi@3.270.0"];
  await runIn(folder, "npm", "install", "--prefer-offline", "--no-audit", "--no-fund", ...packages);
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }) };
}

export interface UpgradeProjectOptions {
  readonly provider: ProviderName;
  /** The text of program.js, of this version or of a record. */
  readonly program: string;
  /** The folder of the provider plugin. */
  readonly plugin: string;
}

/** A project in the folder of an installed package, with an empty stack. Its name is part of the URNs in the records. */
export async function openUpgradeProject(
  installed: InstalledPackage,
  { provider, program, plugin }: UpgradeProjectOptions,
): Promise<Project> {
  const folder = await mkdtemp(join(installed.folder, `${provider}-`));
  const projectFile = {
    name: "upgrades",
    main: "program.js",
    runtime: { name: "nodejs", options: { typescript: false } },
    plugins: { providers: [{ name: "integration-platform", path: plugin }] },
  };
  const files = {
    "package.json": JSON.stringify({ type: "module" }),
    "program.js": programOn(provider, program),
    "Pulumi.yaml": JSON.stringify(projectFile),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return createProject({ folder, provider, stackYaml: "config: {}\n", env: { UPGRADES_TOKEN: referredToken } });
}
