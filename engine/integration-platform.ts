// `npm run integration-platform -- <arguments>` runs the command of this project. `drift` needs the Pulumi CLI, and so does
// every command that reads the config of a stack, so for them the script finds, downloads or builds an engine first.
import { dirname, join } from "node:path";
import { backendEnvironment } from "./backend-environment.ts";
import { engineEnvironment } from "./engine-environment.ts";
import { findEngine } from "./find-engine.ts";
import { passThrough } from "./pass-through.mjs";
import { say } from "./set-up.ts";
import { whereToRun } from "./where-to-run.ts";

const command = join(dirname(import.meta.dirname), "src/cli/main.ts");

const args = process.argv.slice(2);
const asksForHelp = args.some((arg) => ["help", "--help", "-h"].includes(arg));
const namesStack = args.some((arg) => /^--(stack|cwd)(=|$)/.test(arg));
const readsFilesOnly = ["validate", "schema"].some((name) => args.includes(name));
const needsEngine = (namesStack || args.includes("drift")) && !readsFilesOnly && !asksForHelp;
process.exitCode = await passThrough(process.execPath, [command, ...args], needsEngine ? await withEngine() : {});

/** The folder and the environment in which `pulumi` runs this repository's projects. */
async function withEngine(): Promise<{ cwd: string; env: NodeJS.ProcessEnv }> {
  const { cwd, projectDirectory } = whereToRun(process.env.INIT_CWD);
  const engine = await findEngine().catch((error: unknown) => {
    say(error instanceof Error ? error.message : String(error));
    process.exit(1);
  });
  return { cwd, env: engineEnvironment(engine, backendEnvironment(process.env, projectDirectory)) };
}
