import type { CourseResult, Measurement } from "../results.ts";
import { type StepName, stepNames } from "../steps.ts";
import { median, valuesOf } from "../summary.ts";

/** A step of a contender on a backend, at a size and a latency, as charts show it. */
export interface Point {
  readonly contender: CourseResult["contender"];
  readonly backend: CourseResult["backend"];
  /** Points are only to be compared with those of the same run. */
  readonly runStartedAt: string;
  readonly size: number;
  readonly latencyMilliseconds: number;
  readonly step: StepName;
  /** Median of the rounds, and the least and the most. */
  readonly seconds: number;
  readonly leastSeconds: number;
  readonly mostSeconds: number;
  /** The most of any round. */
  readonly providerMegabytes: number;
}

export function pointsOf(courses: readonly CourseResult[]): Point[] {
  return courses.flatMap((course) => stepNames.map((step) => pointOf(course, step)));
}

function pointOf(course: CourseResult, step: StepName): Point {
  const { contender, backend, runStartedAt, size, latencyMilliseconds } = course;
  const values = (value: (measurement: Measurement) => number) => valuesOf(course, step, value);
  const seconds = values(({ wallSeconds }) => wallSeconds);
  return {
    contender,
    backend,
    runStartedAt,
    size,
    latencyMilliseconds,
    step,
    seconds: median(seconds),
    leastSeconds: Math.min(...seconds),
    mostSeconds: Math.max(...seconds),
    providerMegabytes: Math.max(...values(({ peakMegabytes }) => peakMegabytes.provider)),
  };
}
