import { z } from "zod";
import { backendNames } from "../backends/backend.ts";
import { contenderNames, engineLogs } from "../contenders/contender.ts";
import type { CourseResult, Results, Run } from "../results.ts";

/** The courses of one run that a table shows. */
export interface Selection {
  readonly runStartedAt: string;
  readonly run: Run;
  /** In the order of their sizes, contenders, backends and logs. */
  readonly courses: readonly CourseResult[];
}

const list = <Item extends string>(items: readonly Item[]) =>
  z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(z.enum(items)));

/** Which courses a table shows. What it leaves out is not restricted, but for the latency and the backend. */
const filterSchema = z.strictObject({
  sizes: z
    .string()
    .transform((text) => text.split(",").map(Number))
    .pipe(z.array(z.int()))
    .optional(),
  latency: z.coerce.number().default(0),
  contenders: list(contenderNames).optional(),
  backends: list(backendNames).default(["file"]),
  logs: list(engineLogs).optional(),
  /** How the start time of the run begins. */
  run: z.string().default(""),
});

/** Selects courses by attributes such as `{ sizes: "1000,3000", contenders: "fleet" }`, of the run that has most of them. */
export function select(results: Results, attributes: Readonly<Record<string, string>>): Selection | undefined {
  const { sizes, latency, contenders, backends, logs, run } = filterSchema.parse(attributes);
  const courses = results.courses.filter(
    (course) =>
      course.runStartedAt.startsWith(run) &&
      course.latencyMilliseconds === latency &&
      (sizes ?? [course.size]).includes(course.size) &&
      (contenders ?? [course.contender]).includes(course.contender) &&
      backends.includes(course.backend) &&
      (logs ?? [course.engineLog]).includes(course.engineLog),
  );
  return runWithMost({ ...results, courses }, (ofRun) => ofRun.length);
}

/** The run with the highest number; of several, the latest. Courses of different runs are not comparable. */
export function runWithMost(
  { runs, courses }: Results,
  count: (courses: readonly CourseResult[]) => number,
): Selection | undefined {
  const found = [...Map.groupBy(courses, ({ runStartedAt }) => runStartedAt)]
    .map(([runStartedAt, ofRun]) => ({ runStartedAt, ofRun, count: count(ofRun) }))
    .toSorted((left, right) => right.count - left.count || (left.runStartedAt < right.runStartedAt ? 1 : -1))[0];
  const run = runs[found?.runStartedAt ?? ""];
  if (found === undefined || run === undefined) return undefined;
  return { runStartedAt: found.runStartedAt, run, courses: found.ofRun.toSorted(byPlace) };
}

function byPlace(left: CourseResult, right: CourseResult): number {
  return (
    left.size - right.size ||
    contenderNames.indexOf(left.contender) - contenderNames.indexOf(right.contender) ||
    backendNames.indexOf(left.backend) - backendNames.indexOf(right.backend) ||
    engineLogs.indexOf(left.engineLog) - engineLogs.indexOf(right.engineLog)
  );
}
