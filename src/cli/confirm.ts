import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import type { Shell } from "./shell.ts";
import { UsageError } from "./subcommand.ts";

/**
 * Asks a question on the terminal, unless `--yes` has answered it. Only `y` and `yes` are a yes; Ctrl-C and Ctrl-D are a no.
 *
 * @throws UsageError without a terminal and without `--yes`.
 */
export async function confirm(
  shell: Pick<Shell, "stdin" | "stdout">,
  question: string,
  { yes }: { yes?: true | undefined },
): Promise<boolean> {
  if (yes) return true;
  const { stdin: input, stdout: output } = shell;
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
