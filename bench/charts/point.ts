import { entrantName } from "../entrants.ts";
import { median, valuesOf } from "../figures.ts";
import type { CourseResult, Measurement } from "../results.ts";
import { type StepName, stepNames } from "../steps.ts";

/** One point or bar of a chart: a step of an entrant, at a size and a latency. */
export interface Point {
  readonly contender: CourseResult["contender"];
  readonly backend: CourseResult["backend"];
  readonly engineLog: CourseResult["engineLog"];
  /** The name of the contender with its backend and log, as in tables. */
  readonly entrant: string;
  /** Compare only points of the same run. */
  readonly runStartedAt: string;
  /** The run in words, as charts mark it. */
  readonly run: string;
  /** The title of its panel: `1000 tenants, run of 2026-11-21 19:51`. */
  readonly panel: string;
  readonly size: number;
  readonly latencyMilliseconds: number;
  readonly step: StepName;
  /** Median of the rounds, and the least and the most. */
  readonly seconds: number;
  readonly leastSeconds: number;
  readonly mostSeconds: number;
  /** The largest value of all rounds. */
  readonly providerMegabytes: number;
}

export function pointsOf(courses: readonly CourseResult[]): Point[] {
  return courses.flatMap((course) => stepNames.map((step) => pointOf(course, step)));
}

/** For each size the points of one run, because readers compare bars: the run with most contenders, or else the latest. */
export function ofOneRunEach(points: readonly Point[]): Point[] {
  const contendersIn = (ofRun: readonly Point[]) => new Set(ofRun.map(({ contender }) => contender)).size;
  return [...Map.groupBy(points, ({ size }) => size).values()].flatMap((ofSize) => {
    const runs = [...Map.groupBy(ofSize, ({ runStartedAt }) => runStartedAt)].toSorted(
      ([start, left], [otherStart, right]) => contendersIn(right) - contendersIn(left) || (start < otherStart ? 1 : -1),
    );
    return runs[0]?.[1] ?? [];
  });
}

function pointOf(course: CourseResult, step: StepName): Point {
  const { contender, backend, engineLog, runStartedAt, size, latencyMilliseconds } = course;
  const values = (value: (measurement: Measurement) => number) => valuesOf(course, step, value);
  const seconds = values(({ wallSeconds }) => wallSeconds);
  const run = `run of ${runStartedAt.slice(0, 16).replace("T", " ")}`;
  return {
    contender,
    backend,
    engineLog,
    entrant: entrantName(course),
    runStartedAt,
    run,
    panel: `${size} tenants, ${run}`,
    size,
    latencyMilliseconds,
    step,
    seconds: median(seconds),
    leastSeconds: Math.min(...seconds),
    mostSeconds: Math.max(...seconds),
    providerMegabytes: Math.max(...values(({ peakMegabytes }) => peakMegabytes.provider)),
  };
}
