import { copyFileSync, globSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Engine, EngineAttempt } from "./engine.ts";
import { buildProgram, type GoProgram, nameOf, pinnedVersion, pinsOf } from "./go-program.ts";
import { isExecutable } from "./path-engine.ts";
import { runCommand } from "./run-command.ts";
import { sayProgress } from "./say-progress.ts";
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
  say(`Building the Pulumi engine ${engine.version} from source (once; 4 to 6 minutes on two cores)...`);
  const startedAt = Date.now();
  const finished = dirname(engine.binDirectory);
  for (const abandoned of globSync(`${finished}.partial-*`)) await rm(abandoned, { recursive: true, force: true });
  const partial = `${finished}.partial-${process.pid}`;
  await mkdir(join(partial, "bin"), { recursive: true });

  for (const [index, program] of programs.entries()) {
    const name = nameOf(program);
    using progress = sayProgress(`${index + 1} of ${programs.length}: ${name}`);
    const failure = await buildProgram(program, join(partial, "bin", name), progress.update);
    if (failure !== undefined) return { unavailable: failure };
  }
  copyDynamicProviderLauncher(join(partial, "bin"));
  await rm(finished, { recursive: true, force: true });
  await rename(partial, finished);
  say(`The Pulumi engine is built (${Math.round((Date.now() - startedAt) / 1000)} s).`);
  return { engine };
}

// Without the version, `pulumi version` prints nothing, and the Automation API waits for it without end.
const versionVariable = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

const cli: GoProgram = {
  folder: join(import.meta.dirname, "cli"),
  program: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
  module: "github.com/pulumi/pulumi/pkg/v3",
  versionVariable,
};

const languageHost: GoProgram = {
  folder: join(import.meta.dirname, "language-nodejs"),
  program: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
  module: "github.com/pulumi/pulumi/sdk/v3",
  versionVariable,
};

const programs = [cli, languageHost];

/** The launcher of dynamic providers finds the program's own SDK when it runs: any copy serves every project. */
function copyDynamicProviderLauncher(binDirectory: string): void {
  const launcher = "pulumi-resource-pulumi-nodejs";
  const sdk = dirname(createRequire(import.meta.url).resolve("@pulumi/pulumi/package.json"));
  copyFileSync(join(sdk, launcher), join(binDirectory, launcher));
}

function pinnedEngine(): Engine {
  const version = pinnedVersion(cli).slice(1);
  const name = `${version}-${pinsOf(programs)}-${process.platform}-${process.arch}`;
  const binDirectory = join(cacheDirectory(), name, "bin");
  return { command: join(binDirectory, "pulumi"), binDirectory, version, source: "build" };
}
