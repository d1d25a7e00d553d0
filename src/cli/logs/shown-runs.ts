import type { Tenant } from "../../api/index.ts";
import type { RunWords } from "../../operation/run-outcome.ts";
import { isUnderWay, type RunFacts, runFacts } from "../../operation/run-record.ts";

/** A run that a tenant's status shows. */
export interface ShownRun extends Pick<RunFacts, "outcome" | "status"> {
  /** Absent if the platform shows none, or none that its log has. */
  id?: number;
}

/** The runs that a tenant's status shows: the one that is under way, and the last one that has ended. */
export function shownRuns(
  { status }: Pick<Tenant, "status">,
  words: RunWords,
): { current?: ShownRun; last?: ShownRun } {
  const [current, last] = [status?.current_run, status?.last_run].map((run) => runFacts(run ?? {}, words));
  return {
    ...(current === undefined || !isUnderWay(current) ? {} : { current: shown(current) }),
    ...(last === undefined ? {} : { last: shown(last) }),
  };
}

function shown({ id, ...run }: RunFacts): ShownRun {
  const { outcome, status } = run;
  const isNumber = /^[1-9]\d{0,15}$/.test(String(id)); // the log has the address of a number (specification, Runs)
  return {
    ...(isNumber ? { id: Number(id) } : {}),
    ...(outcome === undefined ? {} : { outcome }),
    ...(status === undefined ? {} : { status }),
  };
}
