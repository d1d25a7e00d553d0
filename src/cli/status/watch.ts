import { setTimeout as sleep } from "node:timers/promises";
import { eachOneLine } from "../../json/one-line.ts";
import { messageOf } from "../output.ts";
import { printToStandardError, type Shell } from "../shell.ts";
import { CommandError, type ExitCode, exitCodes } from "../subcommand.ts";
import { explained } from "../with-platform.ts";

/**
 * Looks again and again, until the process receives SIGINT or SIGTERM, or nobody reads its output any more. A terminal shows the
 * latest look only. A look that fails is reported, and the next follows, except if already the first fails.
 *
 * @param pauseSeconds from the end of a look to the start of the next.
 */
export async function watch(shell: Shell, pauseSeconds: number, look: () => Promise<string>): Promise<ExitCode> {
  const { stdout, closedOutput, interruption } = shell;
  const ending = AbortSignal.any([interruption(), closedOutput]);
  const ended = new Promise<undefined>((resolve) => {
    ending.addEventListener("abort", () => resolve(undefined));
  });
  for (let isFirst = true; !ending.aborted; isFirst = false) {
    const looking = look().catch((error: unknown) => {
      if (ending.aborted) return undefined; // the end closes the connection
      const reason = explained(error, (message) => message);
      if (isFirst || !(reason instanceof CommandError)) throw error;
      printToStandardError(shell, `error: ${eachOneLine(messageOf(reason))}`);
      return undefined;
    });
    const text = await Promise.race([looking, ended]);
    if (text !== undefined) stdout.write(stdout.isTTY ? clearScreen + text : text);
    await Promise.race([sleep(pauseSeconds * 1000, undefined, { ref: true, signal: ending }).catch(() => {}), ended]);
  }
  return exitCodes.success;
}

/** Moves to the first line and erases all. */
const clearScreen = "\u001b[H\u001b[2J\u001b[3J";
