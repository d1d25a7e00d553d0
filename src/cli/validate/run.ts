import { oneLine } from "../../json/one-line.ts";
import { printToStandardError, type Shell } from "../shell.ts";
import { type ExitCode, exitCodes } from "../subcommand.ts";
import { printWarning } from "../with-platform.ts";
import { filesToCheck } from "./files-to-check.ts";
import { findProblems } from "./find-problems.ts";
import { renderGithub, renderJson, renderText } from "./render.ts";

export interface ValidateOptions {
  files: readonly string[];
  stack?: string | undefined;
  /** Folder of Pulumi.yaml, or a folder below it. Default: the working directory. */
  cwd?: string | undefined;
  online?: true | undefined;
  format: "text" | "json" | "github";
}

const renderers = { text: renderText, json: renderJson, github: renderGithub };

/** Prints the problems of stacks' files and files of tenants. */
export async function runValidate(shell: Shell, { online, format, ...named }: ValidateOptions): Promise<ExitCode> {
  const targets = filesToCheck(shell, named);
  const result = await findProblems(shell, targets, {
    isOnline: online === true,
    warn: (message) => printWarning(shell, message),
  });
  shell.stdout.write(renderers[format](result, shell));
  for (const failure of result.failures) printToStandardError(shell, `error: ${oneLine(failure)}`);
  return result.problems.length === 0 && result.failures.length === 0 ? exitCodes.success : exitCodes.failure;
}
