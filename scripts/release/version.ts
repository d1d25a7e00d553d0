// `npm run changeset:version`: turns the waiting changesets into the next version and its section of CHANGELOG.md, and writes
// the version into the files that name it.
import { glob, readFile, writeFile } from "node:fs/promises";
import { runCommand } from "../../engine/run-command.ts";
import { manifestSchema } from "../published-manifest.ts";

/** The version in the name of a packed file: the tarball, or the plugin's archive, also the one for a single system. */
const packedFile =
  /(pulumi-integration-platform-|pulumi-resource-integration-platform-v)\d[\w.-]*?(?=(?:-[a-z]+-[a-z]+\d+)?\.(?:tgz|tar\.gz))/g;
const pluginInstallation = /(plugin install resource integration-platform )\d[\w.-]*/g;

await mustRun("changeset", "version");
const { version } = manifestSchema.parse(JSON.parse(await readFile("package.json", "utf8")));
// changeset leaves the lock file alone.
await mustRun("npm", "version", version, "--allow-same-version", "--no-git-tag-version", "--ignore-scripts");
await rewrite("src/plugin/schema.json", withSchemaVersion);
for await (const file of glob(["README.md", "docs/**/*.md"])) await rewrite(file, withVersion);
console.log(`Version ${version}. Read CHANGELOG.md, commit, and tag the commit v${version}.`);

async function mustRun(command: string, ...args: string[]): Promise<void> {
  const { code, stdout, stderr } = await runCommand(command, args, { timeLimitSeconds: 120 });
  if (code === 0) return;
  console.error(`${command} ${args.join(" ")} failed.\n${stdout}${stderr}`);
  process.exit(1);
}

async function rewrite(file: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(file, "utf8");
  const changed = change(text);
  if (changed !== text) await writeFile(file, changed);
}

/** The plugin's schema with the version at its top level, as `npm run schemas` writes it. */
function withSchemaVersion(schema: string): string {
  return `${JSON.stringify({ ...JSON.parse(schema), version }, null, 2)}\n`;
}

/** A document with the version in the names of packed files, and in the command that installs the plugin. */
function withVersion(document: string): string {
  return document.replace(packedFile, `$1${version}`).replace(pluginInstallation, `$1${version}`);
}
