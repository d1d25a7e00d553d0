import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { withLock } from "../../engine/lock.mjs";
import { runCommand } from "../../engine/run-command.ts";
import { cacheDirectory, say } from "../../engine/set-up.ts";

/** A Go program that a `go.mod` in this repository pins. */
export interface GoProgram {
  /** Holds `go.mod` and `go.sum`. */
  readonly folder: string;
  /** The module whose version is the program's version. */
  readonly module: string;
  /** Import path of its main package. */
  readonly program: string;
}

const buildTimeLimitSeconds = 1800;

/**
 * Returns the path of the program. Builds it from the Go module proxy, once per machine and set of pins; this needs Go.
 *
 * @throws Error with the end of the compiler's output.
 */
export async function builtProgram(program: GoProgram): Promise<string> {
  const file = cachedFile(program);
  if (existsSync(file)) return file;
  await mkdir(benchCache(), { recursive: true });
  const work = async () => {
    if (!existsSync(file)) await build(program, file);
  };
  const name = basename(program.program);
  const onWait = () => say(`Another process is building for the benchmark; ${name} waits for it.`);
  await withLock(join(benchCache(), "set-up.lock"), { work, onWait, waitSeconds: buildTimeLimitSeconds });
  return file;
}

async function build({ folder, program }: GoProgram, file: string): Promise<void> {
  say(`Building ${basename(program)} from source (once; some minutes)...`);
  const partial = `${dirname(file)}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial);
  const args = [
    "build",
    "-mod=readonly",
    "-trimpath",
    "-ldflags",
    "-s -w",
    "-o",
    join(partial, basename(file)),
    program,
  ];
  const { code, stderr } = await runCommand("go", args, {
    cwd: folder,
    // The next build removes this folder, and with it the files of an interrupted build.
    env: { ...process.env, CGO_ENABLED: "0", GOWORK: "off", GOTMPDIR: partial },
    timeLimitSeconds: buildTimeLimitSeconds,
  });
  if (code !== 0) {
    const lines = stderr.split("\n").filter((line) => line !== "" && !line.startsWith("go: downloading"));
    throw new Error(`go build ${program} failed (it needs Go, https://go.dev/dl):\n${lines.slice(-10).join("\n")}`);
  }
  await rename(partial, dirname(file));
}

/** The version that `go.mod` pins, such as `v1.20.0`. */
export function pinnedVersion({ folder, module }: GoProgram): string {
  const version = readFileSync(join(folder, "go.mod"), "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .find(([first, second]) => first === module && second !== undefined)?.[1];
  if (version === undefined) throw new Error(`${folder}/go.mod does not require ${module}.`);
  return version;
}

function cachedFile(goProgram: GoProgram): string {
  const { folder, program } = goProgram;
  const [pins = "", sums = ""] = ["go.mod", "go.sum"].map((name) => readFileSync(join(folder, name), "utf8"));
  const version = pinnedVersion(goProgram);
  const digest = createHash("sha256").update(pins).update(sums).digest("hex").slice(0, 12);
  const name = basename(program);
  return join(benchCache(), `${name}-${version}-${digest}-${process.platform}-${process.arch}`, name);
}

function benchCache(): string {
  return join(dirname(cacheDirectory()), "bench");
}
