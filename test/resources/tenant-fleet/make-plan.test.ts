import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makePlan, type PlanBasis, releaseOfNewcomers } from "../../../src/resources/tenant-fleet/make-plan.ts";
import type { RolloutPlan } from "../../../src/resources/tenant-fleet/rollout-plan.ts";
import { idsOf, keysOf } from "./rolling-fleet.ts";

const ids = [11, 12, 13, 14, 15, 16];

/** An update: who belongs to the rollout, under which key, what each tenant runs, and the target. */
const updates = fc.array(
  fc.record({
    members: fc.subarray(ids),
    suffix: fc.constantFrom("", "-renamed"),
    runs: fc.array(fc.constantFrom("501", "502", "503", "Latest", undefined), { minLength: 6, maxLength: 6 }),
    release: fc.constantFrom(502, 502, 502, 503),
  }),
  { minLength: 2, maxLength: 12 },
);

/** What a tenant ran before, read by hand. */
function beforeOf({ before: { most, others } }: RolloutPlan, id: number): string | undefined {
  return Object.entries(others).find(([, list]) => list.split(" ").includes(String(id)))?.[0] ?? most;
}

test("tenants that join or leave change neither the places of the others nor the rest of the plan", () => {
  fc.assert(
    fc.property(updates, (all) => {
      let stored: RolloutPlan | undefined;
      for (const { members, suffix, runs, release } of all) {
        const now = members.map((id) => ({ key: `t-${id}${suffix}`, id }));
        const plan = makePlan({
          fleet: "billing",
          target: { release, label: `v${release}`, attempt: 1 },
          stored,
          members: now,
          runs: new Map(ids.map((id, index) => [id, runs[index]])),
        });
        const entries = [plan.members, plan.newcomers].flatMap((list) =>
          idsOf(list).map((id, index) => ({ id, key: keysOf(list)[index] ?? "" })),
        );
        const keyed = entries.filter(({ key }) => key !== "");
        expect(keyed.map(({ key }) => key).sort()).toEqual(now.map(({ key }) => key).sort());
        for (const { key, id } of keyed) expect(key).toBe(`t-${id}${suffix}`);

        if (stored === undefined || stored.release !== release) {
          expect(plan.number).toBe((stored?.number ?? 0) + 1);
          expect(plan.newcomers).toBe("");
        } else {
          const { members: _, newcomers: __, before: ___, ...rest } = plan;
          expect(stored).toMatchObject(rest);
          expect(idsOf(plan.members)).toEqual(idsOf(stored.members));
          const came = idsOf(stored.newcomers);
          expect(idsOf(plan.newcomers).slice(0, came.length)).toEqual(came);
          const isNew = new Set(idsOf(plan.newcomers).slice(came.length));
          for (const { id } of entries) {
            const run = runs[ids.indexOf(id)] ?? "unknown";
            // one that a rollout has moved, and that left and is back, keeps what it ran before
            const byRollouts = [stored, ...stored.earlier].map((one) => String(one.release));
            const isBack =
              [...idsOf(stored.members), ...idsOf(stored.newcomers)].includes(id) && byRollouts.includes(run);
            const expected = isNew.has(id) && !isBack ? run : beforeOf(stored, id);
            expect(beforeOf(plan, id)).toBe(expected);
          }
        }
        stored = plan;
      }
    }),
  );
});

const stored: RolloutPlan = {
  number: 1,
  release: 502,
  label: "v502",
  attempt: 1,
  from: "501",
  members: "a=11 =12 c=13",
  newcomers: "",
  before: { most: "501", others: {} },
  joined: "",
  earlier: [],
};

function basis(more: Partial<PlanBasis>): PlanBasis {
  const target = { release: 502, label: "v502", attempt: 1 };
  return { fleet: "billing", target, stored, members: [{ key: "a", id: 11 }], runs: new Map(), ...more };
}

