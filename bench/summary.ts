import { table } from "../src/cli/fit.ts";
import { entrantName } from "./entrants.ts";
import { hasRoles, providerCpuSeconds, ratiosTo, type Value, valuesOf, wallSeconds, withSpread } from "./figures.ts";
import type { CourseResult } from "./results.ts";
import { stepNames } from "./steps.ts";
import { backendRatioTable } from "./tables/backend-ratios.ts";
import { growthTable } from "./tables/growth.ts";
import { targetsLegend, targetsTable } from "./tables/targets.ts";

/** The summary of courses of one size and latency in one run: medians with their spread, then ratios. */
export function summaryOf(courses: readonly CourseResult[]): string {
  const onFile = courses.filter(({ backend }) => backend === "file");
  const sections = [
    ["wall time, s", rows(courses, wallSeconds)],
    ["CPU time, s", rows(courses, ({ cpuSeconds }) => cpuSeconds)],
    ...(courses.every(hasRoles) ? ([["provider, CPU time, s", rows(courses, providerCpuSeconds)]] as const) : []),
    ["HTTP requests", rows(courses, ({ requests }) => sum(Object.values(requests)), 0)],
    ["of these, lists of tenants", rows(courses, ({ requests }) => requests["GET /v2/tenants"] ?? 0, 0)],
    ["requests at once, at most", rows(courses, ({ atOnce }) => atOnce, 0)],
    ["provider, peak MB", rows(courses, ({ peakMegabytes }) => peakMegabytes.provider, 0)],
    ["program, peak MB", rows(courses, ({ peakMegabytes }) => peakMegabytes.program, 0)],
    ["engine, peak MB", rows(courses, ({ peakMegabytes }) => peakMegabytes.engine, 0)],
    ...ratios(courses, "terraform"),
    ...ratios(onFile, "plain"),
    ...ratios(onFile, "tenants"),
  ] as const;
  const head = (title: string) => [title, ...stepNames];
  const tables = sections.map(([title, body]) => table([head(title), ...body]));
  return [...tables, ...backendRatios(courses), notes(courses)].join("\n\n");
}

/** What all courses of a run tell together: the growth of the provider's CPU time, and the targets. */
export function summaryOfRun(courses: readonly CourseResult[]): string {
  const growth = growthTable(courses);
  return [
    ...(growth.length === 0 ? [] : [`Provider's CPU time as a ratio to that of fewer tenants\n${table(growth)}`]),
    `Targets\n${table(targetsTable(courses))}\n${targetsLegend}`,
  ].join("\n\n");
}

function rows(courses: readonly CourseResult[], value: Value, digits = 1): string[][] {
  return courses.map((course) => [
    entrantName(course),
    ...stepNames.map((step) => withSpread(valuesOf(course, step, value), digits)),
  ]);
}

/** The ratios of the wall times to those of one contender on a file. */
function ratios(courses: readonly CourseResult[], base: CourseResult["contender"]): [string, string[][]][] {
  const baseCourse = courses.find((course) => entrantName(course) === base);
  const others = courses.filter((course) => course !== baseCourse);
  if (baseCourse === undefined || others.length === 0) return [];
  const body = others.map((course) => [
    entrantName(course),
    ...stepNames.map((step) => withSpread(ratiosTo(baseCourse, course, step), 2)),
  ]);
  return [[`wall time, ratio to ${base}`, body]];
}

function backendRatios(courses: readonly CourseResult[]): string[] {
  const rows = backendRatioTable(courses);
  return rows.length < 2 ? [] : [table(rows)];
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
