// `npm run release-notes -- v1.2.3`: prints the changelog's section of the release, and fails if the tag does not fit.
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { manifestSchema } from "../published-manifest.ts";

const repository = dirname(dirname(import.meta.dirname));

/** The version that a tag names. */
export interface TaggedRelease {
  readonly version: string;
  /** Its section of CHANGELOG.md, without the heading. */
  readonly notes: string;
}

/** The text below the heading of a version. Undefined if the changelog has none. */
export function releaseNotes(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.split("\n", 1)[0]?.trim() === version);
  return section?.slice(section.indexOf("\n")).trim() || undefined;
}

/**
 * The release of a tag.
 *
 * @throws Error if the tag is not `v` and the version of package.json, or if the changelog has no section for the version.
 */
export async function taggedRelease(tag: string): Promise<TaggedRelease> {
  const read = (name: string) => readFile(join(repository, name), "utf8");
  const { version } = manifestSchema.parse(JSON.parse(await read("package.json")));
  if (tag !== `v${version}`) {
    throw new Error(`The tag is "${tag}", but package.json has the version ${version}: tag v${version}.`);
  }
  const notes = releaseNotes(await read("CHANGELOG.md"), version);
  if (notes === undefined) {
    throw new Error(`CHANGELOG.md has no section for ${version}: run npm run changeset:version.`);
  }
  return { version, notes };
}

if (import.meta.main) {
  try {
    console.log((await taggedRelease(process.argv[2] ?? "")).notes);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
