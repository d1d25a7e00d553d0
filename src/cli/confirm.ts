import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import type { ReadStream, WriteStream } from "node:tty";
import { UsageError } from "./subcommand.ts";

/** Where a question is asked. */
export interface QuestionTerminal {
  readonly input: NodeJS.ReadableStream & Partial<Pick<ReadStream, "isTTY">>;
  readonly output: NodeJS.WritableStream & Partial<Pick<WriteStream, "isTTY">>;
}

/**
 * Asks a question on the terminal, unless `--yes` has answered it. Only `y` and `yes` are a yes; Ctrl-C and Ctrl-D are a no.
 *
 * @throws UsageError without a terminal and without `--yes`.
 */
export async function confirm(
  question: string,
  { yes }: { yes?: true | undefined },
  { input, output }: QuestionTerminal = { input: process.stdin, output: process.stdout },
): Promise<boolean> {
  if (yes) return true;
  if (!input.isTTY || !output.isTTY) {
    throw new UsageError("cannot ask for confirmation without a terminal: use --yes, or try --dry-run first");
  }
  const lines = createInterface({ input, output });
  try {
    const closed = once(lines, "close").then(() => undefined);
    // On a terminal, Ctrl-C and Ctrl-D also abort the question.
    const answered = lines.question(`${question} [y/N] `).catch(() => undefined);
    const answer = await Promise.race([answered, closed]);
    if (answer === undefined) output.write("\n"); // the cursor still stands behind the question
    return /^y(es)?$/i.test(answer?.trim() ?? "");
  } finally {
    lines.close();
  }
}
