import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { type CommandOutcome, runCommand } from "../../../engine/run-command.ts";

const repository = join(import.meta.dirname, "../../..");

/** A user's folders on a machine whose only `pulumi` is a shell script, which takes no time and writes no files. */
export interface PulumiMachine extends AsyncDisposable {
  /** The user's folder. */
  readonly directory: string;
  /** The engine's home. It does not exist yet. */
  readonly home: string;
  run(command: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<CommandOutcome>;
  /** Runs `npm run pulumi -- <args>`, without npm. */
  pulumi(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<CommandOutcome>;
}

/** @param script what `pulumi` does with any arguments but `version`. */
export async function makePulumiMachine(script: string): Promise<PulumiMachine> {
  const directory = await mkdtemp(join(tmpdir(), "pulumi's machine-"));
  const home = join(directory, "home");
  await mkdir(join(directory, "bin"));
  const programs = {
    pulumi: `[ "$1" = version ] && echo v3.250.1 && exit\n${script}`,
    "pulumi-language-nodejs": "true",
  };
  for (const [name, text] of Object.entries(programs)) {
    await writeFile(join(directory, "bin", name), `#!/bin/sh\n${text}\n`);
    await chmod(join(directory, "bin", name), 0o755);
  }
  const own = {
    HOME: directory,
    PULUMI_HOME: home,
    PULUMI_BACKEND_URL: "file:///nowhere",
    PATH: [join(directory, "bin"), dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter),
    INTEGRATION_PLATFORM_ENGINE: "path",
  };
  const run: PulumiMachine["run"] = (command, args, env = {}) =>
    runCommand(command, args, { cwd: repository, env: { ...own, ...env }, timeLimitSeconds: 60 });
  return {
    directory,
    home,
    run,
    pulumi: (args, env) => run(process.execPath, ["engine/pulumi.ts", ...args], env),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}
