// `npm run pulumi -- <any pulumi arguments>`: the Pulumi CLI in this project, with an engine that is found, downloaded or built.
import { backendEnvironment } from "./backend-environment.ts";
import { engineEnvironment } from "./engine-environment.ts";
import { passThrough } from "./pass-through.mjs";
import { prepareEngine } from "./prepare-engine.ts";
import { refreshEnvironment } from "./refresh-differences.ts";
import { say } from "./set-up.ts";
import { fileOfNewStack, stackFileOf } from "./stack-file.ts";
import { decryptionProblems, fileProblems } from "./stack-file-problems.ts";
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
  const checkpoints = process.env.INTEGRATION_PLATFORM_CHECKPOINTS || "each";
  if (!["each", "end"].includes(checkpoints)) {
    console.error(
      `error: INTEGRATION_PLATFORM_CHECKPOINTS must be "each" or "end"; it is ${JSON.stringify(checkpoints)}`,
    );
    process.exit(1);
  }
  const stackFile = stackFileOf(args, base, { cwd, projectDirectory });
  const problems = stackFile === undefined ? [] : fileProblems(stackFile, projectDirectory);
  if (problems.length > 0) {
    console.error(describe(problems));
    process.exit(1);
  }
  const engine = await prepareEngine(base, cwd);
  const env = engineEnvironment(engine, { ...refreshEnvironment(args), ...base });
  process.exitCode = await passThrough(engine.command, args, { cwd, env });
  const withSecrets = stackFile ?? fileOfNewStack(args, projectDirectory);
  if (process.exitCode === 0 || withSecrets === undefined) return;
  // The engine's own messages about secrets do not say which one, or what to do.
  const undecryptable = decryptionProblems(withSecrets, base);
  if (undecryptable.length > 0) console.error(describe(undecryptable));
}

function describe(problems: readonly string[]): string {
  const count = problems.length === 1 ? "a problem" : `${problems.length} problems`;
  return `error: the stack's file has ${count}; nothing has been changed:\n${problems.map((line) => `  ${line}`).join("\n")}`;
}
