import { describe, expect, test } from "vitest";
import { readResults, withRun } from "../../bench/results.ts";
import { course, run } from "./course.ts";

describe("the results", () => {
  const [first, second] = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"];
  const of = (runStartedAt: string) => ({ runStartedAt });
  const none = { runs: {}, courses: [] };
  const before = withRun(none, run, [course("fleet", [1], of(first)), course("tenants", [2], of(first))]);
  const newer = { ...run, versions: { engine: "Pulumi v4" } };

  test("mark each course with its run, and each run with what it depended on", () => {
    const { runs, courses } = withRun(before, newer, [course("fleet", [3], of(second))]);
    expect(runs).toEqual({ [first]: run, [second]: newer });
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

  test("keep an entrant with the engine's log and one without", () => {
    const courses = [course("fleet", [3], { engineLog: "off", ...of(second) }), course("tenants", [4], of(second))];
    expect(Object.keys(withRun(before, newer, courses).runs)).toEqual([first, second]);
  });

  test("of the repository tell the run of each course", () => {
    const { runs, courses } = readResults();
    expect(courses.filter(({ runStartedAt }) => runs[runStartedAt] === undefined)).toEqual([]);
  });
});
