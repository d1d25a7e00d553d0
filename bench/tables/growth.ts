import { entrantName } from "../entrants.ts";
import { growthOfProvider, hasRoles } from "../figures.ts";
import type { CourseResult } from "../results.ts";
import { stepNames } from "../steps.ts";

/** The size to which larger ones are compared, unless an entrant was not measured at it. */
const base = 1_000;

/**
 * The provider's CPU time in each step as a ratio to that of fewer tenants: a row for each entrant and larger size of one run,
 * without latency. The first row is the heading. Empty if there are not two sizes of an entrant.
 */
export function growthTable(courses: readonly CourseResult[]): string[][] {
  const measured = courses.filter((course) => course.latencyMilliseconds === 0 && hasRoles(course));
  const rows = [...Map.groupBy(measured, entrantName)].flatMap(([name, ofEntrant]) => rowsOf(name, ofEntrant));
  return rows.length === 0 ? [] : [["", "tenants", ...stepNames], ...rows];
}

function rowsOf(name: string, ofEntrant: readonly CourseResult[]): string[][] {
  const bySize = ofEntrant.toSorted((left, right) => left.size - right.size);
  const small = bySize.find(({ size }) => size === base) ?? bySize[0];
  if (small === undefined) return [];
  return bySize
    .filter(({ size }) => size > small.size)
    .map((large) => [
      name,
      `${small.size.toLocaleString("en")} to ${large.size.toLocaleString("en")}`,
      ...growthOfProvider(small, large).map(({ times }) => times.toFixed(1)),
    ]);
}
