// Plain JavaScript: bootstrap.mjs runs this on whatever Node.js npm was started by. Types: lock.d.mts.
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const pollMilliseconds = 200;

/** See lock.d.mts. */
export async function withLock(path, { work, onWait, waitSeconds = 900 }) {
  const owner = { token: randomUUID(), pid: process.pid, host: hostname(), since: Date.now() };
  const deadline = Date.now() + waitSeconds * 1000;
  let isWaiting = false;
  while (!(await acquire(path, owner))) {
    const holder = await readOwner(path);
    if (holder !== undefined && (await takeOverIfDead(path, holder, waitSeconds))) continue;
    if (Date.now() > deadline) throw new Error(`Another process holds ${path}. If none is at work, remove it.`);
    if (!isWaiting && holder !== undefined) onWait?.();
    isWaiting ||= holder !== undefined;
    await sleep(pollMilliseconds);
  }
  try {
    return await work();
  } finally {
    await discard(path);
  }
}

/** The lock appears with its owner in it, in one step: a directory cannot be renamed onto one that is not empty. */
async function acquire(path, owner) {
  const prepared = await mkdtemp(`${path}.`);
  await writeFile(join(prepared, "owner.json"), JSON.stringify(owner));
  try {
    await rename(prepared, path);
    return true;
  } catch (error) {
    await rm(prepared, { recursive: true, force: true });
    if (["ENOTEMPTY", "EEXIST", "EPERM"].includes(error.code)) return false;
    throw error;
  }
}

/** True if the holder was dead and its lock is gone now. Whoever makes the directory inside the lock does it, alone. */
async function takeOverIfDead(path, holder, waitSeconds) {
  if (isAtWork(holder, waitSeconds)) return false;
  const claim = join(path, "take-over");
  try {
    await mkdir(claim);
  } catch {
    return false;
  }
  if ((await readOwner(path))?.token === holder.token) await discard(path);
  // The lock changed hands between the look and the claim: the claim is on someone who is alive.
  else await rmdir(claim).catch(() => {});
  return true;
}

/** Renamed first, so that nobody sees a lock without its owner. */
async function discard(path) {
  const discarded = `${path}.${randomUUID()}`;
  await rename(path, discarded);
  await rm(discarded, { recursive: true, force: true });
}

async function readOwner(path) {
  try {
    return JSON.parse(await readFile(join(path, "owner.json"), "utf8"));
  } catch {
    return undefined;
  }
}

/** A process of another machine (or a container that is gone) cannot be asked: it has as long as one would wait. */
function isAtWork({ host, pid, since }, waitSeconds) {
  if (host !== hostname()) return Date.now() - since < waitSeconds * 1000;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
