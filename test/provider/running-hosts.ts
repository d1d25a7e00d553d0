import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterAll, expect } from "vitest";

const running = new Set<ChildProcess>();

/**
 * Sees to it that a host ends, whatever becomes of its test: with the tests of the file at the latest, which then fail, as
 * a test is to end its own; and with this process. Should this process be killed, the host ends by {@link endsWithParent}.
 */
export function watchOver(child: ChildProcess): void {
  running.add(child);
  child.once("exit", () => running.delete(child));
}

/** For `node --import`: ends the process once its parent has ended. */
export const endsWithParent = `data:text/javascript,${encodeURIComponent(
  "const { ppid } = process; setInterval(() => process.ppid === ppid || process.exit(1), 1000).unref();",
)}`;

afterAll(async () => {
  const left = [...running];
  await Promise.all(left.map(kill));
  expect(left.map(({ pid }) => pid).filter((pid) => pid === undefined || isAlive(pid))).toEqual([]);
  expect(
    left.map(({ pid }) => pid),
    "hosts that a test has left behind",
  ).toEqual([]);
});

process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
