import type { Commit } from "./commit.ts";
import type { Results, Run } from "./results.ts";

/**
 * The latest run, which `--continue` continues.
 *
 * @param commit the commit of the clone now.
 * @throws Error if there is none, or if it did not measure exactly this commit.
 */
export function runToContinue({ runs }: Results, commit: Commit | undefined): { runStartedAt: string; run: Run } {
  const [runStartedAt] = Object.keys(runs).toSorted().slice(-1);
  const run = runs[runStartedAt ?? ""];
  if (runStartedAt === undefined || run === undefined) throw new Error("bench/results.json has no run to continue");
  const why = whyNot(run.commit, commit);
  if (why === undefined) return { runStartedAt, run };
  throw new Error(`cannot continue the run of ${runStartedAt}: ${why}. Start another run.`);
}

function whyNot(measured: Commit | undefined, now: Commit | undefined): string | undefined {
  if (measured === undefined) return "its commit is unknown";
  if (now === undefined) return "the commit of this folder is unknown";
  if (measured.hasChanges) return "it measured changes that are in no commit";
  if (now.hasChanges) return "the clone has changes that are not in its commit";
  return measured.id === now.id ? undefined : `it measured commit ${measured.id}, and the clone is at ${now.id}`;
}
