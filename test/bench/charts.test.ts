import type { TopLevelSpec } from "vega-lite";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { pointsOf } from "../../bench/charts/point.ts";
import { specificationsOf } from "../../bench/charts/specifications.ts";
import { drawSvg } from "../../bench/charts/write-charts.ts";
import { course } from "./course.ts";

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

function linesIn(svg: string): number {
  return svg.match(/aria-roledescription="line mark"/g)?.length ?? 0;
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
  test("show a journal beside a file, where it was measured, and no fleets there", async () => {
    const specifications = specificationsOf(
      pointsOf([
        course("native", [1]),
        course("native", [2], { backend: "journal" }),
        course("native-fleet", [3], { backend: "journal" }),
        course("terraform", [4]),
        course("native", [5], { size: 1_000 }),
      ]),
    );
    const chart = chartNamed(specifications, "journal");
    expect(shownIn(chart)).toEqual(["native on file", "native on journal", "terraform on file"]);
    expect(runsIn(chart)).toHaveLength(1);
    expect(await drawSvg(chart)).toMatch(/^<svg .*<\/svg>$/s);
    expect(Object.keys(specifications)).not.toContain("backends");
  });
  test("show fleets with the engine's log and without, and join only points of one run", async () => {
    const specifications = specificationsOf(
      pointsOf([
        course("fleet", [1]),
        course("fleet", [9], { size: 1_000 }),
        course("fleet", [2], { engineLog: "off" }),
        course("fleet", [5], { engineLog: "off", size: 1_000 }),
      ]),
    );
    const chart = chartNamed(specifications, "fleet");
    expect(linesIn(await drawSvg(chart))).toBe(6); // two in each of three panels
    const [one, other] = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"];
    const ofTwoRuns = specificationsOf(
      pointsOf([
        course("fleet", [1], { runStartedAt: one }),
        course("fleet", [9], { runStartedAt: other, size: 1_000 }),
      ]),
    );
    expect(linesIn(await drawSvg(chartNamed(ofTwoRuns, "growth")))).toBe(2);
    expect(shownIn(chartNamed(specifications, "steps"))).toEqual(["fleet on file"]);
  });
  test("are not drawn of nothing", () => {
    expect(specificationsOf([])).toEqual({});
  });
});
