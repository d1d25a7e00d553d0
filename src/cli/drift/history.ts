import { digest } from "../../json/digest.ts";
import { formatPath } from "../property-path.ts";
import type { DriftHistory, Finding } from "./history-file.ts";
import type { Difference } from "./tenant-differences.ts";

/** A run of `drift` that came to its end. */
export interface DriftRun {
  project: string | undefined;
  stack: string;
  /** Date and time in UTC: `2026-11-22T05:17:00Z`. */
  at: string;
}

/** What the history says about a run. */
export interface KnownDrift {
  /** The time of this run. */
  at: string;
  /** When the run before ended; absent if this is the first run for the stack. */
  previousRunAt?: string;
  /** What the run before found and this one did not. */
  gone: Finding[];
}

/** How long a finding is kept that no run finds any more. */
const keptDays = 90;
/** How many of them are kept for each stack; the oldest go first. */
const goneMaximum = 1000;

/**
 * Adds a run to the history. The findings of other stacks stay as they are, until they are too old.
 *
 * A finding is the same as long as each run finds the same declared and the same actual value at the same field of the same
 * tenant. What comes back after it was gone is a new finding, and so is another value.
 */
export function recordRun(
  history: DriftHistory,
  run: DriftRun,
  differences: readonly Difference[],
): { history: DriftHistory; differences: Difference[]; known: KnownDrift } {
  const { at, stack, project } = run;
  const isOwn = (entry: { stack: string; project?: string | undefined }) =>
    entry.stack === stack && entry.project === project;
  const own = history.findings.filter(isOwn);
  const open = new Map(own.filter(({ goneAt }) => goneAt === undefined).map((finding) => [keyOf(finding), finding]));
  const found = new Map<string, Finding>();
  const known = differences.map((difference): Difference => {
    const finding = findingOf(difference, run);
    const key = keyOf(finding);
    const { firstFoundAt = at, changedOn = finding.changedOn } = open.get(key) ?? {};
    found.set(key, { ...finding, firstFoundAt, changedOn });
    return { ...difference, firstFoundAt };
  });
  const gone = [...open].filter(([key]) => !found.has(key)).map(([, finding]) => ({ ...finding, goneAt: at }));
  const earlier = own.filter(({ goneAt }) => goneAt !== undefined);
  const previousRunAt = history.runs.find(isOwn)?.lastRunAt;
  return {
    differences: known,
    known: { at, ...(previousRunAt === undefined ? {} : { previousRunAt }), gone },
    history: {
      ...history,
      runs: [...history.runs.filter((other) => !isOwn(other)), { ...identityOf(run), lastRunAt: at }].filter(
        ({ lastRunAt }) => isRecent(lastRunAt, at),
      ),
      findings: [
        ...history.findings.filter((finding) => !isOwn(finding)),
        ...latest([...earlier, ...gone]),
        ...found.values(),
      ]
        .filter(({ goneAt, lastFoundAt }) => isRecent(goneAt ?? lastFoundAt, at))
        .sort(byStackAndTime),
    },
  };
}

function findingOf({ path, isSecret, declared, actual, changedOn, ...tenant }: Difference, run: DriftRun): Finding {
  return {
    ...identityOf(run),
    ...tenant,
    ...(path === undefined ? {} : { field: formatPath(path) }),
    ...(declared === undefined ? {} : { declared }),
    ...(actual === undefined ? {} : { actual }),
    isSecret,
    changedOn,
    firstFoundAt: run.at,
    lastFoundAt: run.at,
  };
}

function identityOf({ project, stack }: DriftRun): Pick<Finding, "project" | "stack"> {
  return project === undefined ? { stack } : { project, stack };
}

/** `changedOn` does not count: a refresh in between changes it from `platform` to `program`. */
function keyOf({ tenant, tenantId, resource, field, declared, actual, isSecret }: Finding): string {
  return digest([tenantId ?? tenant, resource, field ?? null, [declared], [actual], isSecret]);
}

function latest(gone: readonly Finding[]): Finding[] {
  return [...gone].sort((left, right) => timeOf(right.goneAt) - timeOf(left.goneAt)).slice(0, goneMaximum);
}

function isRecent(time: string, now: string): boolean {
  return timeOf(now) - timeOf(time) <= keptDays * 24 * 60 * 60 * 1000;
}

function timeOf(time: string | undefined): number {
  return Date.parse(time ?? "");
}

/** An order that changes little from run to run, for those who keep the file in Git. */
function byStackAndTime(left: Finding, right: Finding): number {
  const keyOf = ({ project = "", stack, firstFoundAt, tenant, field = "" }: Finding) =>
    JSON.stringify([project, stack, firstFoundAt, tenant, field]);
  const [one, other] = [keyOf(left), keyOf(right)];
  return one < other ? -1 : one > other ? 1 : 0;
}
