import { entrantName } from "../entrants.ts";
import { ratiosTo, valuesOf, wallSeconds, withSpread } from "../figures.ts";
import type { CourseResult } from "../results.ts";
import { type StepName, stepNames } from "../steps.ts";

/** Wall times of one run: a row for each step, a column for each entrant. With several sizes, a row for each size and step. */
export function wallTable(courses: readonly CourseResult[]): string[][] {
  return stepTable(courses, "seconds", (course, step) => withSpread(valuesOf(course, step, wallSeconds), 1));
}

/** The same as ratios to Terraform at the same size, without sizes at which Terraform was not measured. */
export function ratioTable(courses: readonly CourseResult[]): string[][] {
  const terraforms = courses.filter(({ contender }) => contender === "terraform");
  const baseOf = (course: CourseResult) => terraforms.find(({ size }) => size === course.size);
  const compared = courses.filter((course) => baseOf(course) !== undefined && !terraforms.includes(course));
  return stepTable(compared, "ratio to terraform", (course, step) => {
    const base = baseOf(course);
    return base === undefined ? "" : withSpread(ratiosTo(base, course, step), 2);
  });
}

/** A row for each step, a column for each entrant. With several sizes, a row for each size and step. */
export function stepTable(
  courses: readonly CourseResult[],
  title: string,
  cell: (course: CourseResult, step: StepName) => string,
): string[][] {
  const names = [...new Set(courses.map(entrantName))];
  const sizes = [...Map.groupBy(courses, ({ size }) => size)];
  const rows = sizes.flatMap(([size, ofSize]) =>
    stepNames.map((step) => [
      ...(sizes.length > 1 ? [size.toLocaleString("en")] : []),
      step,
      ...names.map((name) => {
        const course = ofSize.find((one) => entrantName(one) === name);
        return course === undefined ? "" : cell(course, step);
      }),
    ]),
  );
  return [[...(sizes.length > 1 ? ["tenants"] : []), title, ...names], ...rows];
}
