import { type ExitCode, exitCodes } from "../subcommand.ts";
import { withProgress } from "../terminal.ts";
import { withDeadLetters } from "./open-store.ts";
import type { ReceiverChoice } from "./receiver-choice.ts";

/** Sends the dead letters of a receiver to its queue again. */
export async function runRedrive(options: ReceiverChoice & { dryRun?: true | undefined }): Promise<ExitCode> {
  return withDeadLetters(options, async (store) => {
    if (options.dryRun) {
      console.log(`Dead letters: ${await store.count()}.`);
      return exitCodes.success;
    }
    const moved = await withProgress("sending the dead letters", (progress) =>
      store.redrive((count) => progress.show(`sending the dead letters: ${count} so far`)),
    );
    const hint = "A message that fails as often again becomes a dead letter again.";
    console.log(
      moved === 0 ? "There are no dead letters." : `Dead letters that are in the queue again: ${moved}. ${hint}`,
    );
    return exitCodes.success;
  });
}
