import { median, valuesOf, wallSeconds } from "../figures.ts";
import { runWithMost, type Selection } from "../report/selection.ts";
import type { CourseResult, Results } from "../results.ts";
import type { StepName } from "../steps.ts";

/** The numbers of tenants of the table that a newcomer reads. */
const sizes = [100, 1_000, 10_000] as const;

/** What one may use for the tenants, and the courses that measure it. */
const ways: readonly { readonly name: string; readonly isMeasuredBy: (course: CourseResult) => boolean }[] = [
  { name: "Pulumi without this package", isMeasuredBy: ({ contender }) => contender === "plain" },
  { name: "Terraform with a REST provider", isMeasuredBy: ({ contender }) => contender === "terraform" },
  {
    name: "`Tenant` resources",
    isMeasuredBy: ({ contender, backend }) => contender === "native" && backend === "file",
  },
  {
    name: "`Tenant` resources, state in a journal",
    isMeasuredBy: ({ contender, backend }) => contender === "native" && backend === "journal",
  },
  {
    name: "a `TenantFleet`",
    isMeasuredBy: ({ contender, backend }) => contender === "native-fleet" && backend === "file",
  },
];

/** For each size, the run that measured the ways in the most rounds. */
export function overviewSelections(results: Results): Selection[] {
  const { runs, courses } = results;
  const measured = courses.filter(
    (course) =>
      course.latencyMilliseconds === 0 &&
      course.engineLog === "on" &&
      ways.some(({ isMeasuredBy }) => isMeasuredBy(course)),
  );
  return sizes.flatMap((size) => {
    const ofSize = measured.filter((course) => course.size === size);
    const selection = runWithMost({ runs, courses: ofSize }, roundsOf);
    return selection === undefined ? [] : [selection];
  });
}

/** How long each way takes to create the tenants, and to preview them: a row for each way, a column for each size. */
export function overviewTable(selections: readonly Selection[]): string[][] {
  const columns = selections.map(({ courses }) => courses);
  const headings = columns.map(([course]) => `${(course?.size ?? 0).toLocaleString("en")} tenants`);
  const rows = ways.map(({ name, isMeasuredBy }) => [
    name,
    ...columns.map((courses) => cellOf(courses.find(isMeasuredBy))),
  ]);
  return [["seconds to create; to preview", ...headings], ...rows];
}

function roundsOf(courses: readonly CourseResult[]): number {
  return courses.reduce((sum, { rounds }) => sum + rounds.length, 0);
}

function cellOf(course: CourseResult | undefined): string {
  if (course === undefined) return "not measured";
  const seconds = (step: StepName) => median(valuesOf(course, step, wallSeconds)).toFixed(1);
  return `${seconds("create")}; ${seconds("preview")}`;
}
