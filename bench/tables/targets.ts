import { entrantName } from "../entrants.ts";
import type { CourseResult } from "../results.ts";
import { outcomeOf } from "../targets/outcome.ts";
import { type Limit, type Target, targets } from "../targets/targets.ts";

/** What the numbers of the table mean. */
export const targetsLegend =
  "The most that is allowed is after the sign. A number without a unit is the wall time as a ratio to terraform's.";

/**
 * Each target with what one run has measured: a row for each target, a column for each size. The first row is the heading.
 * A cell that misses its target says so; a cell is empty if there is no target, and "not measured" without a result.
 */
export function targetsTable(courses: readonly CourseResult[]): string[][] {
  const sizes = [...new Set(targets.flatMap(({ limits }) => limits.map(({ size }) => size)))].toSorted((a, b) => a - b);
  const rows = targets.map((target) => [nameOf(target), ...sizes.map((size) => cell(target, size, courses))]);
  return [["", ...sizes.map((size) => size.toLocaleString("en"))], ...rows];
}

/** How many limits the courses of a run tell about. */
export function measuredTargets(courses: readonly CourseResult[]): number {
  return targets
    .flatMap(({ entrant, limits }) => limits.map((limit) => outcomeOf(limit, entrant, courses)))
    .filter((outcome) => outcome !== undefined).length;
}

function cell({ entrant, limits }: Target, size: number, courses: readonly CourseResult[]): string {
  const limit = limits.find((one) => one.size === size);
  if (limit === undefined) return "";
  const outcome = outcomeOf(limit, entrant, courses);
  if (outcome === undefined) return `not measured ≤ ${limit.most}`;
  return outcome.isMet ? `${outcome.measured} ≤ ${limit.most}` : `${outcome.measured} > ${limit.most}, missed`;
}

function nameOf({ entrant, limits: [limit] }: Target): string {
  return `${entrantName(entrant)}: ${limit === undefined ? "" : measureOf(limit)}`;
}

function measureOf(limit: Limit): string {
  if (limit.kind === "megabytes") return "provider's peak";
  if (limit.kind === "growth") return `growth of the provider's CPU time from ${limit.from.toLocaleString("en")}`;
  return limit.step;
}
