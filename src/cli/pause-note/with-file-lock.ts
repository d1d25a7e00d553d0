import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createFile, hasCode, messageOf } from "../output.ts";
import { printToStandardError, type Shell } from "../shell.ts";
import { CommandError } from "../subcommand.ts";

/** The command that holds the lock may list thousands of tenants. */
const waitSeconds = 60;
/** A shorter wait is not announced. */
const quietMilliseconds = 1000;
const pauseMilliseconds = 25;

/**
 * Does work while no other command on this machine does work with the same lock. Waits for the other command, and says so. The
 * lock of a process that has died does not count.
 *
 * @param path of the file that is the lock.
 * @throws CommandError if the other command holds the lock for too long.
 */
export async function withFileLock<Result>(shell: Shell, path: string, work: () => Promise<Result>): Promise<Result> {
  const begun = performance.now();
  let isAnnounced = false;
  while (!(await take(path))) {
    if (await removeLeftBehind(path)) continue;
    const waited = performance.now() - begun;
    if (waited > waitSeconds * 1000) {
      throw new CommandError(
        `another \`pause\` or \`resume\` holds ${path} for more than ${waitSeconds} s: ` +
          "run the same command again when the other one has ended. If none is running, delete this file",
      );
    }
    if (!isAnnounced && waited > quietMilliseconds) {
      printToStandardError(shell, `Another \`pause\` or \`resume\` holds ${path}: waiting for up to ${waitSeconds} s.`);
      isAnnounced = true;
    }
    await sleep(pauseMilliseconds);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await createFile(path, String(process.pid));
    return true;
  } catch (cause) {
    if (hasCode(cause, "EEXIST")) return false;
    throw new CommandError(`cannot write ${path}: ${messageOf(cause)}`, { cause });
  }
}

/** Removes the lock of a process that has died. Returns whether it did. */
async function removeLeftBehind(path: string): Promise<boolean> {
  const holder = await readFile(path, "utf8").catch(() => "");
  if (!hasDied(holder)) return false;
  const aside = `${path}.${randomUUID()}`;
  const isMoved = await rename(path, aside).then(
    () => true,
    () => false,
  );
  if (!isMoved) return false;
  // Another command may have removed the old lock in the meantime and taken its own: that one is put back.
  const moved = await readFile(aside, "utf8");
  if (moved !== holder) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
  return true;
}

function hasDied(holder: string): boolean {
  const pid = Number(holder);
  // Empty: the process is about to write its id.
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return hasCode(error, "ESRCH");
  }
}
