import fc from "fast-check";
import { expect, test } from "vitest";
import { makePlan } from "../../../src/resources/tenant-fleet/make-plan.ts";
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
