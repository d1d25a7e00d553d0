import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { withLock } from "./lock.mjs";

const repository = dirname(import.meta.dirname);

/** What is built from this clone's sources when it is used. */
export interface Build {
  /** Its folder in `node_modules/.cache`. */
  readonly name: string;
  /** Writes the result to a new folder. Answers the files that it was made from, relative to the repository. */
  write(folder: string): Promise<readonly string[]>;
}

/**
 * The folder with the result, built from this clone's sources: once for the same sources. That it is there already takes some
 * milliseconds to find out, a build less than a second.
 */
export async function builtFromSources({ name, write }: Build): Promise<string> {
  const cache = join(repository, "node_modules/.cache", name);
  const found = currentBuild(cache);
  if (found !== undefined) return found;
  await mkdir(cache, { recursive: true });
  return withLock(join(cache, "lock"), { work: async () => currentBuild(cache) ?? build(cache, write) });
}

function currentBuild(cache: string): string | undefined {
  if (!existsSync(sourcesFile(cache))) return undefined;
  const folder = join(cache, digestOf(JSON.parse(readFileSync(sourcesFile(cache), "utf8"))));
  return existsSync(folder) ? folder : undefined;
}

async function build(cache: string, write: Build["write"]): Promise<string> {
  const partial = join(cache, "partial");
  await rm(partial, { recursive: true, force: true });
  const sources = await write(partial);
  const folder = join(cache, digestOf(sources));
  await rm(folder, { recursive: true, force: true });
  await rename(partial, folder);
  await writeFile(`${sourcesFile(cache)}.new`, JSON.stringify(sources));
  await rename(`${sourcesFile(cache)}.new`, sourcesFile(cache));
  return folder;
}

/** The files that the last build was made from, which a change of one of them may change. */
function sourcesFile(cache: string): string {
  return join(cache, "sources.json");
}

/** Where the sources are counts too, because the result may name them. */
function digestOf(files: readonly string[]): string {
  const hash = createHash("sha256").update(`${repository}\0`);
  for (const file of files) hash.update(`${file}\0`).update(contentOf(join(repository, file)));
  return hash.digest("hex").slice(0, 16);
}

function contentOf(path: string): string | Uint8Array {
  try {
    return readFileSync(path);
  } catch {
    return "removed";
  }
}