describe("a plan", () => {
  test("is the first one of a fleet, of which nobody knows what its tenants run", () => {
    const plan = makePlan(basis({ stored: undefined }));
    expect(plan).toMatchObject({ number: 1, earlier: [], joined: "" });
    expect(plan).not.toHaveProperty("from");
  });

  test("lists the overridden tenants by their ids, in whatever order they are declared", () => {
    const members = [14, 11, 13].map((id) => ({ key: `t-${id}`, id }));
    expect(makePlan(basis({ members, overridden: new Set(["t-11", "t-13", "t-14"]) })).overridden).toBe("11 13 14");
  });

  test("stays as it is stored while nobody joins", () => {
    const before = { most: "501", others: { Latest: "13 11" } };
    expect(makePlan(basis({ stored: { ...stored, before } })).before).toEqual(before);
  });

  test("of another target has what a tenant runs that had left, and is back", () => {
    const target = { release: 503, label: "v503", attempt: 1 };
    const members = ["a", "b", "c"].map((key, index) => ({ key, id: 11 + index }));
    const runs = new Map(Object.entries({ 11: "504", 12: "504", 13: "501" }).map(([id, ref]) => [Number(id), ref]));
    const plan = makePlan(basis({ target, members, runs }));
    expect([11, 12, 13].map((id) => beforeOf(plan, id))).toEqual(["501", "504", "501"]);
    expect(plan.joined).toBe("12");
  });
});

test("after the end of a rollout, what its tenants run is what the next one finds", () => {
  const target = { release: 503, label: "v503", attempt: 1 };
  const [a, c] = [11, 13];
  const members = [
    { key: "a", id: a },
    { key: "c", id: c },
  ];
  const planIf = (last: string) =>
    makePlan(
      basis({
        target,
        members,
        runs: new Map([
          [a, "502"],
          [c, last],
        ]),
      }),
    );
  expect([a, c].map((id) => beforeOf(planIf("502"), id))).toEqual(["502", "502"]);
  expect(beforeOf(planIf("501"), a)).toBe("501"); // it is under way: "a" may be its canary
});

describe("the tenants that were created on the release", () => {
  const target = { release: 503, label: "v503", attempt: 1 };
  const created = new Set([11]);

  test("stay in the plan, with those of this up", () => {
    expect(makePlan(basis({ stored: { ...stored, created: "14" }, created })).created).toBe("14 11");
    expect(makePlan(basis({ stored: { ...stored, created: "14" } })).created).toBe("14");
  });

  test("are in the plan of the next target only as those of an earlier rollout", () => {
    const plan = makePlan(basis({ stored: { ...stored, created: "14" }, target, created }));
    expect([plan.created, plan.earlier[0]?.created]).toEqual(["11", "14"]);
  });

  test("are not known in a plan that an earlier version of the package has stored", () => {
    expect(makePlan(basis({ created }))).not.toHaveProperty("created");
    expect(makePlan(basis({ target })).earlier[0]).not.toHaveProperty("created");
  });

  test("are all tenants of the first plan, which names none", () => {
    expect(makePlan(basis({ stored: undefined, created })).created).toBe("");
  });
});

describe("a tenant that comes", () => {
  const newcomersRun = (runs: Record<number, string | undefined>, plan: Partial<RolloutPlan> = {}) =>
    releaseOfNewcomers(
      { ...stored, ...plan },
      basis({ runs: new Map(Object.entries(runs).map(([id, ref]) => [Number(id), ref])) }),
    );

  test.each<[string, Record<number, string | undefined>, Partial<RolloutPlan>]>([
    ["all others are on it", { 11: "502" }, {}],
    ["the others ran it before", { 11: "502" }, { before: { most: "502", others: {} } }],
    ["another was changed by hand", { 11: "503" }, {}],
    ["only those that have left are not on it", { 11: "502", 12: "501" }, {}],
    ["only one that is no longer declared is not on it", { 11: "502", 13: "501" }, {}],
    ["nobody is live", {}, {}],
  ])("gets the release if %s", (_, runs, plan) => {
    expect(newcomersRun(runs, plan)).toBe("502");
  });

  test.each<[string, Record<number, string | undefined>, Partial<RolloutPlan>]>([
    ["another has not moved", { 11: "501" }, {}],
    ["the platform does not show what another runs", { 11: undefined }, {}],
    ["nobody knows what another ran before", { 11: "503" }, { before: { others: { unknown: "11" } } }],
    ["an earlier rollout left another there", { 11: "500" }, { earlier: [{ number: 1, release: 500, joined: "" }] }],
  ])("gets the release from before if %s", (_, runs, plan) => {
    expect(newcomersRun(runs, plan)).toBe("501");
  });
});
