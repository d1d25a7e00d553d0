import { NotFoundError } from "../../api/index.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { poll } from "../../operation/poll.ts";
import type { PlacedTenant } from "../../operation/tenant-by-id.ts";
import { CommandError } from "../subcommand.ts";
import type { CommandContext } from "../with-platform.ts";
import { shownRuns } from "./shown-runs.ts";

/** How long a run may take that the command follows. */
const deadlineSeconds = 86_400;
/** How long the log of a run may be missing that the tenant's status does not show: it may only be about to begin. */
const missingSeconds = 30;

/**
 * Prints what is in the log of a run, and then what is new, until the tenant's status no longer shows the run as its current
 * one, the tenant is archived, or nobody reads what is printed any more. Returns how the run ended, as a clause. If the status
 * shows no runs, it goes on.
 *
 * @throws CommandError if there is no log.
 */
export async function followLog(
  context: CommandContext,
  { tenant, integration }: PlacedTenant,
  run: number,
  hide: (text: string) => string,
  print: (text: string) => void,
): Promise<string> {
  const { closedOutput } = context.shell;
  let printed = "";
  let wasCurrent = false;
  const begunAt = performance.now();
  return poll({
    ask: async () => {
      const now = await integration.tenants.fetchFresh(tenant.id); // before the log, which is complete once the run has ended
      const { current, last } = shownRuns(now ?? {}, integration.runWords);
      const isRunning = current !== undefined && current.id === run;
      const read = await logSoFar(context, run);
      // a line that is still being written may have only a part of a credential
      const log = read === undefined ? undefined : hide(isRunning ? completeLines(read) : read);
      wasCurrent ||= isRunning;
      const isWithin = (seconds: number) => performance.now() - begunAt < seconds * 1000;
      if (log === undefined) {
        if (isRunning || isWithin(missingSeconds)) return undefined;
      } else if (log !== printed) {
        print(log.startsWith(printed) ? log.slice(printed.length) : log);
        printed = log;
      }
      if (isRunning) return undefined;
      // it may have begun a moment ago, and lists may not show it yet
      const mayBeNew = !wasCurrent && last !== undefined && last.id !== run;
      if (mayBeNew && isWithin(context.consistencyTimeoutSeconds)) return undefined;
      if (log !== undefined && now === undefined) {
        return "is no longer shown, because the tenant is archived: how it ends is not known";
      }
      const isEndShown = current === undefined ? last !== undefined : current.id !== undefined || last?.id === run;
      if (log !== undefined && !isEndShown) {
        context.warn(
          `the platform does not show the runs of ${tenant.name}, so the end of run ${run} is not known: stop by Ctrl-C`,
        );
        return undefined;
      }
      if (log === undefined) throw new CommandError(`run ${run} has no log, or there is no such run`);
      return last?.id === run ? (last.outcome ?? `has ended with the status "${last.status ?? "?"}"`) : "has ended";
    },
    isDone: (end) => end !== undefined || closedOutput.aborted,
    deadlineSeconds,
    pauses: { first: 1, longest: 5 },
    signal: context.signal,
  }).then((end) => end ?? (closedOutput.aborted ? "is no longer followed" : "has not ended within a day"));
}

async function logSoFar({ client }: OperationContext, run: number): Promise<string | undefined> {
  try {
    return await client.runs.getLog(run);
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

function completeLines(log: string): string {
  return log.slice(0, log.lastIndexOf("\n") + 1);
}
