import type { Shell } from "../shell.ts";
import { type ExitCode, exitCodes } from "../subcommand.ts";
import { withProgress } from "../terminal.ts";
import { withDeadLetters } from "./open-store.ts";
import type { ReceiverChoice } from "./receiver-choice.ts";

/** Sends the dead letters of a receiver to its queue again. */
export async function runRedrive(
  shell: Shell,
  options: ReceiverChoice & { dryRun?: true | undefined },
): Promise<ExitCode> {
  return withDeadLetters(shell, options, async (store) => {
    if (options.dryRun) {
      shell.stdout.write(`Dead letters: ${await store.count()}.\n`);
      return exitCodes.success;
    }
    const moved = await withProgress(shell, "sending the dead letters", (progress) =>
      store.redrive((count) => progress.show(`sending the dead letters: ${count} so far`)),
    );
    const hint = "A message that fails as often again becomes a dead letter again.";
    const text =
      moved === 0 ? "There are no dead letters." : `Dead letters that are in the queue again: ${moved}. ${hint}`;
    shell.stdout.write(`${text}\n`);
    return exitCodes.success;
  });
}
