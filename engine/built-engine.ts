import { createHash } from "node:crypto";
import { copyFileSync, globSync, readFileSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import type { Engine, EngineAttempt } from "./find-engine.ts";
import { isExecutable } from "./path-engine.ts";
import { runCommand } from "./run-command.ts";
import { cacheDirectory, duringSetUp, say } from "./set-up.ts";

/**
 * The CLI and its Node.js language host, built from the Go module proxy at the versions that `cli/go.mod` and
 * `language-nodejs/go.mod` pin. Built once per machine and set of pins, into the cache; needs Go.
 */
export async function findBuiltEngine(): Promise<EngineAttempt> {
  const engine = pinnedEngine();
  if (isExecutable(engine.command)) return { engine };
  return duringSetUp(async () => (isExecutable(engine.command) ? { engine } : build(engine)));
}

async function build(engine: Engine): Promise<EngineAttempt> {
  if ((await runCommand("go", ["version"], { timeLimitSeconds: 60 })).code !== 0) {
    return {
      unavailable: "building it needs Go (1.25 or later, https://go.dev/dl); or install the Pulumi CLI instead",
    };
  }
  say(`Building the Pulumi engine ${engine.version} from source (once; about 5 minutes on two cores)...`);
  const startedAt = Date.now();
  const finished = dirname(engine.binDirectory);
  for (const abandoned of globSync(`${finished}.partial-*`)) await rm(abandoned, { recursive: true, force: true });
  const partial = `${finished}.partial-${process.pid}`;
  await mkdir(join(partial, "bin"), { recursive: true });

  for (const module of modules) {
    const failure = await buildModule(module, join(partial, "bin"));
    if (failure !== undefined) return { unavailable: failure };
  }
  copyDynamicProviderLauncher(join(partial, "bin"));
  await rm(finished, { recursive: true, force: true });
  await rename(partial, finished);
  say(`The Pulumi engine is built (${Math.round((Date.now() - startedAt) / 1000)} s).`);
  return { engine };
}

interface GoModule {
  readonly folder: string;
  readonly program: string;
  /** The module whose version the program is released under. */
  readonly versionedBy: string;
}

const cli: GoModule = {
  folder: join(import.meta.dirname, "cli"),
  program: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
  versionedBy: "github.com/pulumi/pulumi/pkg/v3",
};

const languageHost: GoModule = {
  folder: join(import.meta.dirname, "language-nodejs"),
  program: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
  versionedBy: "github.com/pulumi/pulumi/sdk/v3",
};

const modules = [cli, languageHost];
const buildTimeLimitSeconds = 1800;

/** Builds one program; answers why it could not, if it could not. */
async function buildModule(module: GoModule, binDirectory: string): Promise<string | undefined> {
  // Without the version, `pulumi version` prints nothing, and the Automation API waits for it without end.
  const version = `github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${pinnedVersion(module)}`;
  const output = join(binDirectory, basename(module.program));
  const args = ["build", "-mod=readonly", "-trimpath", "-ldflags", `-s -w -X ${version}`, "-o", output, module.program];
  // What an interrupted build leaves behind is in the folder that the next one removes.
  const env = { ...process.env, CGO_ENABLED: "0", GOWORK: "off", GOTMPDIR: dirname(binDirectory) };
  const { code, stderr } = await runCommand("go", args, {
    cwd: module.folder,
    env,
    timeLimitSeconds: buildTimeLimitSeconds,
  });
  if (code === 0) return undefined;
  const lines = stderr.split("\n").filter((line) => line !== "" && !line.startsWith("go: downloading"));
  return `go build ${module.program} failed:\n${lines.slice(-10).join("\n")}`;
}

/** The launcher of dynamic providers finds the program's own SDK when it runs: any copy serves every project. */
function copyDynamicProviderLauncher(binDirectory: string): void {
  const launcher = "pulumi-resource-pulumi-nodejs";
  const sdk = dirname(createRequire(import.meta.url).resolve("@pulumi/pulumi/package.json"));
  copyFileSync(join(sdk, launcher), join(binDirectory, launcher));
}

function pinnedEngine(): Engine {
  const version = pinnedVersion(cli);
  const pins = createHash("sha256");
  for (const { folder } of modules)
    pins.update(readFileSync(join(folder, "go.mod"))).update(readFileSync(join(folder, "go.sum")));
  const name = `${version}-${pins.digest("hex").slice(0, 12)}-${process.platform}-${process.arch}`;
  const binDirectory = join(cacheDirectory(), name, "bin");
  return { command: join(binDirectory, "pulumi"), binDirectory, version, source: "build" };
}

function pinnedVersion({ folder, versionedBy }: GoModule): string {
  const file = join(folder, "go.mod");
  const words = readFileSync(file, "utf8").split(/\s+/);
  const version = words[words.indexOf(versionedBy) + 1];
  if (version === undefined || !/^v\d/.test(version)) throw new Error(`${file} does not require ${versionedBy}.`);
  return version.slice(1);
}
