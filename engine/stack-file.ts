import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { projectFileIn } from "../src/project/project-file.ts";
import { projectOf, stackFilePath } from "../src/stack/yaml/project.ts";
import { pulumiHome } from "./pulumi-home.ts";

/** The commands of the Pulumi CLI that run with the stack's config. `config` is not one: it repairs the file. */
const commands = ["up", "update", "preview", "pre", "refresh", "destroy", "down", "dn", "import", "watch"];

/** The options that may stand before the command, and whose value is the next argument. */
const optionsWithValue = ["-s", "--stack", "--config-file", "--color", "-v", "--verbose", "--tracing", "--profiling"];

/**
 * The file of the stack that a command of the Pulumi CLI is going to read. `undefined` if the command reads none, or if the
 * stack is not known: then only the CLI can tell what is wrong.
 *
 * @param where the folder in which the command runs, and the folder of Pulumi.yaml.
 */
export function stackFileOf(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { cwd, projectDirectory }: { cwd: string; projectDirectory: string },
): string | undefined {
  const command = commandOf(args);
  if (command === undefined || !commands.includes(command)) return undefined;
  if (args.some((arg) => /^(-C|--cwd(=|$)|-h$|--help$)/.test(arg))) return undefined;
  const configFile = optionOf(args, "--config-file");
  const stack = optionOf(args, "--stack", "-s") ?? env.PULUMI_STACK ?? selectedStack(env, projectDirectory);
  if (configFile === undefined && stack === undefined) return undefined;
  const path = configFile ? resolve(cwd, configFile) : stackFilePath(projectOf(projectDirectory), stack ?? "");
  return existsSync(path) ? path : undefined;
}

/** The file of the stack that `stack init` or `stack select --create` is going to make, if it exists already. */
export function fileOfNewStack(args: readonly string[], projectDirectory: string): string | undefined {
  const [command, subcommand, name] = args.filter(
    (arg, index) => !arg.startsWith("-") && !optionsWithValue.includes(args[index - 1] ?? ""),
  );
  const isMade = subcommand === "init" || (subcommand === "select" && args.some((arg) => /^(--create|-c)$/.test(arg)));
  if (command !== "stack" || !isMade || args.some((arg) => /^(-C|--cwd(=|$))/.test(arg))) return undefined;
  const stack = optionOf(args, "--stack", "-s") ?? name;
  if (stack === undefined) return undefined;
  const path = stackFilePath(projectOf(projectDirectory), stack);
  return existsSync(path) ? path : undefined;
}

/** The command of the Pulumi CLI that the arguments name: `up`, `stack`. */
export function commandOf(args: readonly string[]): string | undefined {
  return args.find((arg, index) => !arg.startsWith("-") && !optionsWithValue.includes(args[index - 1] ?? ""));
}

function optionOf(args: readonly string[], ...names: readonly string[]): string | undefined {
  for (const [index, arg] of args.entries()) {
    if (names.includes(arg)) return args[index + 1];
    const name = names.find((option) => arg.startsWith(`${option}=`));
    if (name !== undefined) return arg.slice(name.length + 1);
    const short = names.find((option) => /^-\w$/.test(option) && arg.startsWith(option));
    if (short !== undefined) return arg.slice(short.length);
  }
  return undefined;
}

/** The stack that `pulumi stack select` has chosen, as the CLI stores it in its home. */
function selectedStack(env: NodeJS.ProcessEnv, projectDirectory: string): string | undefined {
  const projectFile = projectFileIn(projectDirectory);
  if (projectFile === undefined) return undefined;
  try {
    const { name } = projectSchema.parse(parse(readFileSync(projectFile, "utf8")));
    const id = createHash("sha1").update(projectFile).digest("hex");
    const text = readFileSync(join(pulumiHome(env), "workspaces", `${name}-${id}-workspace.json`), "utf8");
    const { stack, stacks = {} } = workspaceSchema.parse(JSON.parse(text));
    return stacks[env.PULUMI_BACKEND_URL ?? ""] ?? stack;
  } catch {
    return undefined;
  }
}

const projectSchema = z.object({ name: z.string() });
const workspaceSchema = z.object({
  stack: z.string().optional(),
  stacks: z.record(z.string(), z.string()).optional(),
});
