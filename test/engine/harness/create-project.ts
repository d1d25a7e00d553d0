import { appendFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { engineEnvironment } from "../../../engine/engine-environment.ts";
import { type Engine, findEngine } from "../../../engine/find-engine.ts";
import { type CommandOutcome, runCommand } from "../../../engine/run-command.ts";
import { type ExportedState, type Preview, parsePreview, parseState } from "./engine-output.ts";
import { makeProjectFolder, type ProjectSource } from "./project-folder.ts";

export interface ProjectOptions extends ProjectSource {
  /** The text of the stack's `Pulumi.<stack>.yaml`. */
  readonly stackYaml: string;
  /** Default `test`. */
  readonly stack?: string;
  /** Added to the environment of every command. The developer's PULUMI_* and INTEGRATION_PLATFORM_* are not in it. */
  readonly env?: NodeJS.ProcessEnv;
}

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Default 180. */
  readonly timeLimitSeconds?: number;
  /** Kills the command, with everything it has started. */
  readonly signal?: AbortSignal;
}

/** A throw-away project with a stack, a backend and an engine home of its own: tests can run side by side. */
export interface Project extends AsyncDisposable {
  readonly directory: string;
  readonly stack: string;
  /** Puts a file into the project, by its path from there. */
  put(path: string, text: string): Promise<void>;
  /** Any pulumi command; never throws. */
  run(args: readonly string[], options?: RunOptions): Promise<CommandOutcome>;
  /** Any pulumi command that has to succeed: throws with what it printed if it does not. */
  mustRun(args: readonly string[], options?: RunOptions): Promise<CommandOutcome>;
  /** `up`, `refresh` and `destroy` without questions and without a preview before it; like `run` otherwise. */
  up(args?: readonly string[], options?: RunOptions): Promise<CommandOutcome>;
  refresh(args?: readonly string[], options?: RunOptions): Promise<CommandOutcome>;
  destroy(args?: readonly string[], options?: RunOptions): Promise<CommandOutcome>;
  /** `preview --json`; throws if the preview fails. */
  preview(args?: readonly string[], options?: RunOptions): Promise<Preview>;
  exportState(): Promise<ExportedState>;
  /** Replaces the stack's file; what protects its secrets (the salt that the engine wrote there) is kept. */
  writeStackYaml(stackYaml: string): Promise<void>;
  /** The path of the stack's file. */
  readonly stackFile: string;
  /** The environment of its commands, with the engine on PATH. */
  readonly env: NodeJS.ProcessEnv;
  /** All that the commands have printed so far. */
  printed(): string;
}

/**
 * Makes a project and its stack. End it with `await using`: what still runs is ended, and its folder removed.
 *
 * @example
 * await using project = await createProject({ stackYaml: `config: {integration-platform:baseUrl: ${emulator.url}}` });
 * await project.mustRun(["up", "--yes"]);
 */
export async function createProject({ stackYaml, stack = "test", env, ...source }: ProjectOptions): Promise<Project> {
  await engine();
  const { root, directory } = await makeProjectFolder(source);
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
    await writeFile(stackFile, stackYaml);
    await mustRun(["stack", "init", stack]);
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    directory,
    stack,
    put: async (path, text) => {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), text);
    },
    run,
    mustRun,
    up: (args = [], options) => run(["up", "--yes", "--skip-preview", ...args], options),
    refresh: (args = [], options) => run(["refresh", "--yes", "--skip-preview", ...args], options),
    destroy: (args = [], options) => run(["destroy", "--yes", "--skip-preview", ...args], options),
    preview: async (args = [], options) =>
      parsePreview((await mustRun(["preview", "--json", ...args], options)).stdout),
    exportState: async () => parseState((await mustRun(["stack", "export"])).stdout),
    writeStackYaml: (text) => replaceStackFile(stackFile, text),
    stackFile,
    env: base,
    printed: () => printed.join("\n"),
    [Symbol.asyncDispose]: dispose,
  };
}

let found: Promise<Engine> | undefined;

/** Looked for once per test file: asking an engine for its version takes a while. */
function engine(): Promise<Engine> {
  found ??= findEngine();
  return found;
}

async function projectEnvironment(root: string, env: NodeJS.ProcessEnv = {}): Promise<NodeJS.ProcessEnv> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PULUMI|INTEGRATION_PLATFORM)_/.test(name));
  return engineEnvironment(await engine(), {
    ...Object.fromEntries(inherited),
    PULUMI_HOME: join(root, ".pulumi-home"),
    PULUMI_BACKEND_URL: pathToFileURL(join(root, ".pulumi-state")).href,
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
