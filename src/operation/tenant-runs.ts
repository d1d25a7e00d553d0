import { ApiError, type Client, type Run } from "../api/index.ts";
import type { DeclaredRunWords } from "./run-outcome.ts";
import { isUnderWay, type RunFacts, runFacts } from "./run-record.ts";

/** The list of a tenant's runs, which not every platform has. */
export interface TenantRuns {
  /** A tenant's newest runs, the newest first; `undefined` if the platform has no such list. That is asked once per operation. */
  newest(tenantId: number, count: number): Promise<Run[] | undefined>;
}

/** Creates the reader of one operation. A 403, 404 or 405 means that the platform has no list of runs. */
export function createTenantRuns({ runs }: Pick<Client, "runs">): TenantRuns {
  let isMissing = false;
  /** The first request: others wait for it, as it shows whether there is a list. */
  let first: Promise<unknown> | undefined;

  async function ask(tenantId: number, count: number): Promise<Run[] | undefined> {
    try {
      return await runs.newest(tenantId, count);
    } catch (error) {
      const isNotThere = error instanceof ApiError && [403, 404, 405].includes(error.status ?? 0);
      if (!isNotThere) throw error;
      isMissing = true;
      return undefined;
    }
  }

  return {
    newest: async (tenantId, count) => {
      if (first === undefined) {
        const asked = ask(tenantId, count);
        first = asked;
        return asked;
      }
      await first.catch(() => undefined);
      return isMissing ? undefined : ask(tenantId, count);
    },
  };
}

/** What a listed run shows: its facts, and how it came about. */
export interface ListedRun extends RunFacts {
  id: number;
  /** The platform's word: `init`, `normal` or another. */
  mode: string;
  /** The platform's words for where its triggers come from, each once. */
  sources: string[];
  /** How many triggers it serves: those that arrive while a run is in progress are bundled. */
  triggers: number;
  /** Seconds from its start to its end. */
  durationSeconds?: number;
}

/**
 * The facts of a listed run.
 *
 * @param words see `outcomeOf`.
 */
export function listedRun(run: Run, ...words: readonly DeclaredRunWords[]): ListedRun {
  const { id, mode, status, triggers, started_date, completed_date } = run;
  const { phase = null, startTime = null, completionTime = null } = status ?? {};
  const dates = { started_date: started_date ?? null, completed_date: completed_date ?? null };
  const facts = runFacts({ id, status: { phase, startTime, completionTime }, ...dates }, ...words);
  const { startedAt, endedAt } = facts ?? {};
  const sources = (triggers ?? []).flatMap(({ source }) => source || []);
  return {
    ...facts,
    id,
    mode,
    sources: [...new Set(sources)],
    triggers: triggers?.length ?? 0,
    ...(startedAt === undefined || endedAt === undefined
      ? {}
      : { durationSeconds: (Date.parse(endedAt) - Date.parse(startedAt)) / 1000 }),
  };
}

/** How many of the runs that have ended failed. One with an end and an unknown word is no failure and no success. */
export function failingShare(runs: readonly RunFacts[]): { runs: number; failed: number } {
  const ended = runs.filter((run) => !isUnderWay(run));
  return { runs: ended.length, failed: ended.filter(({ outcome }) => outcome === "failed").length };
}
