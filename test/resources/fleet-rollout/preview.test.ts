import { describe, expect, test } from "vitest";
import { unknownValue } from "../../../src/json/unknown.ts";
import type { PreviewedPlan } from "../../../src/operation/previewed-plan.ts";
import { fleetRolloutLifecycle } from "../../../src/resources/fleet-rollout/lifecycle.ts";
import type { FleetRolloutInputs, FleetRolloutState } from "../../../src/resources/fleet-rollout/schema.ts";
import { call } from "../../emulator/running-emulator.ts";
import { failOnNewer, inputsOf, newer, older, type RolloutStage, rolloutStage, up, ups } from "./rollout-stage.ts";

const third = { id: 950, name: "v1.2.0", tag: "v1.2.0" };
const earlier = [{ number: 1, release: newer, joined: "" }];
const allAtOnce = { maxUnavailable: "100%" };

/** What a preview says of a rollout whose fleet is going to store another plan. */
async function preview(
  on: RolloutStage,
  inputs: FleetRolloutInputs,
  state: FleetRolloutState,
  to: Pick<PreviewedPlan, "release" | "label"> & { attempt?: number },
): Promise<string[]> {
  const { context } = on.operation();
  const keys = Object.keys(on.ids);
  const members = keys.map((key) => ({ key, id: on.ids[key] }));
  const of = {
    integrationId: 101,
    fleet: "billing",
    keys,
    pinned: [],
    excluded: [],
    members,
    newcomers: [],
    isNew: true,
    from: String(older),
    earlier,
  };
  context.previewedPlans.set("billing", { attempt: 1, ...of, ...to });
  const one = fleetRolloutLifecycle(context);
  const unknownPlan = { ...inputs, plan: unknownValue };
  on.notes.length = 0;
  on.warnings.length = 0;
  await one.check(unknownPlan, state);
  await one.diff("101/billing", state, unknownPlan);
  return [...on.notes, ...on.warnings];
}

describe("the preview of a rollback lists", () => {
  test("all tenants on the releases that it undoes, also on those of superseded rollouts", async () => {
    await using on = await rolloutStage({ tenants: 5 });
    await failOnNewer(on, "t2");
    const waves = [{ name: "canary", tenants: ["t1"] }, { percent: 60 }, { percent: 100 }];
    const failed = await ups(on, inputsOf(on, { waves, ...allAtOnce }), 2);
    expect([failed.phase, (await on.moved()).toSorted()]).toEqual(["failed", ["t1", "t2", "t3"]]);
    await call(on.emulator, "POST", "/_emulator/integrations/101/releases", third);
    const plan = { ...on.plan, number: 2, release: third.id, label: third.tag, earlier };
    const inputs = inputsOf(on, { plan, waves });
    const { state } = await up(on, inputs, failed);
    expect(await on.moved()).toHaveLength(2);
    expect(await preview(on, inputs, state, { release: older, label: "v1.0.0" })).toEqual([
      'rollout of fleet "billing" to v1.0.0: up takes back 3 tenants: t1, t2, t3',
    ]);
  });

  test("nobody who is taken back now if it is paused, and says so", async () => {
    await using on = await rolloutStage({ tenants: 3, tenant: { runs: { takes_seconds: 590 } } });
    const inputs = inputsOf(on, { waves: [{ percent: 100 }], maxUnavailable: 1, waitSeconds: 0.2 });
    const { state } = await up(on, inputs);
    expect(await preview(on, { ...inputs, paused: true }, state, { release: older, label: "v1.0.0" })).toEqual([
      'rollout of fleet "billing" to v1.0.0: paused, so up takes nobody back; without paused it takes back 1 tenant: t1',
    ]);
  });

  test("no tenants of its waves that have not moved", async () => {
    await using on = await rolloutStage({ tenants: 3, tenant: { runs: { takes_seconds: 590 } } });
    const inputs = inputsOf(on, { waves: [{ percent: 100 }], maxUnavailable: 1, waitSeconds: 0.2 });
    const { state } = await up(on, inputs);
    expect(await on.moved()).toEqual(["t1"]);
    expect(await preview(on, inputs, state, { release: older, label: "v1.0.0" })).toEqual([
      'rollout of fleet "billing" to v1.0.0: up takes back 1 tenant: t1',
    ]);
  });
});

describe("the preview of a release that has failed before", () => {
  /** A rollout to v1.1.0 that has failed, and one to v1.2.0 that supersedes it. */
  async function superseded(on: RolloutStage) {
    await failOnNewer(on, "t1");
    const waves = [{ name: "canary", tenants: ["t1"] }, { percent: 100 }];
    const failed = await ups(on, inputsOf(on, { waves }), 1);
    await call(on.emulator, "POST", "/_emulator/integrations/101/releases", third);
    const plan = { ...on.plan, number: 2, release: third.id, label: third.tag, earlier };
    const inputs = inputsOf(on, { plan, waves });
    return { inputs, state: await ups(on, inputs, 1, failed) };
  }
  const title = 'rollout of fleet "billing" to v1.1.0';
  const again = { release: newer, label: "v1.1.0" };

  test("says that nobody moves", async () => {
    await using on = await rolloutStage({ tenants: 2 });
    const { inputs, state } = await superseded(on);
    const reason = "attempt 1 of v1.1.0 has failed before; nobody moves. Raise attempt to try it again";
    expect(await preview(on, inputs, state, again)).toEqual([`${title}: ${reason}`]);
    const rollback = { ...inputs, onFailure: "rollback" as const };
    expect(await preview(on, rollback, state, again)).toEqual([
      `${title}: ${reason}; up takes the tenants back to what they ran before`,
    ]);
    expect(await preview(on, { ...rollback, paused: true }, state, again)).toEqual([
      `${title}: ${reason}; paused, so nobody is taken back`,
    ]);
  });

  test("shows the waves of another attempt", async () => {
    await using on = await rolloutStage({ tenants: 2 });
    const { inputs, state } = await superseded(on);
    expect(await preview(on, inputs, state, { ...again, attempt: 2 })).toEqual([
      `${title} (attempt 2):\n  canary: 1 tenant: t1\n  100%: 1 tenant: t2`,
    ]);
  });
});
