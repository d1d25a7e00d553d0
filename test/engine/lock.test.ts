import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { withLock } from "../../engine/lock.mjs";
import { endAfterTests } from "../end-after-tests.ts";

let directory: string;
let lock: string;

beforeEach(() =>
  endAfterTests(async (open) => {
    directory = await mkdtemp(join(tmpdir(), "lock-"));
    open.defer(() => rm(directory, { recursive: true, force: true }));
    lock = join(directory, "work.lock");
  }),
);

describe("withLock", () => {
  test("runs one holder's work at a time and leaves no files behind", async () => {
    const events: string[] = [];
    const worker = (name: string) =>
      withLock(lock, {
        work: async () => {
          events.push(`${name} begins`);
          await new Promise((done) => setTimeout(done, 20));
          events.push(`${name} ends`);
        },
      });

    await Promise.all(["a", "b", "c"].map(worker));

    const order = events.filter((event) => event.endsWith("begins")).map((event) => event.charAt(0));
    expect(events).toEqual(order.flatMap((name) => [`${name} begins`, `${name} ends`]));
    expect(order.toSorted()).toEqual(["a", "b", "c"]);
    expect(await readdir(directory)).toEqual([]);
  });

  test("releases the lock if the work fails", async () => {
    await expect(withLock(lock, { work: () => Promise.reject(new Error("broken")) })).rejects.toThrow("broken");

    expect(await withLock(lock, { work: async () => "done" })).toBe("done");
  });

  test("takes over the lock of a dead process once", async () => {
    await leaveLockOf({ pid: await pidOfEndedProcess(), host: hostname(), since: Date.now() });
    let atWork = 0;
    let mostAtWork = 0;
    const work = async () => {
      atWork += 1;
      mostAtWork = Math.max(mostAtWork, atWork);
      await new Promise((done) => setTimeout(done, 20));
      atWork -= 1;
    };

    await Promise.all(Array.from({ length: 8 }, () => withLock(lock, { work })));

    expect(mostAtWork).toBe(1);
  });

  test("reports once that it waits, and times out while the holder is alive", async () => {
    await leaveLockOf({ pid: process.pid, host: hostname(), since: Date.now() });
    let notices = 0;

    const attempt = withLock(lock, { work: async () => {}, onWait: () => (notices += 1), waitSeconds: 0.5 });

    await expect(attempt).rejects.toThrow(`Another process holds ${lock}`);
    expect(notices).toBe(1);
  });

  test("waits for a holder on another machine and takes over when the holder's time limit is reached", async () => {
    await leaveLockOf({ pid: 1, host: "elsewhere", since: Date.now() - 901_000 });

    expect(await withLock(lock, { work: async () => "done" })).toBe("done");
  });
});

async function leaveLockOf(owner: { pid: number; host: string; since: number }): Promise<void> {
  await mkdir(lock);
  await writeFile(join(lock, "owner.json"), JSON.stringify({ token: "left behind", ...owner }));
}

async function pidOfEndedProcess(): Promise<number> {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(child, "exit");
  return child.pid ?? 0;
}
