import { type Entrant, entrantName } from "../entrants.ts";
import { growthOfProvider, hasRoles, median, ratiosTo, valuesOf, wallSeconds, withSpread } from "../figures.ts";
import type { CourseResult } from "../results.ts";
import type { Limit } from "./targets.ts";

/** What was measured for a limit. */
export interface Outcome {
  readonly isMet: boolean;
  /** The measured value with its spread and unit; a ratio to Terraform has no unit. */
  readonly measured: string;
}

/** Compares a limit with the courses of one run. Returns undefined if the run has not measured it. */
export function outcomeOf(limit: Limit, entrant: Entrant, courses: readonly CourseResult[]): Outcome | undefined {
  const course = find(courses, entrant, limit.size);
  if (course === undefined) return undefined;
  switch (limit.kind) {
    case "ratio": {
      const terraform = find(courses, { contender: "terraform", backend: "file", engineLog: "on" }, limit.size);
      if (terraform === undefined) return undefined;
      const ratios = ratiosTo(terraform, course, limit.step);
      return { isMet: median(ratios) <= limit.most, measured: withSpread(ratios, 2) };
    }
    case "seconds": {
      const values = valuesOf(course, limit.step, wallSeconds);
      return { isMet: median(values) <= limit.most, measured: `${withSpread(values, 1)} s` };
    }
    case "megabytes": {
      const peak = Math.max(...course.rounds.flat().map(({ peakMegabytes }) => peakMegabytes.provider));
      return { isMet: peak <= limit.most, measured: `${peak} MB` };
    }
    case "growth": {
      const small = find(courses, entrant, limit.from);
      if (small === undefined || !hasRoles(small) || !hasRoles(course)) return undefined;
      const [most] = growthOfProvider(small, course).toSorted((left, right) => right.times - left.times);
      if (most === undefined) return undefined;
      return { isMet: most.times <= limit.most, measured: `${most.times.toFixed(1)} times (${most.step})` };
    }
  }
}

function find(courses: readonly CourseResult[], entrant: Entrant, size: number): CourseResult | undefined {
  return courses.find(
    (course) =>
      course.size === size &&
      course.latencyMilliseconds === 0 &&
      course.rounds.length > 0 &&
      entrantName(course) === entrantName(entrant),
  );
}
