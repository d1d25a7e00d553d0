import type { CourseResult } from "../../bench/results.ts";
import { stepNames } from "../../bench/steps.ts";

/** A course whose steps take these seconds in its rounds: half of them CPU time, and a quarter that of the provider. */
export function course(
  contender: CourseResult["contender"],
  seconds: readonly number[],
  {
    size = 100,
    backend = "file",
    engineLog = "on",
    latencyMilliseconds = 0,
    runStartedAt = "2026-01-01T00:00:00Z",
  }: Partial<CourseResult> = {},
): CourseResult {
  const rounds = seconds.map((wallSeconds) =>
    stepNames.map((step) => ({
      step,
      wallSeconds,
      cpuSeconds: wallSeconds / 2,
      cpuSecondsByRole: { engine: 0, program: 0, provider: wallSeconds / 4 },
      peakMegabytes: { engine: 90, program: 80, provider: 70 },
      requests: { "GET /v2/tenants": 2, "POST /v2/tenants": 5 },
      atOnce: 4,
      ...(step === "create" && { state: { jsonBytes: 100 * size, storedBytes: 10 * size } }),
    })),
  );
  return { runStartedAt, contender, backend, engineLog, size, latencyMilliseconds, rounds };
}

/** A run on no machine in particular. */
export const run = {
  machine: { cores: 2 },
  versions: { engine: "Pulumi v3" },
  settings: {},
  commit: { id: "0123456789abcdef0123456789abcdef01234567", hasChanges: false },
  arguments: ["--plan", "long"],
  continuedAt: [],
};
