import { entrantName } from "../entrants.ts";
import { median, valuesOf } from "../figures.ts";
import type { CourseResult, Measurement } from "../results.ts";
import type { StepName } from "../steps.ts";

/** What the entrants of one run use besides time: a row for each entrant and size. The first row is the heading. */
export function resourceTable(courses: readonly CourseResult[]): string[][] {
  const heading = [
    "",
    "tenants",
    "CPU of create, s",
    "CPU of preview, s",
    "provider, peak MB",
    "engine, peak MB",
    "requests of a preview, of which lists",
    "state, bytes a tenant, as stored",
  ];
  return [heading, ...courses.map(rowOf)];
}

function rowOf(course: CourseResult): string[] {
  const cpu = (step: StepName) => median(valuesOf(course, step, ({ cpuSeconds }) => cpuSeconds)).toFixed(1);
  const all = course.rounds.flat();
  const peak = (role: keyof Measurement["peakMegabytes"]) =>
    String(Math.max(...all.map(({ peakMegabytes }) => peakMegabytes[role])));
  const { requests = {} } = all.find(({ step }) => step === "preview") ?? {};
  const sent = Object.values(requests).reduce((sum, count) => sum + count, 0);
  const { jsonBytes = 0, storedBytes = 0 } = all.find(({ state }) => state !== undefined)?.state ?? {};
  return [
    entrantName(course),
    course.size.toLocaleString("en"),
    cpu("create"),
    cpu("preview"),
    peak("provider"),
    peak("engine"),
    `${sent.toLocaleString("en")}, ${(requests["GET /v2/tenants"] ?? 0).toLocaleString("en")}`,
    `${Math.round(jsonBytes / course.size)}, ${Math.round(storedBytes / course.size)}`,
  ];
}
