import { type Turn, turnName } from "./entrants.ts";
import type { Group, Plan } from "./plans.ts";
import type { CourseResult, Measurement } from "./results.ts";

interface Measuring {
  readonly runStartedAt: string;
  /** What the run has measured before it was interrupted. */
  readonly before: readonly CourseResult[];
  /** Measures one turn of an entrant. Rounds are counted from 1. */
  measure(turn: Turn, round: number): Promise<Measurement[]>;
  /** Called after a turn that failed, whose entrant takes no further turns in its group. May throw to end the run. */
  onFailure(turn: Turn, error: unknown): void;
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
    const failed = new Set<CourseResult>();
    for (let round = 1; round <= group.rounds; round += 1) {
      for (const course of courses.filter(({ rounds }) => rounds.length < round)) {
        if (failed.has(course)) continue;
        const isMeasured = await measureRound(course, round, measuring);
        if (isMeasured) measuring.keep(all.filter(hasRounds));
        else failed.add(course);
      }
    }
    measuring.onGroup(group, courses.filter(hasRounds));
  }
  return all.filter(hasRounds);
}

/** Adds a round to a course. Returns whether that succeeded. */
async function measureRound(course: CourseResult, round: number, { measure, onFailure }: Measuring): Promise<boolean> {
  const { contender, backend, engineLog, size, latencyMilliseconds } = course;
  const turn = { contender, backend, engineLog, size, latencyMilliseconds };
  try {
    course.rounds.push(await measure(turn, round));
    return true;
  } catch (error) {
    onFailure(turn, error);
    return false;
  }
}

function hasRounds({ rounds }: CourseResult): boolean {
  return rounds.length > 0;
}

/** The courses of a group, with the rounds that the run has measured before. */
function coursesOf(
  { size, latencyMilliseconds, entrants }: Group,
  { runStartedAt, before }: Measuring,
): CourseResult[] {
  return entrants.map((entrant) => {
    const turn = { ...entrant, size, latencyMilliseconds };
    const measured = before.find((course) => turnName(course) === turnName(turn));
    return { runStartedAt, ...turn, rounds: [...(measured?.rounds ?? [])] };
  });
}
