// `npm run changeset:version`: turns the waiting changesets into the next version and its section of CHANGELOG.md.
import { readFile, writeFile } from "node:fs/promises";
import { runCommand } from "../engine/run-command.ts";
import { manifestSchema } from "./published-manifest.ts";

await mustRun("changeset", "version");
const { version } = manifestSchema.parse(JSON.parse(await readFile("package.json", "utf8")));
// changeset leaves the lock file alone.
await mustRun("npm", "version", version, "--allow-same-version", "--no-git-tag-version", "--ignore-scripts");
const readme = await readFile("README.md", "utf8");
await writeFile("README.md", readme.replace(/(pulumi-integration-platform-)[\w.-]+(?=\.tgz)/g, `$1${version}`));
console.log(`Version ${version}. Read CHANGELOG.md, commit, and tag the commit v${version}.`);

async function mustRun(command: string, ...args: string[]): Promise<void> {
  const { code, stdout, stderr } = await runCommand(command, args, { timeLimitSeconds: 120 });
  if (code === 0) return;
  console.error(`${command} ${args.join(" ")} failed.\n${stdout}${stderr}`);
  process.exit(1);
}
