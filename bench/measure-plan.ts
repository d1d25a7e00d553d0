import type { Turn } from "./measure.ts";
import type { Group, Plan } from "./plans.ts";
import type { CourseResult, Measurement } from "./results.ts";

interface Measuring {
  readonly runStartedAt: string;
  /** What the run has measured before it was interrupted. */
  readonly before: readonly CourseResult[];
  /** Measures one turn of an entrant. Rounds are counted from 1. */
  measure(turn: Turn, round: number): Promise<Measurement[]>;
  /** Called after each turn, with everything that the run has measured. */
  keep(courses: readonly CourseResult[]): void;
  /** Called when a group is complete. */
  onGroup(group: Group, courses: readonly CourseResult[]): void;
}

/** Measures what a run has not measured yet. Returns all its courses. */
export async function measurePlan(plan: Plan, measuring: Measuring): Promise<CourseResult[]> {
  const groups = plan.map((group) => ({ group, courses: coursesOf(group, measuring) }));
  const all = groups.flatMap(({ courses }) => courses);
  for (const { group, courses } of groups) {
    for (let round = 1; round <= group.rounds; round += 1) {
      for (const course of courses.filter(({ rounds }) => rounds.length < round)) {
        const { contender, backend, engineLog, size, latencyMilliseconds } = course;
        const turn = { contender, backend, engineLog, size, latencyMilliseconds };
        course.rounds.push(await measuring.measure(turn, round));
        measuring.keep(all.filter(({ rounds }) => rounds.length > 0));
      }
    }
    measuring.onGroup(group, courses);
  }
  return all;
}

/** The courses of a group, with the rounds that the run has measured before. */
function coursesOf(
  { size, latencyMilliseconds, entrants }: Group,
  { runStartedAt, before }: Measuring,
): CourseResult[] {
  return entrants.map((entrant) => {
    const measured = before.find(
      (course) =>
        course.size === size &&
        course.latencyMilliseconds === latencyMilliseconds &&
        course.contender === entrant.contender &&
        course.backend === entrant.backend &&
        course.engineLog === entrant.engineLog,
    );
    return { runStartedAt, ...entrant, size, latencyMilliseconds, rounds: [...(measured?.rounds ?? [])] };
  });
}
