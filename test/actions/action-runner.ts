import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { runCommand } from "../../engine/run-command.ts";
import { commandLine } from "../cli/run-cli.ts";

const repository = join(import.meta.dirname, "../..");

/** A step of an action or of a workflow's job. */
export const stepSchema = z.union([
  z.strictObject({ uses: z.string(), with: z.record(z.string(), z.coerce.string()).optional() }),
  z.strictObject({
    name: z.string(),
    id: z.string().optional(),
    if: z.literal("always()").optional(),
    shell: z.literal("bash").optional(),
    env: z.record(z.string(), z.coerce.string()).default({}),
    run: z.string(),
  }),
]);

const actionSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  inputs: z.record(
    z.string(),
    z.strictObject({ description: z.string(), required: z.boolean().optional(), default: z.string().optional() }),
  ),
  runs: z.strictObject({
    using: z.literal("composite"),
    steps: z.array(stepSchema.refine((step) => "uses" in step || step.shell === "bash", "it has no shell")),
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

type Action = Awaited<ReturnType<typeof readAction>>;

/** The inputs of an action by their expressions. Throws if a required one is missing, or one is unknown. */
export function inputsOf({ name: action, inputs }: Action, given: Readonly<Record<string, string>>) {
  for (const name of Object.keys(given)) if (!(name in inputs)) throw new Error(`${action} has no input ${name}`);
  const values = Object.entries(inputs).map(([name, { required, default: or }]) => {
    const value = given[name] ?? or;
    if (value === undefined || (required && given[name] === undefined)) throw new Error(`${action} requires ${name}`);
    return [`inputs.${name}`, value];
  });
  return Object.fromEntries(values);
}

/** Replaces the expressions in a string. Throws if one is unknown. */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{\{ *(.*?) *\}\}/g, (_, expression: string) => {
    const value = values[expression];
    if (value === undefined) throw new Error(`nothing is known of \${{ ${expression} }}`);
    return value;
  });
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
  const definition = await readAction(action);
  const read = (name: string) => readFile(join(temporary, name), "utf8").catch(() => "");
  /** Runs the script of a step as GitHub does, and returns its exit code. */
  const runScript = async (script: string, env: NodeJS.ProcessEnv) => {
    const { code } = await runCommand("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
      cwd: folder,
      timeLimitSeconds: 60,
      env: {
        ...process.env,
        ...{
          GITHUB_ACTION_PATH: join(repository, "actions", action),
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
        ...inputsOf(definition, { ...given, command: "integration-platform" }),
        "github.token": "ghs-token",
        "github.event.pull_request.number": "7",
      };
      const codes: (number | null)[] = [];
      for (const step of definition.runs.steps) {
        if ("uses" in step) continue;
        const own = Object.entries(step.env).map(([name, text]) => [name, filled(text, values)]);
        codes.push(await runScript(step.run, { ...Object.fromEntries(own), ...env }));
      }
      return codes;
    },
    [Symbol.asyncDispose]: () => rm(temporary, { recursive: true }),
  };
}
