import { resolve } from "node:path";
import { oneLine } from "../../json/one-line.ts";
import { type ExitCode, exitCodes } from "../subcommand.ts";
import { filesToCheck } from "./files-to-check.ts";
import { findProblems } from "./find-problems.ts";
import { renderGithub, renderJson, renderText } from "./render.ts";

export interface ValidateOptions {
  files: readonly string[];
  stack?: string | undefined;
  /** Folder of Pulumi.yaml. Default: the working directory. */
  cwd?: string | undefined;
  online?: true | undefined;
  format: "text" | "json" | "github";
}

const renderers = { text: renderText, json: renderJson, github: renderGithub };

/** Prints the problems of stacks' files and files of tenants. */
export async function runValidate({ files, stack, cwd = ".", online, format }: ValidateOptions): Promise<ExitCode> {
  const targets = filesToCheck({ directory: resolve(cwd), stack, files });
  const result = await findProblems(targets, {
    isOnline: online === true,
    warn: (message) => console.error(`warning: ${oneLine(message)}`),
  });
  process.stdout.write(renderers[format](result));
  for (const failure of result.failures) console.error(`error: ${oneLine(failure)}`);
  return result.problems.length === 0 && result.failures.length === 0 ? exitCodes.success : exitCodes.failure;
}
