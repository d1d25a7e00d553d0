import { table } from "../src/cli/output.ts";
import { entrantName } from "./entrants.ts";
import type { CourseResult, Measurement } from "./results.ts";
import { type StepName, stepNames } from "./steps.ts";

/** The summary of courses of one size and latency in one run: medians with their spread, then ratios. */
export function summaryOf(courses: readonly CourseResult[]): string {
  const onFile = courses.filter(({ backend }) => backend === "file");
  const sections = [
    ["wall time, s", rows(courses, ({ wallSeconds }) => wallSeconds)],
    ["CPU time, s", rows(courses, ({ cpuSeconds }) => cpuSeconds)],
    ...(courses.every(hasRoles)
      ? ([["provider, CPU time, s", rows(courses, ({ cpuSecondsByRole }) => cpuSecondsByRole?.provider ?? 0)]] as const)
      : []),
    ["HTTP requests", rows(courses, ({ requests }) => sum(Object.values(requests)), 0)],
    ["of these, lists of tenants", rows(courses, ({ requests }) => requests["GET /v2/tenants"] ?? 0, 0)],
    ["requests at once, at most", rows(courses, ({ atOnce }) => atOnce, 0)],
    ["provider, peak MB", rows(courses, ({ peakMegabytes }) => peakMegabytes.provider, 0)],
    ["program, peak MB", rows(courses, ({ peakMegabytes }) => peakMegabytes.program, 0)],
    ["engine, peak MB", rows(courses, ({ peakMegabytes }) => peakMegabytes.engine, 0)],
    ...ratios(onFile, "terraform"),
    ...ratios(onFile, "plain"),
    ...ratios(onFile, "tenants"),
  ] as const;
  const head = (title: string) => [title, ...stepNames];
  const tables = sections.map(([title, body]) => table([head(title), ...body]));
  return [...tables, ...backendRatios(courses), notes(courses)].join("\n\n");
}

function hasRoles({ rounds }: CourseResult): boolean {
  return rounds.flat().every(({ cpuSecondsByRole }) => cpuSecondsByRole !== undefined);
}

/** The median; for an even number of values, the upper of the two middle ones. */
export function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** A step's value in each round. */
export function valuesOf(course: CourseResult, step: StepName, value: (measurement: Measurement) => number): number[] {
  return course.rounds.flatMap((round) => round.filter((measurement) => measurement.step === step).map(value));
}

function rows(courses: readonly CourseResult[], value: (measurement: Measurement) => number, digits = 1): string[][] {
  return courses.map((course) => [
    entrantName(course),
    ...stepNames.map((step) => withSpread(valuesOf(course, step, value), digits)),
  ]);
}

/** The median of the values, with the least and the most if they differ. */
export function withSpread(values: readonly number[], digits: number): string {
  const [least, middle, most] = [Math.min(...values), median(values), Math.max(...values)].map((value) =>
    value.toFixed(digits),
  );
  return least === most ? `${middle}` : `${middle} (${least}-${most})`;
}

/** The ratios of the median wall times to those of one contender. */
function ratios(courses: readonly CourseResult[], base: CourseResult["contender"]): [string, string[][]][] {
  const baseCourse = courses.find(({ contender }) => contender === base);
  const others = courses.filter((course) => course !== baseCourse);
  if (baseCourse === undefined || others.length === 0) return [];
  const ratio = (course: CourseResult, step: StepName) => wall(course, step) / wall(baseCourse, step);
  const body = others.map((course) => [course.contender, ...stepNames.map((step) => ratio(course, step).toFixed(2))]);
  return [[`wall time, ratio to ${base}`, body]];
}

/** Ratios to the same contender with its state in a file: a column for each other backend, a row for each step. */
function backendRatios(courses: readonly CourseResult[]): string[] {
  const pairs = courses.flatMap((course) => {
    const onFile = courses.find(({ contender, backend }) => contender === course.contender && backend === "file");
    return onFile === undefined || onFile === course ? [] : [{ course, onFile }];
  });
  if (pairs.length === 0) return [];
  const rows = stepNames.map((step) => [
    step,
    ...pairs.map(({ course, onFile }) => (wall(course, step) / wall(onFile, step)).toFixed(2)),
  ]);
  return [table([["wall time, ratio to file", ...pairs.map(({ course }) => entrantName(course))], ...rows])];
}

function wall(course: CourseResult, step: StepName): number {
  return median(valuesOf(course, step, ({ wallSeconds }) => wallSeconds));
}

function notes(courses: readonly CourseResult[]): string {
  const states = courses.map((course) => {
    const stored = course.rounds[0]?.find(({ state }) => state !== undefined)?.state;
    const each = (bytes = 0) => String(Math.round(bytes / course.size));
    return [entrantName(course), each(stored?.jsonBytes), each(stored?.storedBytes), drifted(course)];
  });
  return table([["", "state, bytes per tenant as JSON", "as stored", "sees the drift"], ...states]);
}

function drifted({ rounds }: CourseResult): string {
  return rounds.flat().some(({ step, hasFoundChanges }) => step === "preview, 1% drift" && hasFoundChanges)
    ? "yes"
    : "no";
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
