// `npm run release -- --dry-run` makes all files of the next release from the last commit, and publishes nothing.
// `npm run release -- --tag v1.2.3` makes the files of the version that the tag names, which is what the release workflow runs.
// Both print what they have written to `dist/release`; `--folder` names another folder.
import { readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { table } from "../../src/cli/fit.ts";
import { messageOf } from "../../src/cli/output.ts";
import { makeNextRelease, type NextRelease } from "./dry-run.ts";
import { makeReleaseFiles } from "./make-files.ts";
import { taggedRelease } from "./release-notes.ts";

const usage = "Usage: npm run release -- --dry-run | --tag v1.2.3";

try {
  await main();
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { "dry-run": isDryRun, tag, folder: named } = optionsOf(process.argv.slice(2));
  const folder = resolve(named ?? join(dirname(dirname(import.meta.dirname)), "dist/release"));
  if (isDryRun === (tag !== undefined)) throw new Error(usage);
  if (tag === undefined) {
    console.log(nextSteps(await makeNextRelease(folder)));
    return;
  }
  await makeReleaseFiles({ ...(await taggedRelease(tag)), folder });
  console.log(`${await fileTable(folder)}\nThe files of ${tag} are in ${folder}.`);
}

function optionsOf(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        "dry-run": { type: "boolean", default: false },
        tag: { type: "string" },
        folder: { type: "string" },
      },
    });
    return values;
  } catch (error) {
    throw new Error(`${messageOf(error)}\n${usage}`, { cause: error });
  }
}

async function fileTable(folder: string): Promise<string> {
  const names = (await readdir(folder)).sort();
  const rows = await Promise.all(names.map(async (name) => [name, kilobytes((await stat(join(folder, name))).size)]));
  return table([["File", "Size"], ...rows]);
}

function kilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1000)} kB`;
}

/** What is left to do for a release, after the dry run has made its files. */
function nextSteps({ version, hasChangesets, leavesOutChanges }: NextRelease): string {
  const lines = [
    "",
    "Nothing was published, and no file of this clone was changed.",
    ...(leavesOutChanges ? ["Changes that are not committed are not part of these files."] : []),
    ...(hasChangesets ? [] : [`No changesets are waiting: these are the files of ${version}, the present version.`]),
    "",
    `To release ${version}:`,
    ...(hasChangesets ? ["  npm run changeset:version, and commit what it changes in a pull request"] : []),
    `  git tag v${version} && git push origin v${version}`,
    "The workflow release.yaml then tests the commit, makes the files again, and publishes them:",
    `  npm publish pulumi-integration-platform-${version}.tgz --provenance`,
    `  gh release create v${version} --notes-file release-notes.md, with all files above`,
  ];
  return lines.join("\n");
}
