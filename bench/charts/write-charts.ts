import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import type { CourseResult } from "../results.ts";
import { pointsOf } from "./point.ts";
import { specificationsOf } from "./specifications.ts";

/** Where the charts are, relative to the root of the clone. */
export const chartsFolder = "docs/performance";

/** Draws the results into `docs/performance/*.svg`. Returns the names of the charts. */
export async function writeCharts(courses: readonly CourseResult[]): Promise<string[]> {
  const folder = join(import.meta.dirname, "../..", chartsFolder);
  await mkdir(folder, { recursive: true });
  const charts = await drawCharts(courses);
  for (const [name, svg] of charts) await writeFile(join(folder, `${name}.svg`), svg);
  return charts.map(([name]) => name);
}

/** The names of the charts for which there are results, and their files. */
export async function drawCharts(courses: readonly CourseResult[]): Promise<[name: string, svg: string][]> {
  const charts: [string, string][] = [];
  for (const [name, specification] of Object.entries(specificationsOf(pointsOf(courses)))) {
    charts.push([name, `${await drawSvg(specification)}\n`]);
  }
  return charts;
}

/** Renders a chart as SVG, without a browser. */
export function drawSvg(specification: TopLevelSpec): Promise<string> {
  return new View(parse(compile(specification).spec), { renderer: "none" }).toSVG();
}
