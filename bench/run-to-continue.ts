import { type Commit, whyNotContinued } from "./commit.ts";
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
  const why = whyNotContinued("measured", run.commit, commit);
  if (why === undefined) return { runStartedAt, run };
  throw new Error(`cannot continue the run of ${runStartedAt}: ${why}. Start another run.`);
}
