import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { type Browser, chromium } from "playwright-core";

/** How long `launchChromium` may take, including the installation of the package. */
export const chromiumSetUpSeconds = 420;

/**
 * Launches Chromium: the program that CHROMIUM_PATH names, else the first on PATH, else Debian's package, which is
 * installed when the tests run as root.
 *
 * @throws Error when there is no Chromium and it cannot be installed.
 */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium() ?? (await installChromium());
  const quiet = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];
  return chromium.launch({ executablePath, args: ["--no-sandbox", ...quiet], timeout: 60_000 });
}

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

function findChromium(): string | undefined {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (isExecutable(given)) return given;
    throw new Error(`CHROMIUM_PATH is not the path of a program: ${given}`);
  }
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

async function installChromium(): Promise<string> {
  if (process.getuid?.() !== 0) {
    throw new Error(
      "The tests in a browser need Chromium. Install it (as root: apt-get install chromium), or set CHROMIUM_PATH.",
    );
  }
  console.log("Installing Debian's package chromium, for the tests in a browser (about a minute, once) ...");
  try {
    await aptGet(["update"], 120);
    await aptGet(["install", "--yes", "--no-install-recommends", "chromium"], 280);
  } catch (cause) {
    throw new Error("apt-get could not install Chromium. Install it another way, and set CHROMIUM_PATH.", { cause });
  }
  const installed = findChromium();
  if (installed) return installed;
  throw new Error("apt-get installed Chromium, but there is no such program on PATH. Set CHROMIUM_PATH.");
}

async function aptGet(args: readonly string[], timeLimitSeconds: number): Promise<void> {
  const lock = `DPkg::Lock::Timeout=${timeLimitSeconds}`;
  await promisify(execFile)("apt-get", ["-qq", "-o", lock, ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    timeout: timeLimitSeconds * 1000,
    maxBuffer: 64 * 1024 * 1024,
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
