import { describe, expect, it } from "vitest";
import { pointsOf } from "../../bench/charts/point.ts";
import { specificationsOf } from "../../bench/charts/specifications.ts";
import { drawSvg } from "../../bench/charts/write-charts.ts";
import { parseCommandLine } from "../../bench/command-line.ts";
import type { CourseResult } from "../../bench/results.ts";
import { stepNames } from "../../bench/steps.ts";
import { summaryOf } from "../../bench/summary.ts";

/** A course whose steps take these seconds in its rounds. */
function course(contender: CourseResult["contender"], seconds: readonly number[], size = 100): CourseResult {
  const rounds = seconds.map((wallSeconds) =>
    stepNames.map((step) => ({
      step,
      wallSeconds,
      cpuSeconds: wallSeconds / 2,
      peakMegabytes: { engine: 90, program: 80, provider: 70 },
      requests: { "GET /v2/tenants": 2, "POST /v2/tenants": 5 },
      atOnce: 4,
      ...(step === "create" && { state: { jsonBytes: 100 * size, storedBytes: 10 * size } }),
    })),
  );
  return { runStartedAt: "2026-01-01T00:00:00Z", contender, size, latencyMilliseconds: 0, rounds };
}

describe("the summary", () => {
  const text = summaryOf([course("fleet", [3, 1, 2]), course("terraform", [8, 8, 8])]);

  it("tells the median with the least and the most, and no spread where there is none", () => {
    expect(text).toMatch(/^fleet +2\.0 \(1\.0-3\.0\)/m);
    expect(text).toMatch(/^terraform +8\.0 +8\.0/m);
  });
  it("tells ratios of medians to those who took part only", () => {
    expect(text).toMatch(/wall time, ratio to terraform.*\nfleet +0\.25/);
    expect(text).not.toContain("ratio to plain");
  });
  it("tells bytes of state a tenant", () => {
    expect(text).toMatch(/^fleet +100 +10 +no$/m);
  });
});

describe("the charts", () => {
  it("draw what there are enough points for", async () => {
    const one = specificationsOf(pointsOf([course("fleet", [1])]));
    expect(Object.keys(one)).toEqual(["steps"]);
    const two = specificationsOf(pointsOf([course("fleet", [1]), course("fleet", [12], 1000)]));
    expect(Object.keys(two)).toEqual(["steps", "growth", "fleet"]);
    for (const specification of Object.values(two)) expect(await drawSvg(specification)).toMatch(/^<svg .*<\/svg>$/s);
  });
  it("are not drawn of nothing", () => {
    expect(specificationsOf([])).toEqual({});
  });
});

describe("the flags", () => {
  it("say how often to measure by size, unless told", () => {
    const plan = parseCommandLine(["--sizes", "1000,3000", "--contenders", "fleet"]);
    if (plan === "help") throw new Error("not asked for");
    expect(plan.sizes.map(plan.roundsAt)).toEqual([3, 1]);
    expect(plan.contenders.map(({ name }) => name)).toEqual(["fleet"]);
  });
  it.each([
    [["--contenders", "ansible"], /no "ansible", only tenants, fleet/],
    [["--sizes", "0"], /--sizes/],
    [["--latencies", "fast"], /--latencies/],
  ])("refuse %j", (args, message) => {
    expect(() => parseCommandLine(args)).toThrow(message);
  });
});
