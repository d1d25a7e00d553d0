import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import type { CourseResult } from "../results.ts";
import { pointsOf } from "./point.ts";
import { specificationsOf } from "./specifications.ts";

const folder = join(import.meta.dirname, "../../docs/performance");

/** Draws the results into `docs/performance/*.svg`. Returns the names of the charts. */
export async function writeCharts(courses: readonly CourseResult[]): Promise<string[]> {
  const specifications = Object.entries(specificationsOf(pointsOf(courses)));
  await mkdir(folder, { recursive: true });
  for (const [name, specification] of specifications) {
    await writeFile(join(folder, `${name}.svg`), `${await drawSvg(specification)}\n`);
  }
  return specifications.map(([name]) => name);
}

/** Renders a chart as SVG, without a browser. */
export function drawSvg(specification: TopLevelSpec): Promise<string> {
  return new View(parse(compile(specification).spec), { renderer: "none" }).toSVG();
}
