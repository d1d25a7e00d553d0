import { mkdir, readFile, rm, symlink } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { passThrough } from "../../engine/pass-through.mjs";
import { runCommand } from "../../engine/run-command.ts";
import { manifestSchema } from "../published-manifest.ts";

const repository = dirname(dirname(import.meta.dirname));

/** The copy of the last commit. It is inside this clone, so that modules resolve to this clone's packages, and git ignores it. */
const copy = join(repository, "dist/release-copy");

/** The release that would come next. */
export interface NextRelease {
  readonly version: string;
  /** Whether changesets were waiting. Without any, the version is the one that package.json has already. */
  readonly hasChangesets: boolean;
  /** Whether the clone has changes that are not committed, and so are not part of the release. */
  readonly leavesOutChanges: boolean;
}

/**
 * Makes the files of the next release from the last commit. It does what a release does: the version and the changelog from
 * the changesets, and then what the workflow runs for the version's tag. All of this happens in a copy, which is removed.
 *
 * @param folder for the files.
 */
export async function makeNextRelease(folder: string): Promise<NextRelease> {
  try {
    await copyLastCommit();
    const before = await versionOfCopy();
    await mustRun(process.execPath, ["scripts/release/version.ts"], copy);
    const version = await versionOfCopy();
    const args = ["scripts/release/main.ts", "--tag", `v${version}`, "--folder", folder];
    const code = await passThrough(process.execPath, args, { cwd: copy, env: environment() });
    if (code !== 0) throw new Error(`The files of ${version} cannot be made.`);
    const status = await mustRun("git", ["status", "--porcelain"], repository);
    return { version, hasChangesets: version !== before, leavesOutChanges: status !== "" };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function copyLastCommit(): Promise<void> {
  await rm(copy, { recursive: true, force: true });
  await mkdir(dirname(copy), { recursive: true });
  await mustRun("git", ["clone", "--quiet", "--shared", repository, copy], repository);
  await symlink("../../node_modules", join(copy, "node_modules"));
}

async function versionOfCopy(): Promise<string> {
  return manifestSchema.parse(JSON.parse(await readFile(join(copy, "package.json"), "utf8"))).version;
}

async function mustRun(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await runCommand(command, args, { cwd, env: environment(), timeLimitSeconds: 300 });
  if (code !== 0) throw new Error(`${[command, ...args].join(" ")} failed.\n${stdout}${stderr}`);
  return stdout;
}

/** With the programs of the packages on PATH, and without the folder in which npm has started this script. */
function environment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_config_(local_|global_)?prefix$/i.test(name));
  const path = [join(copy, "node_modules/.bin"), process.env.PATH ?? ""].join(delimiter);
  return { ...Object.fromEntries(inherited), PATH: path };
}
