import { appendFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Engine } from "../../../engine/engine.ts";
import { engineEnvironment } from "../../../engine/engine-environment.ts";
import { findEngine } from "../../../engine/find-engine.ts";
import { type CommandOutcome, runCommand } from "../../../engine/run-command.ts";
import { type ExportedState, type Preview, parsePreview, parseState } from "./engine-output.ts";
import { makeProjectFolder, type ProjectSource } from "./project-folder.ts";
import { programOn, providerUnderTest, stackYamlOn } from "./provider-under-test.ts";
import { writeNewStack } from "./write-new-stack.ts";

export interface ProjectOptions extends ProjectSource {
  /** The text of the stack's `Pulumi.<stack>.yaml`. */
  readonly stackYaml: string;
  /** Default `test`. */
  readonly stack?: string;
  /** Added to the environment of every command. The developer's PULUMI_* and INTEGRATION_PLATFORM_* variables are removed. */
  readonly env?: NodeJS.ProcessEnv;
}

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Default 180. */
  readonly timeLimitSeconds?: number;
  /** Kills the command and its child processes. */
  readonly signal?: AbortSignal;
}

/** A temporary project with a stack, whatever runs its commands. */
export interface StackProject extends AsyncDisposable {
  readonly directory: string;
  readonly stack: string;
  /** Writes a file, and a program with its import of this package changed to the provider's. The path is relative to the project. */
  put(path: string, text: string): Promise<void>;
  /** Runs a pulumi command. Never throws. */
  run(args: readonly string[], options?: RunOptions): Promise<CommandOutcome>;
  /** Runs a pulumi command that must succeed. Otherwise throws an error with its output. */
  mustRun(args: readonly string[], options?: RunOptions): Promise<CommandOutcome>;
  /** Runs `up`, `refresh` or `destroy` without questions and without a preview. Never throws. */
  up(args?: readonly string[], options?: RunOptions): Promise<CommandOutcome>;
  refresh(args?: readonly string[], options?: RunOptions): Promise<CommandOutcome>;
  destroy(args?: readonly string[], options?: RunOptions): Promise<CommandOutcome>;
  /** Runs `preview --json`. Throws if the preview fails. */
  preview(args?: readonly string[], options?: RunOptions): Promise<Preview>;
  exportState(): Promise<ExportedState>;
  /** Replaces the stack's file but keeps the engine's encryption salt. The provider is added to its config. */
  writeStackYaml(stackYaml: string): Promise<void>;
}

/** A temporary project with its own stack, backend and engine home, so that tests can run in parallel. */
export interface Project extends StackProject {
  /** The path of the stack's file. */
  readonly stackFile: string;
  /** The environment of the project's commands, with the engine on PATH. */
  readonly env: NodeJS.ProcessEnv;
  /** The output of all commands so far. */
  printed(): string;
}

/**
 * Makes a project and its stack. Dispose of it with `await using`, which ends running commands and removes the folder.
 *
 * @example
 * await using project = await createProject({ stackYaml: `config: {integration-platform:baseUrl: ${emulator.url}}` });
 * await project.mustRun(["up", "--yes"]);
 */
export async function createProject({
  stackYaml,
  stack = "test",
  env,
  provider = providerUnderTest,
  ...source
}: ProjectOptions): Promise<Project> {
  await engine();
  const { root, directory } = await makeProjectFolder({ ...source, provider });
  // a program of its own chooses the provider by its import
  const onProvider = (text: string) => (hasOwnProgram(source) ? text : stackYamlOn(provider, text));
  const stackFile = join(directory, `Pulumi.${stack}.yaml`);
  const stop = new AbortController();
  const base = await projectEnvironment(root, env);
  const printed: string[] = [];

  const run: Project["run"] = async (args, { env: more, timeLimitSeconds = 180, signal = stop.signal } = {}) => {
    const outcome = await runCommand((await engine()).command, ["--non-interactive", ...args], {
      cwd: directory,
      env: { ...base, ...more },
      timeLimitSeconds,
      signal: AbortSignal.any([stop.signal, signal]),
    });
    printed.push(outcome.stdout, outcome.stderr);
    return outcome;
  };
  const mustRun: Project["mustRun"] = async (args, options) => requireSuccess(args, await run(args, options));
  const dispose = async () => {
    stop.abort();
    await rm(root, { recursive: true, force: true, maxRetries: 3 });
  };

  try {
    await writeFile(stackFile, onProvider(stackYaml));
    const hasOwnBackend = env?.PULUMI_BACKEND_URL !== undefined || env?.PULUMI_CONFIG_PASSPHRASE !== undefined;
    // the default of all backends but Pulumi Cloud's protocol
    if (hasOwnBackend) await mustRun(["stack", "init", stack, "--secrets-provider", "passphrase"]);
    else
      await writeNewStack({
        directory,
        stack,
        stackFile,
        home: join(root, homeFolder),
        backend: join(root, backendFolder),
      });
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    directory,
    stack,
    put: async (path, text) => {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), path.endsWith(".ts") ? programOn(provider, text) : text);
    },
    run,
    mustRun,
    up: (args = [], options) => run(["up", "--yes", "--skip-preview", ...args], options),
    refresh: (args = [], options) => run(["refresh", "--yes", "--skip-preview", ...args], options),
    destroy: (args = [], options) => run(["destroy", "--yes", "--skip-preview", ...args], options),
    preview: async (args = [], options) =>
      parsePreview((await mustRun(["preview", "--json", ...args], options)).stdout),
    exportState: async () => parseState((await mustRun(["stack", "export"])).stdout),
    writeStackYaml: (text) => replaceStackFile(stackFile, onProvider(text)),
    stackFile,
    env: base,
    printed: () => printed.join("\n"),
    [Symbol.asyncDispose]: dispose,
  };
}

function hasOwnProgram({ program, example, folder }: ProjectSource): boolean {
  return program !== undefined || example !== undefined || folder !== undefined;
}

let found: Promise<Engine> | undefined;

/** Found once per test file, because asking an engine for its version is slow. */
function engine(): Promise<Engine> {
  found ??= findEngine();
  return found;
}

const homeFolder = ".pulumi-home";
const backendFolder = ".pulumi-state";

async function projectEnvironment(root: string, env: NodeJS.ProcessEnv = {}): Promise<NodeJS.ProcessEnv> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(PULUMI|INTEGRATION_PLATFORM)_|^NODE_COMPILE_CACHE$/.test(name),
  );
  return engineEnvironment(await engine(), {
    ...Object.fromEntries(inherited),
    PULUMI_HOME: join(root, homeFolder),
    PULUMI_BACKEND_URL: pathToFileURL(join(root, backendFolder)).href,
    PULUMI_CONFIG_PASSPHRASE: "test",
    ...env,
  });
}

function requireSuccess(args: readonly string[], outcome: CommandOutcome): CommandOutcome {
  if (outcome.code === 0) return outcome;
  throw new Error(`pulumi ${args.join(" ")} ended with ${outcome.code}.\n${outcome.stdout}\n${outcome.stderr}`);
}

async function replaceStackFile(stackFile: string, stackYaml: string): Promise<void> {
  const salt = /^encryptionsalt:.*$/m.exec(await readFile(stackFile, "utf8"))?.[0];
  await writeFile(stackFile, stackYaml);
  if (salt !== undefined) await appendFile(stackFile, `\n${salt}\n`);
}
