import type { TopLevelSpec } from "vega-lite";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { pointsOf } from "../../bench/charts/point.ts";
import { specificationsOf } from "../../bench/charts/specifications.ts";
import { drawSvg } from "../../bench/charts/write-charts.ts";
import { parseCommandLine } from "../../bench/command-line.ts";
import { entrantsAt, skippedAt } from "../../bench/entrants.ts";
import { type CourseResult, readResults, withRun } from "../../bench/results.ts";
import { stepNames } from "../../bench/steps.ts";
import { summaryOf } from "../../bench/summary.ts";

/** A course whose steps take these seconds in its rounds. */
function course(
  contender: CourseResult["contender"],
  seconds: readonly number[],
  { size = 100, backend = "file", runStartedAt = "2026-01-01T00:00:00Z" }: Partial<CourseResult> = {},
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
  return { runStartedAt, contender, backend, size, latencyMilliseconds: 0, rounds };
}

describe("the summary", () => {
  const text = summaryOf([course("fleet", [3, 1, 2]), course("terraform", [8, 8, 8])]);

  test("tells the median with the least and the most, and no spread where there is none", () => {
    expect(text).toMatch(/^fleet +2\.0 \(1\.0-3\.0\)/m);
    expect(text).toMatch(/^terraform +8\.0 +8\.0/m);
  });
  test("tells ratios of medians to those who took part only", () => {
    expect(text).toMatch(/wall time, ratio to terraform.*\nfleet +0\.25/);
    expect(text).not.toContain("ratio to plain");
  });
  test("tells the provider's part of the CPU time if all runs have recorded it", () => {
    expect(text).toMatch(/^provider, CPU time.*\nfleet +0\.5/m);
    const [before] = readResults().courses;
    if (before === undefined) throw new Error("there are no results");
    expect(summaryOf([course("fleet", [3]), before])).not.toContain("provider, CPU time");
  });
  test("tells bytes of state a tenant", () => {
    expect(text).toMatch(/^fleet +100 +10 +no$/m);
  });
  test("has a column for each shared backend, as ratios of medians to the same contender on a file", () => {
    const onBackends = summaryOf([
      course("tenants", [2]),
      course("tenants", [6, 5, 7], { backend: "s3" }),
      course("fleet", [4]),
      course("fleet", [5], { backend: "postgres" }),
    ]);
    expect(onBackends).toMatch(/ratio to file +tenants on s3 +fleet on postgres\ncreate +3\.00 +1\.25\nno-op up/);
    expect(onBackends).toMatch(/^tenants on s3 +6\.0 \(5\.0-7\.0\)/m);
    expect(onBackends).toMatch(/ratio to tenants[^\n]*\nfleet +2\.00[^\n]*\n\n/);
    expect(text).not.toContain("ratio to file");
  });
});

describe("the results", () => {
  const environment = { machine: { cores: 2 }, versions: { engine: "Pulumi v3" }, settings: {} };
  const [first, second] = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"];
  const of = (runStartedAt: string) => ({ runStartedAt });
  const none = { runs: {}, courses: [] };
  const before = withRun(none, environment, [course("fleet", [1], of(first)), course("tenants", [2], of(first))]);
  const newer = { ...environment, versions: { engine: "Pulumi v4" } };

  test("mark each course with its run, and each run with what it depended on", () => {
    const { runs, courses } = withRun(before, newer, [course("fleet", [3], of(second))]);
    expect(runs).toEqual({ [first]: environment, [second]: newer });
    // the earlier run stays whole: its tenants have nobody else to be compared with
    expect(courses.map(({ runStartedAt, contender }) => [runStartedAt, contender])).toEqual([
      [first, "fleet"],
      [first, "tenants"],
      [second, "fleet"],
    ]);
  });

  test("drop a run all of which is measured again, and take the same run's further courses", () => {
    const again = [course("fleet", [3], of(second)), course("tenants", [4], of(second))];
    const one = withRun(before, newer, again.slice(0, 1));
    expect(withRun(one, newer, again)).toEqual({ runs: { [second]: newer }, courses: again });
  });

  test("of the repository tell the run of each course", () => {
    const { runs, courses } = readResults();
    expect(courses.filter(({ runStartedAt }) => runs[runStartedAt] === undefined)).toEqual([]);
  });
});

const chartSchema = z.object({
  data: z.object({ values: z.array(z.object({ contender: z.string(), backend: z.string(), panel: z.string() })) }),
});

/** Whose bars a chart has. */
function shownIn(specification: TopLevelSpec): string[] {
  const { values } = chartSchema.parse(specification).data;
  return [...new Set(values.map(({ contender, backend }) => `${contender} on ${backend}`))];
}

/** Whose bars stand in each panel of a chart. */
function runsIn(specification: TopLevelSpec): string[] {
  const { values } = chartSchema.parse(specification).data;
  const panels = Map.groupBy(values, ({ panel }) => panel);
  return [...panels].map(
    ([panel, bars]) => `${panel}: ${[...new Set(bars.map(({ contender }) => contender))].join(", ")}`,
  );
}

