import { entrantName } from "../entrants.ts";
import { ratiosTo, withSpread } from "../figures.ts";
import type { CourseResult } from "../results.ts";
import { stepNames } from "../steps.ts";

/**
 * Wall times as ratios to the same contender with its state in a file: a row for each step, a column for each other backend.
 * The first row is the heading. Empty without other backends.
 */
export function backendRatioTable(courses: readonly CourseResult[]): string[][] {
  const pairs = courses.flatMap((course) => {
    const onFile = courses.find((other) => entrantName(other) === entrantName({ ...course, backend: "file" }));
    return onFile === undefined || onFile === course ? [] : [{ course, onFile }];
  });
  if (pairs.length === 0) return [];
  const rows = stepNames.map((step) => [
    step,
    ...pairs.map(({ course, onFile }) => withSpread(ratiosTo(onFile, course, step), 2)),
  ]);
  return [["wall time, ratio to file", ...pairs.map(({ course }) => entrantName(course))], ...rows];
}
