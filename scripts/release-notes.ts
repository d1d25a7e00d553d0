// `npm run release-notes -- v1.2.3`: prints the changelog's section of the release, and fails if the tag does not fit.
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { manifestSchema } from "./published-manifest.ts";

/** The text below the heading of a version. Undefined if the changelog has none. */
export function releaseNotes(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.split("\n", 1)[0]?.trim() === version);
  return section?.slice(section.indexOf("\n")).trim() || undefined;
}

if (import.meta.main) {
  const [tag] = process.argv.slice(2);
  const repository = dirname(import.meta.dirname);
  const read = (name: string) => readFile(join(repository, name), "utf8");
  const { version } = manifestSchema.parse(JSON.parse(await read("package.json")));
  if (tag !== `v${version}`) fail(`The tag is ${tag}, but package.json has the version ${version}: tag v${version}.`);
  const notes = releaseNotes(await read("CHANGELOG.md"), version);
  console.log(notes ?? fail(`CHANGELOG.md has no section for ${version}: run npm run changeset:version.`));
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
