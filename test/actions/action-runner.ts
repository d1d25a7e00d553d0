import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { runCommand } from "../../engine/run-command.ts";
import { commandLine } from "../cli/run-cli.ts";

const repository = join(import.meta.dirname, "../..");

const actionSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  inputs: z.record(
    z.string(),
    z.strictObject({ description: z.string(), required: z.boolean().optional(), default: z.string().optional() }),
  ),
  runs: z.strictObject({
    using: z.literal("composite"),
    steps: z.array(
      z.strictObject({
        name: z.string(),
        if: z.literal("always()").optional(),
        shell: z.literal("bash"),
        env: z.record(z.string(), z.string()),
        run: z.string(),
      }),
    ),
  }),
});

const gh = `#!/bin/sh
{ printf 'gh'; for arg in "$@"; do printf ' <%s>' "$arg"; done; echo; } >> "$RUNNER_TEMP/gh.log"
case "$*" in *--jq*) cat "$RUNNER_TEMP/gh.answer" 2>/dev/null;; esac
exit 0
`;

/** Reads an action of this repository. */
export async function readAction(name: string) {
  return actionSchema.parse(parse(await readFile(join(repository, "actions", name, "action.yml"), "utf8")));
}

/**
 * A workspace in which the steps of an action run. A script stands in for `gh`: it writes its arguments into gh.log and answers with
 * gh.answer.
 *
 * @param environment of the job.
 * @param place the workspace; default: a new folder.
 */
export async function actionRunner(action: string, environment: NodeJS.ProcessEnv, place?: string) {
  const temporary = await mkdtemp(join(tmpdir(), "action-"));
  const folder = place ?? temporary;
  const program = async (name: string, text: string) => {
    await mkdir(join(temporary, "bin"), { recursive: true });
    await writeFile(join(temporary, "bin", name), text);
    await chmod(join(temporary, "bin", name), 0o755);
  };
  await program("gh", gh);
  await program("npx", '#!/bin/sh\nshift\nexec "$@"\n'); // its first argument is --no-install
  await program("integration-platform", `#!/bin/sh\nexec "${process.execPath}" "${commandLine}" "$@"\n`);
  const { runs, inputs } = await readAction(action);
  const read = (name: string) => readFile(join(temporary, name), "utf8").catch(() => "");
  /** Runs the script of a step as GitHub does, and returns its exit code. */
  const runScript = async (script: string, env: NodeJS.ProcessEnv) => {
    const { code } = await runCommand("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
      cwd: folder,
      timeLimitSeconds: 60,
      env: {
        ...process.env,
        ...{
          GITHUB_WORKSPACE: folder,
          GITHUB_REPOSITORY: "acme/sync",
          GITHUB_STEP_SUMMARY: join(temporary, "summary.md"),
          RUNNER_TEMP: temporary,
        },
        ...environment,
        PATH: [join(temporary, "bin"), environment.PATH ?? process.env.PATH].join(delimiter),
        ...env,
      },
    });
    return code;
  };
  return {
    temporary,
    read,
    runScript,
    /** Runs the steps as GitHub does, and returns the exit codes. */
    run: async (given: Record<string, string>, env: NodeJS.ProcessEnv = {}) => {
      const values: Record<string, string> = {
        ...Object.fromEntries(Object.entries(inputs).map(([name, one]) => [`inputs.${name}`, one.default ?? ""])),
        ...Object.fromEntries(Object.entries(given).map(([name, value]) => [`inputs.${name}`, value])),
        "inputs.command": "integration-platform",
        "github.token": "ghs-token",
        "github.event.pull_request.number": "7",
      };
      const codes: (number | null)[] = [];
      for (const step of runs.steps) {
        const own = Object.entries(step.env).map(([name, text]) => [
          name,
          text.replace(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => values[expression] ?? `unknown ${expression}`),
        ]);
        codes.push(await runScript(step.run, { ...Object.fromEntries(own), ...env }));
      }
      return codes;
    },
    [Symbol.asyncDispose]: () => rm(temporary, { recursive: true }),
  };
}
