import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { withLock } from "./lock.mjs";
import { runCommand } from "./run-command.ts";
import { sayProgress } from "./say-progress.ts";
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
    using progress = sayProgress(name);
    const failure = await buildProgram(program, join(partial, name), progress.update);
    if (failure !== undefined) throw new Error(`${failure}\nBuilding it needs Go (https://go.dev/dl).`);
    await afterBuild(partial);
    await rename(partial, folder);
  };
  const onWait = () => say(`Another process is building a program; ${name} waits for it.`);
  await withLock(join(cache, "set-up.lock"), { work, onWait, waitSeconds: buildTimeLimitSeconds });
  return file;
}

/**
 * Builds a program to a file; answers why it could not, if it could not.
 *
 * @param onProgress is called with how far the build is: `812 of 1686 packages compiled`.
 */
export async function buildProgram(
  goProgram: GoProgram,
  file: string,
  onProgress: (done: string) => void = () => {},
): Promise<string | undefined> {
  const { folder, program, versionVariable } = goProgram;
  const variable = versionVariable === undefined ? [] : ["-X", `${versionVariable}=${pinnedVersion(goProgram)}`];
  const flags = ["-s", "-w", ...variable].join(" ");
  // What an interrupted build leaves behind is in the folder that the next one removes.
  const env = { ...process.env, CGO_ENABLED: "0", GOWORK: "off", GOTMPDIR: dirname(file) };
  const go = (args: readonly string[], onLine: (line: string) => void) =>
    runCommand("go", args, {
      cwd: folder,
      env,
      timeLimitSeconds: buildTimeLimitSeconds,
      onStderr: linesOf(onLine),
    });

  let downloaded = 0;
  const listed = await go(["list", "-mod=readonly", "-deps", program], (line) => {
    if (line.startsWith("go: downloading")) downloaded += 1;
    onProgress(`${downloaded} modules downloaded`);
  });
  if (listed.code !== 0) return `go list ${program} failed:\n${endOf(listed.stderr)}`;
  const packages = listed.stdout.split("\n").filter((line) => line !== "");

  // with -v, the compiler names each package that it compiles; those of earlier builds are there already
  let compiled = 0;
  const flagsOfBuild = ["-v", "-mod=readonly", "-trimpath", "-ldflags", flags, "-o", file];
  const built = await go(["build", ...flagsOfBuild, program], (line) => {
    if (packages.includes(line)) compiled += 1;
    onProgress(`${compiled} of at most ${packages.length} packages compiled`);
  });
  return built.code === 0 ? undefined : `go build ${program} failed:\n${endOf(built.stderr, packages)}`;
}

/** The end of the messages, without those about progress. */
function endOf(stderr: string, packages: readonly string[] = []): string {
  const lines = stderr
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("go: downloading") && !packages.includes(line));
  return lines.slice(-10).join("\n");
}

/** Passes on each whole line of a text that comes in parts. */
function linesOf(onLine: (line: string) => void): (text: string) => void {
  let rest = "";
  return (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(onLine);
  };
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
