import { globSync } from "node:fs";
import { chmod, copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { manifestSchema } from "../published-manifest.ts";
import { bundlePlugin } from "./bundle-plugin.ts";
import { launchers } from "./launchers.ts";
import { notice } from "./notice.ts";

const repository = dirname(dirname(import.meta.dirname));

/** What is copied into the plugin's folder, under the last part of its path. */
const copied = ["src/plugin/schema.json", "LICENSE"];

/** What decides what is in the plugin's folder, besides the sources in the bundle. Relative to the repository. */
const recipe = [
  "package.json",
  "scripts/entry-points.ts",
  ...globSync("scripts/plugin/*.ts", { cwd: repository }),
  "src/receiver/infrastructure/bundle-lambda.ts",
  ...copied,
];

/**
 * Writes the plugin as it is installed: the bundle, the schema, and what starts it. It needs nothing but Node.js.
 *
 * @returns the files that it was made from, relative to the repository.
 */
export async function writePlugin(folder: string): Promise<string[]> {
  const { engines } = manifestSchema.parse(JSON.parse(await readFile(join(repository, "package.json"), "utf8")));
  const { modules, sources } = await bundlePlugin();
  await mkdir(folder, { recursive: true });
  for (const [name, code] of Object.entries(modules)) await writeFile(join(folder, name), code);
  await writeFile(join(folder, "NOTICE"), await notice(sources));
  for (const file of copied) await copyFile(join(repository, file), join(folder, file.replace(/^.*\//, "")));
  for (const [name, text] of Object.entries(launchers(engines.node))) {
    await writeFile(join(folder, name), text);
    if (!name.endsWith(".cjs")) await chmod(join(folder, name), 0o755);
  }
  return [...new Set([...sources, ...recipe])].sort();
}
