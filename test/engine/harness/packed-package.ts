import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { withLock } from "../../../engine/lock.mjs";
import { runCommand } from "../../../engine/run-command.ts";
import { packPackage } from "../../../scripts/pack.ts";

const repository = join(import.meta.dirname, "../../..");
const cache = join(repository, "node_modules/.cache/packed-package");

/** The path of the packed package. It is packed once for the same sources, whichever tests need it. */
export async function packedPackage(): Promise<string> {
  await mkdir(cache, { recursive: true });
  return withLock(join(cache, "lock"), {
    work: async () => {
      const folder = join(cache, await digestOfSources());
      const done = join(folder, "packed.tgz");
      if (existsSync(done)) return done;
      const work = join(folder, "work");
      await rename(await packPackage({ destination: work, buildDirectory: join(work, "package") }), done);
      await rm(work, { recursive: true });
      return done;
    },
  });
}

/**
 * Runs a program as a user of the package would: without the variables of the npm that runs this test. Answers what it
 * printed to standard output.
 */
export async function runIn(folder: string, command: string, ...args: string[]): Promise<string> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  const { code, stdout, stderr } = await runCommand(command, args, { cwd: folder, env, timeLimitSeconds: 400 });
  if (code !== 0) throw new Error(`${basename(command)} ${args.join(" ")} ended with ${code}:\n${stdout}\n${stderr}`);
  return stdout;
}

async function digestOfSources(): Promise<string> {
  const inputs = ["src", "docs", "scripts", "*.md", "LICENSE", "package.json", "package-lock.json", "tsconfig*.json"];
  const args = ["ls-files", "-co", "--exclude-standard", "--deduplicate", ...inputs];
  const { stdout } = await promisify(execFile)("git", args, { cwd: repository });
  const hash = createHash("sha256");
  for (const file of stdout.trim().split("\n").sort()) {
    hash.update(`${file}\0`).update(await readFile(join(repository, file)).catch(() => "removed"));
  }
  return hash.digest("hex").slice(0, 16);
}