function chartNamed(specifications: Record<string, TopLevelSpec>, name: string): TopLevelSpec {
  const chart = specifications[name];
  if (chart === undefined) throw new Error(`there is no chart ${name}`);
  return chart;
}

describe("the charts", () => {
  test("draw what there are enough points for", async () => {
    const one = specificationsOf(pointsOf([course("fleet", [1])]));
    expect(Object.keys(one)).toEqual(["steps"]);
    const two = specificationsOf(pointsOf([course("fleet", [1]), course("fleet", [12], { size: 1000 })]));
    expect(Object.keys(two)).toEqual(["steps", "growth", "fleet"]);
    for (const specification of Object.values(two)) expect(await drawSvg(specification)).toMatch(/^<svg .*<\/svg>$/s);
  });
  test("show backends in a chart of their own, and in that chart only", async () => {
    const later = { runStartedAt: "2026-01-02T00:00:00Z" };
    const specifications = specificationsOf(
      pointsOf([
        course("plain", [9], later),
        course("fleet", [1], later),
        course("fleet", [7], { ...later, backend: "s3" }),
        course("fleet", [3], { backend: "postgres" }),
      ]),
    );
    expect(Object.keys(specifications)).toEqual(["steps", "backends"]);
    expect(shownIn(chartNamed(specifications, "steps"))).toEqual(["plain on file", "fleet on file"]);
    // the one on Postgres is of another run
    expect(shownIn(chartNamed(specifications, "backends"))).toEqual(["fleet on file", "fleet on s3"]);
    expect(await drawSvg(chartNamed(specifications, "backends"))).toMatch(/^<svg .*<\/svg>$/s);
  });
  test("put bars beside each other that are of one run, and name it; marks tell the runs of a line apart", () => {
    const later = { runStartedAt: "2026-01-02T00:00:00Z" };
    const specifications = specificationsOf(
      pointsOf([
        course("fleet", [1]),
        course("terraform", [2]),
        course("fleet", [3], later), // alone there
        course("fleet", [9], { ...later, size: 1000 }),
      ]),
    );
    expect(runsIn(chartNamed(specifications, "steps"))).toEqual([
      "100 tenants, run of 2026-01-01 00:00: fleet, terraform",
      "1000 tenants, run of 2026-01-02 00:00: fleet",
    ]);
    expect(JSON.stringify(chartNamed(specifications, "growth"))).toContain('"shape":{"field":"run"');
    expect(JSON.stringify(chartNamed(specifications, "fleet"))).toContain('"shape":{"field":"run"');
  });
  test("are not drawn of nothing", () => {
    expect(specificationsOf([])).toEqual({});
  });
});

describe("the flags", () => {
  test("say how often to measure by size, unless told", () => {
    const plan = parseCommandLine(["--sizes", "1000,3000", "--contenders", "fleet"]);
    if (plan === "help") throw new Error("not asked for");
    expect(plan.sizes.map(plan.roundsAt)).toEqual([3, 1]);
    expect(plan.contenders.map(({ name }) => name)).toEqual(["fleet"]);
  });
  test("let contenders that can share their state do so, with few tenants, and say what is skipped", () => {
    const plan = parseCommandLine(["--contenders", "tenants,plain", "--backends", "postgres,file,s3"]);
    if (plan === "help") throw new Error("not asked for");
    const names = (size: number) => entrantsAt(size, plan).map(({ contender, backend }) => [contender.name, backend]);
    const shared = [
      ["tenants", "s3"],
      ["tenants", "postgres"],
    ];
    expect(names(100)).toEqual([["tenants", "file"], ...shared, ["plain", "file"]]);
    expect(skippedAt(100, plan)).toBe("Skipped on s3 and postgres: plain.");
    expect(names(101)).toEqual([
      ["tenants", "file"],
      ["plain", "file"],
    ]);
    expect(skippedAt(101, plan)).toBe("Skipped: s3 and postgres, measured only up to 100 tenants.");
    expect(skippedAt(101, { ...plan, backends: ["file"] })).toBe("");
  });
  test("measure a journal at every size", () => {
    const plan = parseCommandLine(["--contenders", "tenants,plain", "--backends", "file,journal,s3"]);
    if (plan === "help") throw new Error("not asked for");
    expect(entrantsAt(3000, plan).map(({ contender, backend }) => [contender.name, backend])).toEqual([
      ["tenants", "file"],
      ["tenants", "journal"],
      ["plain", "file"],
    ]);
    expect(skippedAt(3000, plan)).toBe("Skipped: s3, measured only up to 100 tenants. Skipped on journal: plain.");
  });
  test.each([
    [["--contenders", "ansible"], /no "ansible", only tenants, fleet/],
    [["--sizes", "0"], /--sizes/],
    [["--latencies", "fast"], /--latencies/],
    [["--backends", "file,gs"], /no "gs", only file, s3, postgres, journal/],
    [["--backends", "s3"], /needs file/],
  ])("refuse %j", (args, message) => {
    expect(() => parseCommandLine(args)).toThrow(message);
  });
});
