// `npm run integration-platform -- <arguments>` runs the command of this project. `drift` needs the Pulumi CLI, and so does
// every command that reads the config or the outputs of a stack, so for them the script finds, downloads or builds an engine
// first.
import { dirname, join } from "node:path";
import { backendEnvironment } from "./backend-environment.ts";
import { engineEnvironment } from "./engine-environment.ts";
import { passThrough } from "./pass-through.mjs";
import { prepareEngine } from "./prepare-engine.ts";
import { whereToRun } from "./where-to-run.ts";

const command = join(dirname(import.meta.dirname), "src/cli/main.ts");
const compileCache = join(import.meta.dirname, "compile-cache.cjs");

const args = process.argv.slice(2);
const asksForHelp = args.some((arg) => ["--help", "-h"].includes(arg));
const namesStack = args.some((arg) => /^--(stack|cwd)(=|$)/.test(arg));
const subcommand = args.find((arg, index) => !arg.startsWith("-") && args[index - 1] !== "--base-url") ?? "help";
const readsFilesOnly = ["help", "validate", "schema"].includes(subcommand);
// Without a file and without names of AWS, the commands about events read the outputs of the selected stack.
const readsEvents = subcommand === "events" && args.some((arg) => ["list", "show", "replay"].includes(arg));
const namesReceiver = args.some((arg) => /^--(data|ledger|dead-letter-queue)(=|$)/.test(arg));
const readsSelectedStack = ["drift", "rollout", "promote"].includes(subcommand) || (readsEvents && !namesReceiver);
const readsStack = namesStack || readsSelectedStack;
const needsEngine = readsStack && !readsFilesOnly && !asksForHelp;
const { cwd, projectDirectory } = whereToRun(process.env.INIT_CWD);
const options = needsEngine ? { cwd, env: await environment() } : { cwd };
process.exitCode = await passThrough(process.execPath, ["--require", compileCache, command, ...args], options);

/** The environment in which `pulumi` runs this repository's projects. */
async function environment(): Promise<NodeJS.ProcessEnv> {
  const engine = await prepareEngine(process.env, cwd);
  return engineEnvironment(engine, backendEnvironment(process.env, projectDirectory));
}
