import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { withLock } from "./lock.mjs";

/** The folder for what setting up an engine leaves behind; outside the clone, so that it is done once per machine. */
export function cacheDirectory(): string {
  const configured = process.env.XDG_CACHE_HOME ?? "";
  const caches = isAbsolute(configured) ? configured : join(homedir(), ".cache");
  return join(caches, "pulumi-integration-platform", "engine");
}

/** Does a step of the set-up, while no other process of this machine is at one. */
export async function duringSetUp<Result>(work: () => Promise<Result>): Promise<Result> {
  await mkdir(cacheDirectory(), { recursive: true });
  return withLock(join(cacheDirectory(), "set-up.lock"), {
    work,
    onWait: () => say("Another process is setting up the Pulumi engine; waiting for it."),
  });
}

/** Tells the user about the set-up; on standard error, because standard output belongs to the command that was asked for. */
export function say(message: string): void {
  process.stderr.write(`${message}\n`);
}
