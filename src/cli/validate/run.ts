import { oneLine } from "../../json/one-line.ts";
import { type ExitCode, exitCodes } from "../subcommand.ts";
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
export async function runValidate({ online, format, ...named }: ValidateOptions): Promise<ExitCode> {
  const targets = filesToCheck(named);
  const result = await findProblems(targets, {
    isOnline: online === true,
    warn: (message) => console.error(`warning: ${oneLine(message)}`),
  });
  process.stdout.write(renderers[format](result));
  for (const failure of result.failures) console.error(`error: ${oneLine(failure)}`);
  return result.problems.length === 0 && result.failures.length === 0 ? exitCodes.success : exitCodes.failure;
}
