import { clip } from "./fit.ts";
import type { Shell } from "./shell.ts";

/** Shows how far the work is. */
export interface Progress {
  /** What is shown from now on: `reading metadata: 12 of 5000 tenants`. */
  show(text: string): void;
}

/** Work that is faster than this shows no progress. */
const quietMilliseconds = 2000;
const redrawMilliseconds = 100;

/**
 * Does work, and shows what it does in one line of standard error once it has taken two seconds. The line vanishes at the end.
 * Only on a terminal: a pipeline sees nothing of it.
 *
 * @param what is shown until the work shows something else.
 */
export async function withProgress<Result>(
  { stderr: terminal, shownProgress }: Pick<Shell, "stderr" | "shownProgress">,
  what: string,
  work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  if (!terminal.isTTY) return work({ show: () => {} });
  let [text, shown] = [what, ""];
  const draw = () => {
    const line = clip(text, (terminal.columns || 80) - 1);
    if (line !== shown) terminal.write(`${startOfLine}${line}`);
    shown = line;
  };
  const erase = () => {
    if (shown !== "") terminal.write(startOfLine);
    shown = ""; // the next redraw shows it again, below what was printed meanwhile
  };
  let redraw: NodeJS.Timeout | undefined;
  const start = setTimeout(() => {
    draw();
    redraw = setInterval(draw, redrawMilliseconds);
  }, quietMilliseconds);
  shownProgress.add(erase);
  try {
    return await work({
      show: (now) => {
        text = now;
      },
    });
  } finally {
    clearTimeout(start);
    clearInterval(redraw);
    erase();
    shownProgress.delete(erase);
  }
}

/** Moves to the start of the line and erases it. */
const startOfLine = "\r\u001b[2K";
