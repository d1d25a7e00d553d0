import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { backendNames } from "./backends/backend.ts";
import { contenderNames, engineLogs } from "./contenders/contender.ts";
import { turnName } from "./entrants.ts";
import { stepNames } from "./steps.ts";

const measurementSchema = z.object({
  step: z.enum(stepNames),
  wallSeconds: z.number(),
  cpuSeconds: z.number(),
  /** Of each kind of process. Runs before the native contenders did not record it. */
  cpuSecondsByRole: z.object({ engine: z.number(), program: z.number(), provider: z.number() }).optional(),
  /** Of the largest process of each kind. */
  peakMegabytes: z.object({ engine: z.number(), program: z.number(), provider: z.number() }),
  /** By method and kind of path. */
  requests: z.record(z.string(), z.int()),
  /** The most requests that were in progress at the same time. */
  atOnce: z.int(),
  /** What the backend stores after the step. */
  state: z.object({ jsonBytes: z.int(), storedBytes: z.int() }).optional(),
  /** Only of a preview: whether it has found differences. */
  hasFoundChanges: z.boolean().optional(),
});

const courseSchema = z.object({
  /** Its run, see `runs`. Compare only results of the same run. */
  runStartedAt: z.iso.datetime(),
  contender: z.enum(contenderNames),
  /** Where the state was stored. */
  backend: z.enum(backendNames),
  /** Whether Pulumi's engine kept its automatic log. Runs before 23 November 2026 did not record it: it did. */
  engineLog: z.enum(engineLogs).default("on"),
  size: z.int(),
  latencyMilliseconds: z.number(),
  /** For each round, its steps in their order. */
  rounds: z.array(z.array(measurementSchema)),
});

/** What the results of a run depend on. Runs before 22 November 2026 did not record all of this. */
const environmentSchema = z.object({
  machine: z.record(z.string(), z.union([z.string(), z.number()])),
  /** The versions of Node.js, of the engine, of Terraform or OpenTofu (with its origin), and of the restapi provider. */
  versions: z.record(z.string(), z.string()),
  /** For each contender, its commands and all settings that are not its tool's defaults. */
  settings: z.record(z.string(), z.record(z.string(), z.string())),
});

const runSchema = environmentSchema.extend({
  /** Runs before 23 November 2026 did not record it. */
  commit: z.object({ id: z.string(), hasChanges: z.boolean() }).optional(),
  /** The arguments of `npm run bench`. */
  arguments: z.array(z.string()).default([]),
  /** When the run was continued after an interruption. */
  continuedAt: z.array(z.iso.datetime()).default([]),
});

const resultsSchema = z.object({
  /** The runs, by the time of their start: ISO 8601, UTC. */
  runs: z.record(z.iso.datetime(), runSchema),
  courses: z.array(courseSchema),
});

/** The measurement of a step in one round. */
export type Measurement = z.infer<typeof measurementSchema>;

/** All rounds of a contender on a backend, at a size and a latency. */
export type CourseResult = z.infer<typeof courseSchema>;
export type Environment = z.infer<typeof environmentSchema>;
/** A run: what was measured, where and when. */
export type Run = z.infer<typeof runSchema>;
export type Results = z.infer<typeof resultsSchema>;

const file = join(import.meta.dirname, "results.json");

/** Reads `bench/results.json`; without the file there are no results. */
export function readResults(): Results {
  try {
    return resultsSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return { runs: {}, courses: [] };
    throw new Error("bench/results.json is invalid. Remove or restore it, and try again.", { cause: error });
  }
}

/** Writes the results of a run to `bench/results.json`, in place of what the file has of this run. */
export function keepResults(run: Run, courses: readonly CourseResult[]): void {
  writeFileSync(file, `${JSON.stringify(withRun(readResults(), run, courses), rounded, 1)}\n`);
}

/** Adds a run. Removes an earlier run if this run has measured everything that the earlier one had; others stay complete. */
export function withRun({ runs, courses }: Results, run: Run, measured: readonly CourseResult[]): Results {
  const [startedAt] = measured.map(({ runStartedAt }) => runStartedAt);
  if (startedAt === undefined) return { runs, courses };
  const isMeasured = new Set(measured.map(turnName));
  const others = Map.groupBy(courses, ({ runStartedAt }) => runStartedAt);
  const kept = [...others].filter(
    ([other, ofRun]) => other !== startedAt && !ofRun.every((course) => isMeasured.has(turnName(course))),
  );
  const names = new Set(kept.map(([other]) => other));
  return {
    runs: { ...Object.fromEntries(Object.entries(runs).filter(([other]) => names.has(other))), [startedAt]: run },
    courses: [...kept.flatMap(([, ofRun]) => ofRun), ...measured].sort(byCourse),
  };
}

function byCourse(left: CourseResult, right: CourseResult): number {
  return left.latencyMilliseconds - right.latencyMilliseconds || left.size - right.size;
}

/** Rounds numbers to milliseconds. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === "number" ? Math.round(value * 1000) / 1000 : value;
}
