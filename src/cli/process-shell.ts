import { styleText } from "node:util";
import type { Shell } from "./shell.ts";
import { exitCodes } from "./subcommand.ts";

/**
 * The shell of this process.
 *
 * @param closedOutput as {@link Shell.closedOutput}. Default: a signal that is never aborted.
 */
export function processShell(closedOutput: AbortSignal = new AbortController().signal): Shell {
  return {
    env: process.env,
    directory: process.cwd(),
    get stdin() {
      return process.stdin; // opened only by a command that reads it
    },
    stdout: process.stdout,
    stderr: process.stderr,
    styled: (style, text) => styleText(style, text, { stream: process.stdout, validateStream: true }),
    closedOutput,
    interruption,
    exitCode: exitCodes.success,
    shownProgress: new Set(),
  };
}

function interruption(): AbortSignal {
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => interrupted.abort());
  return interrupted.signal;
}
