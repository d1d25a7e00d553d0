import type { Shell } from "../shell.ts";
import type { StackChoice } from "../stack-choice.ts";
import { type ExitCode, exitCodes } from "../subcommand.ts";
import { withPlatform } from "../with-platform.ts";
import { findViolations } from "./find-violations.ts";
import { renderJson, renderText } from "./render.ts";

/** What is checked, and the stack whose connection is used. */
export interface CheckOptions extends StackChoice {
  /** Name or id. */
  integration: string;
  /** Tag, id, `latest` or `default`. */
  release: string;
  json?: true | undefined;
}

/** Prints the schema violations of an integration's live tenants. */
export async function runCheck(shell: Shell, { json, ...options }: CheckOptions): Promise<ExitCode> {
  const result = await withPlatform(shell, (context) => findViolations(context, options), options);
  shell.stdout.write(json ? renderJson(result) : renderText(result));
  return result.isComplete && result.violations.length === 0 ? exitCodes.success : exitCodes.failure;
}
