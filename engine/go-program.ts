import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { withLock } from "./lock.mjs";
import { runCommand } from "./run-command.ts";
import { cacheDirectory, say } from "./set-up.ts";

/** A Go program that a `go.mod` in this repository pins. */
export interface GoProgram {
  /** Holds `go.mod` and `go.sum`, and the source of a program of our own. */
  readonly folder: string;
  /** The module whose version is the program's version. */
  readonly module: string;
  /** Import path of its main package; `.` for the one in the folder. */
  readonly program: string;
  /** The variable of the program that holds its version. */
  readonly versionVariable?: string;
}

const buildTimeLimitSeconds = 1800;

/**
 * Returns the path of the program. Builds it from the Go module proxy, once per machine and set of pins; this needs Go.
 *
 * @param cache the folder that keeps what was built.
 * @param afterBuild adds files beside the program, in the folder that is given to it.
 * @throws Error with the end of the compiler's output.
 */
export async function builtProgram(
  program: GoProgram,
  cache: string = join(cacheDirectory(), "programs"),
  afterBuild: (folder: string) => Promise<void> = async () => {},
): Promise<string> {
  const name = nameOf(program);
  const version = pinnedVersion(program);
  const folder = join(cache, `${name}-${version}-${pinsOf([program])}-${process.platform}-${process.arch}`);
  const file = join(folder, name);
  if (existsSync(file)) return file;
  await mkdir(cache, { recursive: true });
  const work = async () => {
    if (existsSync(file)) return;
    say(`Building ${name} ${version} from source (once; some minutes)...`);
    const partial = `${folder}.partial`;
    await rm(partial, { recursive: true, force: true });
    await mkdir(partial);
    const failure = await buildProgram(program, join(partial, name));
    if (failure !== undefined) throw new Error(`${failure}\nBuilding it needs Go (https://go.dev/dl).`);
    await afterBuild(partial);
    await rename(partial, folder);
  };
  const onWait = () => say(`Another process is building a program; ${name} waits for it.`);
  await withLock(join(cache, "set-up.lock"), { work, onWait, waitSeconds: buildTimeLimitSeconds });
  return file;
}

/** Builds a program to a file; answers why it could not, if it could not. */
export async function buildProgram(goProgram: GoProgram, file: string): Promise<string | undefined> {
  const { folder, program, versionVariable } = goProgram;
  const variable = versionVariable === undefined ? [] : ["-X", `${versionVariable}=${pinnedVersion(goProgram)}`];
  const flags = ["-s", "-w", ...variable].join(" ");
  const { code, stderr } = await runCommand(
    "go",
    ["build", "-mod=readonly", "-trimpath", "-ldflags", flags, "-o", file, program],
    {
      cwd: folder,
      // What an interrupted build leaves behind is in the folder that the next one removes.
      env: { ...process.env, CGO_ENABLED: "0", GOWORK: "off", GOTMPDIR: dirname(file) },
      timeLimitSeconds: buildTimeLimitSeconds,
    },
  );
  if (code === 0) return undefined;
  const lines = stderr.split("\n").filter((line) => line !== "" && !line.startsWith("go: downloading"));
  return `go build ${program} failed:\n${lines.slice(-10).join("\n")}`;
}

/** The version that `go.mod` pins, such as `v1.20.0`. */
export function pinnedVersion({ folder, module }: Pick<GoProgram, "folder" | "module">): string {
  const file = join(folder, "go.mod");
  const words = readFileSync(file, "utf8").split(/\s+/);
  // a tool or replace directive may name the module too
  const version = words.find((word, index) => words[index - 1] === module && /^v\d/.test(word));
  if (version === undefined) throw new Error(`${file} does not require ${module}.`);
  return version;
}

/** A digest of all that the programs are built from. */
export function pinsOf(programs: readonly GoProgram[]): string {
  const pins = createHash("sha256");
  for (const { folder } of programs) {
    const sources = globSync("*.go", { cwd: folder }).sort();
    for (const name of ["go.mod", "go.sum", ...sources]) pins.update(readFileSync(join(folder, name)));
  }
  return pins.digest("hex").slice(0, 12);
}

/** The name of the command. */
export function nameOf({ folder, program }: GoProgram): string {
  return basename(program === "." ? folder : program);
}
