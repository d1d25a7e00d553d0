// `npm run integration-platform -- <arguments>`: the command of this project; for `drift`, with an engine that is found or made.
import { dirname, join } from "node:path";
import { backendEnvironment } from "./backend-environment.ts";
import { engineEnvironment } from "./engine-environment.ts";
import { findEngine } from "./find-engine.ts";
import { passThrough } from "./pass-through.mjs";
import { say } from "./set-up.ts";
import { whereToRun } from "./where-to-run.ts";

const command = join(dirname(import.meta.dirname), "src/cli/main.ts");

const args = process.argv.slice(2);
const needsEngine = args.includes("drift") && !args.includes("--help");
process.exitCode = await passThrough(process.execPath, [command, ...args], needsEngine ? await withEngine() : {});

async function withEngine(): Promise<{ cwd: string; env: NodeJS.ProcessEnv }> {
  const { cwd, projectDirectory } = whereToRun(process.env.INIT_CWD);
  const engine = await findEngine().catch((error: unknown) => {
    say(error instanceof Error ? error.message : String(error));
    process.exit(1);
  });
  return { cwd, env: engineEnvironment(engine, backendEnvironment(process.env, projectDirectory)) };
}
