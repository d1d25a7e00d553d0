// `npm run pulumi -- <any pulumi arguments>`: the Pulumi CLI in this project, with an engine that is found or made.
import { backendEnvironment } from "./backend-environment.ts";
import { engineEnvironment } from "./engine-environment.ts";
import { findEngine } from "./find-engine.ts";
import { passThrough } from "./pass-through.mjs";
import { say } from "./set-up.ts";
import { whereToRun } from "./where-to-run.ts";

await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<void> {
  const { cwd, projectDirectory } = whereToRun(process.env.INIT_CWD);
  const base = backendEnvironment(process.env, projectDirectory);
  if (args[0] === "login") {
    say(
      "`npm run pulumi` does not use what `pulumi login` chooses: set PULUMI_BACKEND_URL, or backend.url in Pulumi.yaml.",
    );
  }
  const engine = await findEngine().catch((error: unknown) => {
    say(error instanceof Error ? error.message : String(error));
    process.exit(1);
  });
  process.exitCode = await passThrough(engine.command, args, { cwd, env: engineEnvironment(engine, base) });
}
