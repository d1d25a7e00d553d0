import { readFile, rm, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../output.ts";
import { CommandError } from "../subcommand.ts";

const waitMilliseconds = 5000;
const pauseMilliseconds = 25;

/**
 * Does work while no other process of this machine does work with the same lock. The lock of a process that has died does not
 * count.
 *
 * @param path of the file that is the lock.
 */
export async function withFileLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + waitMilliseconds;
  while (!(await take(path))) {
    if (await isLeftBehind(path)) await rm(path, { force: true });
    else if (performance.now() > deadline) {
      throw new CommandError(
        `another \`pause\` or \`resume\` holds ${path}: wait until it ends. If none is running, delete it`,
      );
    } else await sleep(pauseMilliseconds);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await writeFile(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (cause) {
    if (hasCode(cause, "EEXIST")) return false;
    throw new CommandError(`cannot write ${path}: ${messageOf(cause)}`, { cause });
  }
}

async function isLeftBehind(path: string): Promise<boolean> {
  const pid = Number(await readFile(path, "utf8").catch(() => ""));
  // Empty: its process is about to write its id.
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return hasCode(error, "ESRCH");
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
