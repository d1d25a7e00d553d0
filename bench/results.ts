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
  /** When the run began that it belongs to: ISO 8601, UTC. Only within a run, ratios mean something. */
  runStartedAt: z.iso.datetime(),
  contender: z.enum(["tenants", "fleet", "terraform", "plain"]),
  /** Where the state was. */
  backend: z.enum(backendNames),
  size: z.int(),
  latencyMilliseconds: z.number(),
  /** Of each round, its steps in their order. */
  rounds: z.array(z.array(measurementSchema)),
});

const resultsSchema = z.object({
  /** Of the latest run. */
  environment: z.record(z.string(), z.union([z.string(), z.number()])),
  courses: z.array(courseSchema),
});

/** A step as one round of it went. */
export type Measurement = z.infer<typeof measurementSchema>;

/** All rounds of a contender on a backend, at a size and a latency. */
export type CourseResult = z.infer<typeof courseSchema>;
export type Results = z.infer<typeof resultsSchema>;

const file = join(import.meta.dirname, "results.json");

/** What `bench/results.json` holds; empty where there is none. */
export function readResults(): Results {
  try {
    return resultsSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return { environment: {}, courses: [] };
    throw new Error("bench/results.json cannot be read; remove it, and try again.", { cause: error });
  }
}

/** Puts what was measured in the place of earlier results of the same contender, backend, size and latency; keeps the others. */
export function keepResults({ environment, courses }: Results): void {
  const key = (course: CourseResult) =>
    `${course.size} ${course.latencyMilliseconds} ${course.contender} ${course.backend}`;
  const measured = new Set(courses.map(key));
  const others = readResults().courses.filter((course) => !measured.has(key(course)));
  const results: Results = { environment, courses: [...others, ...courses].sort(byCourse) };
  writeFileSync(file, `${JSON.stringify(results, rounded, 1)}\n`);
}

function byCourse(left: CourseResult, right: CourseResult): number {
  return left.latencyMilliseconds - right.latencyMilliseconds || left.size - right.size;
}

/** Milliseconds are all that means something. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === "number" ? Math.round(value * 1000) / 1000 : value;
}
