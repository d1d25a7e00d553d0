import { entrantName } from "../entrants.ts";
import { ratiosTo, withSpread } from "../figures.ts";
import type { CourseResult } from "../results.ts";
import { stepTable } from "./steps.ts";

/**
 * Wall times as ratios to the same contender with its state in a file: a row for each step, a column for each other backend.
 * The first row is the heading. Only the heading without other backends.
 */
export function backendRatioTable(courses: readonly CourseResult[]): string[][] {
  const onFile = (course: CourseResult) =>
    courses.find(
      (other) => other.size === course.size && entrantName(other) === entrantName({ ...course, backend: "file" }),
    );
  const compared = courses.filter((course) => course.backend !== "file" && onFile(course) !== undefined);
  return stepTable(compared, "wall time, ratio to file", (course, step) => {
    const base = onFile(course);
    return base === undefined ? "" : withSpread(ratiosTo(base, course, step), 2);
  });
}
