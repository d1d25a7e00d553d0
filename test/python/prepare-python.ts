import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { withLock } from "../../engine/lock.mjs";

/** How long `preparePython` may take, when nothing is cached. */
export const pythonSetUpSeconds = 400;

/**
 * A Python environment with what `requirements` pins, made once and kept outside the clone, under the user's cache
 * folder. Answers the folder of its programs.
 *
 * @param requirements the path of a file that pins every package, those that others need among them.
 * @throws Error when there is no Python 3 with `venv`, or the packages cannot be had.
 */
export async function preparePython(requirements: string): Promise<string> {
  const digest = createHash("sha256").update(readFileSync(requirements)).digest("hex").slice(0, 16);
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  const environment = join(cache, "pulumi-integration-platform/python", digest);
  const programs = join(environment, "bin");
  // Written last, so that an environment that was cut short is not taken for a whole one.
  const wholeMark = join(environment, "is-whole");
  if (existsSync(wholeMark)) return programs;
  await mkdir(dirname(environment), { recursive: true });
  return withLock(`${environment}.lock`, {
    work: async () => {
      if (!existsSync(wholeMark)) await make(environment, requirements);
      await writeFile(wholeMark, "");
      return programs;
    },
  });
}

async function make(environment: string, requirements: string): Promise<void> {
  console.log(`Making a Python environment for ${basename(dirname(requirements))} (a minute or so, once) ...`);
  await rm(environment, { recursive: true, force: true });
  await run("python3", ["-m", "venv", environment]);
  const quiet = ["--quiet", "--disable-pip-version-check", "--no-input", "--no-deps"];
  await run(join(environment, "bin/python"), ["-m", "pip", "install", ...quiet, "--requirement", requirements]);
}

async function run(program: string, args: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)(program, [...args], { timeout: (pythonSetUpSeconds / 2) * 1000 });
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`This test needs Python 3 with venv and pip: ${said}`, { cause });
  }
}
