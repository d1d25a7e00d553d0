import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { chartsFolder, drawCharts } from "../../bench/charts/write-charts.ts";
import { withTables } from "../../bench/report/with-tables.ts";
import { documents } from "../../bench/report/write-report.ts";
import { readResults, withRun } from "../../bench/results.ts";
import { course, run } from "./course.ts";

const root = join(import.meta.dirname, "../..");

describe("the documents", () => {
  test.each(documents)("%s has the tables of bench/results.json: `npm run bench:report` writes them", (document) => {
    const text = readFileSync(join(root, document), "utf8");
    expect(text).toBe(withTables(text, readResults()));
  });
  test("have the charts of bench/results.json: `npm run bench:report` draws them", async () => {
    const drawn = await drawCharts(readResults().courses);
    expect(drawn.map(([name]) => name)).toContain("steps");
    for (const [name, svg] of drawn) expect(readFileSync(join(root, chartsFolder, `${name}.svg`), "utf8")).toBe(svg);
  });
});

describe("the tables of a document", () => {
  const later = { runStartedAt: "2026-01-02T11:05:30Z", size: 1_000 };
  const [fleet, terraform] = [course("fleet", [4, 2, 3], later), course("terraform", [8, 8, 8], later)];
  const first = withRun({ runs: {}, courses: [] }, run, [course("fleet", [77], { size: 1_000 }), course("plain", [9])]);
  const results = withRun(first, { ...run, continuedAt: ["2026-01-02T12:00:00Z"] }, [
    fleet,
    course("fleet", [5], { ...later, engineLog: "off" }),
    course("fleet", [44], { ...later, size: 10_000 }),
    course("fleet", [6], { ...later, backend: "s3" }),
    terraform,
  ]);
  const written = (marker: string) => withTables(`a\n<!-- bench:${marker} -->\nold\n<!-- /bench -->\nb`, results);

  test("take the place of what is between the markers, and stay the same when written again", () => {
    const text = written("wall sizes=1000");
    expect(text).toMatch(/^a\n<!-- bench:wall sizes=1000 -->\n\nThe run .*\|\n\n<!-- \/bench -->\nb$/s);
    expect(withTables(text, results)).toBe(text);
  });
  test("name the run, its commit and its rounds", () => {
    const name = "The run of 2026-01-02 11:05 UTC, commit 0123456, continued at 2026-01-02 12:00;";
    expect(written("wall sizes=1000 logs=on")).toContain(`${name} 1,000 tenants: 3 rounds.`);
    expect(written("wall sizes=1000,10000 logs=on")).toContain("1,000 tenants: 3 rounds, 10,000 tenants: one round.");
  });
  test("show courses of one run, with their spread", () => {
    expect(written("wall sizes=1000")).toContain(
      "| seconds | fleet | fleet, log off | terraform |\n| --- | --- | --- | --- |\n| create | 3.0 (2.0–4.0) | 5.0 | 8.0 |\n",
    );
    expect(written("ratios sizes=1000 logs=on")).toContain("| create | 0.38 (0.25–0.50) |\n");
    expect(written("wall sizes=1000,10000 contenders=fleet logs=on")).toMatch(
      /\| tenants \| seconds \| fleet \|.*\| 1,000 \| create \| 3\.0 \(2\.0–4\.0\) \|.*\| 10,000 \| create \| 44\.0 \|/s,
    );
    expect(written("backends backends=file,s3 logs=on sizes=1000")).toContain("| create | 1.50 |\n");
    expect(written("growth logs=on")).toContain("| fleet | 1,000 to 10,000 | 14.7 |");
    expect(written("resources sizes=10000")).toContain("| fleet | 10,000 | 22.0 | 22.0 | 70 | 90 | 7, 2 | 100, 10 |\n");
    expect(written("targets")).toContain("| fleet: preview | 0.38 (0.25–0.50) ≤ 0.8 |");
  });
  test("give an overview, each number of tenants of one run, and say what is not measured", () => {
    const journal = course("native", [2, 3, 4], { ...later, backend: "journal" });
    const courses = [...results.courses, journal, course("native-fleet", [5], { ...later, size: 10_000 })];
    const text = withTables("<!-- bench:overview -->\n<!-- /bench -->", { ...results, courses });
    expect(text).toContain("| seconds to create; to preview | 100 tenants | 1,000 tenants | 10,000 tenants |\n");
    expect(text).toContain("| Pulumi without this package | 9.0; 9.0 | not measured | not measured |\n");
    expect(text).toContain("| Terraform with a REST provider | not measured | 8.0; 8.0 | not measured |\n");
    expect(text).toContain("| `Tenant` resources, state in a journal | not measured | 3.0; 3.0 | not measured |\n");
    expect(text).toContain("| a `TenantFleet` | not measured | not measured | 5.0; 5.0 |\n");
    expect(text).toContain("commit 0123456, continued at 2026-01-02 12:00; 1,000 tenants: 3 rounds. The run of");
  });
  test("show the run that a marker names by the beginning of its start time", () => {
    expect(written("wall sizes=1000 contenders=fleet")).not.toContain("77.0");
    expect(written("wall sizes=1000 contenders=fleet run=2026-01-01")).toContain("| create | 77.0 |\n");
    expect(written("wall sizes=1000 run=2025")).toContain("Not measured yet.");
  });
  test("say what is not measured", () => {
    expect(written("wall latency=50")).toContain("\n\nNot measured yet.\n\n");
    expect(written("backends sizes=1000")).toContain("\n\nNot measured yet.\n\n");
  });
  test.each(["wall speed=5", "wall contenders=ansible", "walls sizes=5"])("refuse the marker %j", (marker) => {
    expect(() => written(marker)).toThrow();
  });
  test("refuse a marker without an end", () => {
    expect(() => withTables("<!-- bench:wall -->\n", results)).toThrow("markers");
  });
});
