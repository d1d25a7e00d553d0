import type { CourseResult, Results } from "../results.ts";
import { backendRatioTable } from "../tables/backend-ratios.ts";
import { growthTable } from "../tables/growth.ts";
import { overviewSelections, overviewTable } from "../tables/overview.ts";
import { resourceTable } from "../tables/resources.ts";
import { ratioTable, wallTable } from "../tables/steps.ts";
import { measuredTargets, targetsLegend, targetsTable } from "../tables/targets.ts";
import { markdownTable } from "./markdown.ts";
import { runName } from "./run-name.ts";
import { runWithMost, type Selection, select } from "./selection.ts";

/** The tables of courses that a marker selects, by the name in the marker. */
const tables: Readonly<Record<string, (courses: readonly CourseResult[]) => string[][]>> = {
  wall: wallTable,
  ratios: ratioTable,
  resources: resourceTable,
  growth: growthTable,
  backends: backendRatioTable,
};

/**
 * Replaces what is between the markers of a document by tables of the results. A marker names a table, and the courses that
 * it shows: `<!-- bench:wall sizes=1000,3000 contenders=fleet,native-fleet backends=file logs=on latency=0 -->`, up to
 * `<!-- /bench -->`. All courses of a table are of one run, which the line above it names: the run that has most of them, or
 * with `run=2026-11-25` of those that began on this day. `overview` has a run for each number of tenants.
 *
 * @throws Error if a marker is wrong.
 */
export function withTables(document: string, results: Results): string {
  const replaced = document.replace(block, (_, name: string, attributes: string) => {
    return `<!-- bench:${name}${attributes} -->\n\n${blockOf(name, attributes, results)}\n\n${end}`;
  });
  const [begun, ended] = [/<!-- bench:/g, /<!-- \/bench -->/g].map((marker) => replaced.match(marker)?.length ?? 0);
  if (begun !== ended) throw new Error(`${begun} markers <!-- bench:… -->, but ${ended} markers ${end}`);
  return replaced;
}

const end = "<!-- /bench -->";
const block = /<!-- bench:([a-z]+)((?: [a-z]+=\S+)*) -->\n[\s\S]*?<!-- \/bench -->/g;

function blockOf(name: string, attributes: string, results: Results): string {
  const pairs = attributes.split(" ").filter((pair) => pair !== "");
  const given = Object.fromEntries(pairs.map((pair) => pair.split("=", 2)));
  if (name === "targets") {
    const selection = runWithMost(results, measuredTargets);
    return selection === undefined
      ? "Not measured yet."
      : `${captionOf(selection)} ${targetsLegend}\n\n${markdownTable(targetsTable(selection.courses))}`;
  }
  if (name === "overview") {
    const selections = overviewSelections(results);
    return selections.length === 0
      ? "Not measured yet."
      : [markdownTable(overviewTable(selections)), selections.map(captionOf).join(" ")].join("\n\n");
  }
  const table = tables[name];
  if (table === undefined) throw new Error(`<!-- bench:${name} -->: there is no such table`);
  const selection = select(results, given);
  if (selection === undefined) return "Not measured yet.";
  const rows = table(selection.courses);
  return rows.length < 2 ? "Not measured yet." : `${captionOf(selection)}\n\n${markdownTable(rows)}`;
}

/** `The run of 2026-11-23 11:05 UTC, commit 0123456; 1,000 tenants: 3 rounds.` */
function captionOf({ runStartedAt, run, courses }: Selection): string {
  const rounds = courses.map((course) => `${course.size.toLocaleString("en")} tenants: ${roundsName(course)}`);
  return `The ${runName(runStartedAt, run)}; ${[...new Set(rounds)].join(", ")}.`;
}

function roundsName({ rounds }: CourseResult): string {
  return rounds.length === 1 ? "one round" : `${rounds.length} rounds`;
}
