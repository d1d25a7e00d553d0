import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { type CommandOutcome, runCommand } from "../../../engine/run-command.ts";
import { type LivePlatform, openPlatform } from "./live-platform.ts";

const repository = join(import.meta.dirname, "../../..");

/** A new user's clone of this project whose stack `staging` was made by the steps of examples/ci/README.md. */
export interface CiClone extends AsyncDisposable {
  readonly directory: string;
  readonly platform: LivePlatform;
  /** A passphrase of the user's own, and what each command of the steps printed. */
  readonly passphrase: string;
  readonly steps: { command: string; outcome: CommandOutcome }[];
  /** The environment of a job on a runner, besides the variables that the pipeline itself sets. */
  readonly environment: NodeJS.ProcessEnv;
  /** Runs a script as GitHub and GitLab do. Never throws. */
  bash(script: string, env?: NodeJS.ProcessEnv): Promise<CommandOutcome>;
  /** Reads a file of the clone; empty if it does not exist. */
  read(path: string): Promise<string>;
  /** Writes a program that takes the place of one on PATH. */
  putProgram(name: string, text: string): Promise<void>;
}

/** The value of the secret that the steps set. */
export const secretOfTheSteps = "plain-token-of-acme";

export async function makeCiClone(): Promise<CiClone> {
  const platform = await openPlatform();
  const directory = await mkdtemp(join(tmpdir(), "integration-platform-ci-"));
  const programs = join(directory, "runner-temp/bin");
  await copyRepository(directory);
  for (const folder of [programs, join(directory, "state")]) await mkdir(folder, { recursive: true });
  const passphrase = "a passphrase of my own";
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(PULUMI|INTEGRATION_PLATFORM|GITHUB|GITLAB|CI)(_|$)/.test(name),
  );
  const environment = {
    ...Object.fromEntries(inherited),
    INTEGRATION_PLATFORM_API_KEY: platform.emulator.apiKey,
    PULUMI_BACKEND_URL: pathToFileURL(join(directory, "state")).href,
    PULUMI_CONFIG_PASSPHRASE: passphrase,
    PULUMI_HOME: join(directory, ".pulumi-home"),
    PATH: [programs, process.env.PATH].join(delimiter),
  };
  const bash: CiClone["bash"] = (script, more = {}) => {
    const args = ["--noprofile", "--norc", "-eo", "pipefail", "-c", script];
    // A download needs the network, so the tests take any engine.
    const env = { ...environment, ...more, INTEGRATION_PLATFORM_ENGINE: "" };
    return runCommand("bash", args, { cwd: directory, env, timeLimitSeconds: 200 });
  };
  const steps: CiClone["steps"] = [];
  for (const command of await commandsOfReadme()) {
    const own = command.replace("https://platform.example.com", platform.emulator.url);
    steps.push({ command, outcome: await bash(`{ ${own}\n} <<< ${secretOfTheSteps}`) });
  }
  return {
    directory,
    platform,
    passphrase,
    steps,
    environment,
    bash,
    read: (path) => readFile(join(directory, path), "utf8").catch(() => ""),
    putProgram: async (name, text) => {
      await writeFile(join(programs, name), text);
      await chmod(join(programs, name), 0o755);
    },
    [Symbol.asyncDispose]: async () => {
      await platform[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function copyRepository(directory: string): Promise<void> {
  const git = promisify(execFile);
  const { stdout } = await git("git", ["ls-files", "-co", "--exclude-standard"], { cwd: repository });
  for (const file of stdout.trim().split("\n")) await cp(join(repository, file), join(directory, file));
  await symlink(join(repository, "node_modules"), join(directory, "node_modules"));
  await git("git", ["init", "--quiet"], { cwd: directory });
}

/** The commands that a new user copies: the lines of the only shell block. */
async function commandsOfReadme(): Promise<string[]> {
  const text = await readFile(join(repository, "examples/ci/README.md"), "utf8");
  const [block, ...others] = [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, commands = ""]) => commands);
  if (block === undefined || others.length > 0) throw new Error("examples/ci/README.md does not have one shell block");
  return block.trim().split(/\n\s*/);
}
