import { setTimeout as sleep } from "node:timers/promises";
import { eachOneLine } from "../../json/one-line.ts";
import { closedOutput } from "../closed-output.ts";
import { messageOf } from "../output.ts";
import { CommandError, type ExitCode, exitCodes } from "../subcommand.ts";
import { explained } from "../with-platform.ts";

/**
 * Looks again and again, until the process receives SIGINT or SIGTERM, or nobody reads its output any more. A terminal shows the
 * latest look only. A look that fails is reported, and the next follows, except if already the first fails.
 *
 * @param pauseSeconds from the end of a look to the start of the next.
 */
export async function watch(pauseSeconds: number, look: () => Promise<string>): Promise<ExitCode> {
  const ending = new AbortController();
  const end = () => ending.abort();
  process.once("SIGINT", end);
  process.once("SIGTERM", end);
  closedOutput.addEventListener("abort", end, { once: true });
  const ended = new Promise<undefined>((resolve) => {
    ending.signal.addEventListener("abort", () => resolve(undefined));
  });
  for (let isFirst = true; !ending.signal.aborted; isFirst = false) {
    const looking = look().catch((error: unknown) => {
      if (ending.signal.aborted) return undefined; // the end closes the connection
      const reason = explained(error, (message) => message);
      if (isFirst || !(reason instanceof CommandError)) throw error;
      console.error(`error: ${eachOneLine(messageOf(reason))}`);
      return undefined;
    });
    const text = await Promise.race([looking, ended]);
    if (text !== undefined) process.stdout.write(process.stdout.isTTY ? clearScreen + text : text);
    await Promise.race([
      sleep(pauseSeconds * 1000, undefined, { ref: true, signal: ending.signal }).catch(() => {}),
      ended,
    ]);
  }
  return exitCodes.success;
}

/** Moves to the first line and erases all. */
const clearScreen = "\u001b[H\u001b[2J\u001b[3J";
