import { expect, test } from "vitest";
import { entrantName } from "../../bench/entrants.ts";
import { measurePlan } from "../../bench/measure-plan.ts";
import type { Plan } from "../../bench/plans.ts";
import type { CourseResult } from "../../bench/results.ts";

const [fleet, tenants] = (["fleet", "tenants"] as const).map((contender) => {
  return { contender, backend: "file", engineLog: "on" } as const;
});
if (fleet === undefined || tenants === undefined) throw new Error("no entrants");

const plan: Plan = [
  { size: 10, latencyMilliseconds: 0, rounds: 2, entrants: [fleet, tenants] },
  { size: 30, latencyMilliseconds: 0, rounds: 1, entrants: [fleet, { ...fleet, engineLog: "off" }] },
];

/** Measures until so many turns have ended; returns the turns, what was kept, and how it ended. */
async function measureTurns(turns: number, before: readonly CourseResult[], failing?: string) {
  const names: string[] = [];
  let kept: readonly CourseResult[] = [];
  const end = await measurePlan(plan, {
    runStartedAt: "2026-01-01T00:00:00Z",
    before,
    measure: async (turn, round) => {
      if (names.length === turns) throw new Error("interrupted");
      const name = `${turn.size} ${entrantName(turn)} ${round}`;
      if (name === failing) throw new Error("failed");
      names.push(name);
      return [];
    },
    onFailure: (_, error) => {
      if (error instanceof Error && error.message === "interrupted") throw error;
    },
    keep: (courses) => {
      kept = structuredClone(courses);
    },
    onGroup: () => {},
  }).catch((error: Error) => error.message);
  return { names, kept, end };
}

const all = ["10 fleet 1", "10 tenants 1", "10 fleet 2", "10 tenants 2", "30 fleet 1", "30 fleet, log off 1"];

test("the entrants of a group take turns", async () => {
  const { names, kept, end } = await measureTurns(99, []);
  expect(names).toEqual(all);
  expect(kept.map((course) => [course.size, entrantName(course), course.rounds.length])).toEqual([
    [10, "fleet", 2],
    [10, "tenants", 2],
    [30, "fleet", 1],
    [30, "fleet, log off", 1],
  ]);
  expect(end).toEqual(kept);
});

test.each([0, 1, 2, 3, 4, 5, 6])(
  "a run that was interrupted after %i turns continues with the next one",
  async (turns) => {
    const { names, kept } = await measureTurns(turns, []);
    const rest = await measureTurns(99, kept);
    expect([...names, ...rest.names]).toEqual(all);
    expect(rest.end).toEqual((await measureTurns(99, [])).end);
  },
);

test.each([
  ["10 fleet 1", ["10 fleet 1", "10 fleet 2"]],
  ["10 tenants 2", ["10 tenants 2"]],
])(
  "after the failure of %s its entrant takes no further turns, and is measured when the run continues",
  async (failing, missing) => {
    const { names, kept, end } = await measureTurns(99, [], failing);
    expect(names).toEqual(all.filter((name) => !missing.includes(name)));
    expect(end).toEqual(kept);
    expect((await measureTurns(99, kept)).names).toEqual(missing);
  },
);
