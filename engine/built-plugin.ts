import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { withLock } from "./lock.mjs";

const repository = dirname(import.meta.dirname);
const cache = join(repository, "node_modules/.cache/plugin");

/** The files that the last build was made from, which a change of one of them may change. */
const sourcesFile = join(cache, "sources.json");

/**
 * The folder with the provider plugin as it is installed, built from this clone's sources: once for the same sources. That it
 * is there already takes some milliseconds to find out, a build less than a second.
 */
export async function builtPlugin(): Promise<string> {
  const found = await currentBuild();
  if (found !== undefined) return found;
  await mkdir(cache, { recursive: true });
  return withLock(join(cache, "lock"), { work: async () => (await currentBuild()) ?? build() });
}

async function currentBuild(): Promise<string | undefined> {
  const text = await readFile(sourcesFile, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const folder = join(cache, await digestOf(JSON.parse(text)));
  return existsSync(folder) ? folder : undefined;
}

async function build(): Promise<string> {
  const { writePlugin } = await import("../scripts/plugin/write-plugin.ts"); // esbuild is loaded only for a build
  const partial = join(cache, "partial");
  await rm(partial, { recursive: true, force: true });
  const sources = await writePlugin(partial);
  const folder = join(cache, await digestOf(sources));
  await rm(folder, { recursive: true, force: true });
  await rename(partial, folder);
  await writeFile(`${sourcesFile}.new`, JSON.stringify(sources));
  await rename(`${sourcesFile}.new`, sourcesFile);
  return folder;
}

async function digestOf(files: readonly string[]): Promise<string> {
  const contents = await Promise.all(files.map((file) => readFile(join(repository, file)).catch(() => "removed")));
  const hash = createHash("sha256");
  for (const [index, file] of files.entries()) hash.update(`${file}\0`).update(contents[index] ?? "");
  return hash.digest("hex").slice(0, 16);
}
