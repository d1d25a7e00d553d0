import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { backendNames } from "./backends/backend.ts";
import { stepNames } from "./steps.ts";

const measurementSchema = z.object({
  step: z.enum(stepNames),
  wallSeconds: z.number(),
  cpuSeconds: z.number(),
  /** The largest process of each kind. */
  peakMegabytes: z.object({ engine: z.number(), program: z.number(), provider: z.number() }),
  /** By method and kind of path. */
  requests: z.record(z.string(), z.int()),
  /** Requests under way at the same time, at most. */
  atOnce: z.int(),
  /** What the backend stores after the step. */
  state: z.object({ jsonBytes: z.int(), storedBytes: z.int() }).optional(),
  /** Of a preview. */
  hasFoundChanges: z.boolean().optional(),
});

const courseSchema = z.object({
  /** The run that it belongs to, see `runs`. Only within a run, ratios mean something. */
  runStartedAt: z.iso.datetime(),
  contender: z.enum(["tenants", "fleet", "terraform", "plain"]),
  /** Where the state was. */
  backend: z.enum(backendNames),
  size: z.int(),
  latencyMilliseconds: z.number(),
  /** Of each round, its steps in their order. */
  rounds: z.array(z.array(measurementSchema)),
});

/** What the results of a run depend on. Runs of before 22 November 2026 have not recorded all of it. */
const environmentSchema = z.object({
  machine: z.record(z.string(), z.union([z.string(), z.number()])),
  /** The versions of what was measured: of the engine, of Terraform or OpenTofu and where it is from, of its provider. */
  versions: z.record(z.string(), z.string()),
  /** Of each contender, its commands and all that is not its tool's default. */
  settings: z.record(z.string(), z.record(z.string(), z.string())),
});

const resultsSchema = z.object({
  /** By when a run began: ISO 8601, UTC. */
  runs: z.record(z.iso.datetime(), environmentSchema),
  courses: z.array(courseSchema),
});

/** A step as one round of it went. */
export type Measurement = z.infer<typeof measurementSchema>;

/** All rounds of a contender on a backend, at a size and a latency. */
export type CourseResult = z.infer<typeof courseSchema>;
export type Environment = z.infer<typeof environmentSchema>;
export type Results = z.infer<typeof resultsSchema>;

const file = join(import.meta.dirname, "results.json");

/** What `bench/results.json` holds; empty where there is none. */
export function readResults(): Results {
  try {
    return resultsSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return { runs: {}, courses: [] };
    throw new Error("bench/results.json cannot be read; remove it, and try again.", { cause: error });
  }
}

/** Writes what a run has measured beside what others have. */
export function keepResults(environment: Environment, courses: readonly CourseResult[]): void {
  const results = withRun(readResults(), environment, courses);
  writeFileSync(file, `${JSON.stringify(results, rounded, 1)}\n`);
}

/** With one run more. Another run stays whole, or goes as a whole: where this one has measured all that it had. */
export function withRun(
  { runs, courses }: Results,
  environment: Environment,
  measured: readonly CourseResult[],
): Results {
  const [run] = measured.map(({ runStartedAt }) => runStartedAt);
  if (run === undefined) return { runs, courses };
  const key = (course: CourseResult) =>
    `${course.size} ${course.latencyMilliseconds} ${course.contender} ${course.backend}`;
  const isMeasured = new Set(measured.map(key));
  const others = Map.groupBy(courses, ({ runStartedAt }) => runStartedAt);
  const kept = [...others].filter(
    ([startedAt, ofRun]) => startedAt !== run && !ofRun.every((course) => isMeasured.has(key(course))),
  );
  const names = new Set(kept.map(([startedAt]) => startedAt));
  return {
    runs: {
      ...Object.fromEntries(Object.entries(runs).filter(([startedAt]) => names.has(startedAt))),
      [run]: environment,
    },
    courses: [...kept.flatMap(([, ofRun]) => ofRun), ...measured].sort(byCourse),
  };
}

function byCourse(left: CourseResult, right: CourseResult): number {
  return left.latencyMilliseconds - right.latencyMilliseconds || left.size - right.size;
}

/** Milliseconds are all that means something. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === "number" ? Math.round(value * 1000) / 1000 : value;
}
