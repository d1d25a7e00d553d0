import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

const repository = dirname(dirname(import.meta.dirname));

/**
 * The licenses of the packages in a bundle, as they ask for them to come with every copy.
 *
 * @param sources the files of the bundle, relative to the repository.
 */
export async function notice(sources: readonly string[]): Promise<string> {
  const folders = [...new Set(sources.flatMap((file) => packageFolder.exec(file) ?? []))].sort();
  const sections = await Promise.all(folders.map(section));
  return [heading, ...sections].join(`\n${"-".repeat(80)}\n\n`);
}

const packageFolder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

const heading = "The plugin contains these packages.\n";

async function section(folder: string): Promise<string> {
  const path = join(repository, folder);
  const { name, version, license } = JSON.parse(await readFile(join(path, "package.json"), "utf8"));
  const files = (await readdir(path)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(path, file), "utf8")));
  return `${[`${name} ${version} (${license})`, ...texts.map((text) => text.trim())].join("\n\n")}\n`;
}
