import { describe, expect, test } from "vitest";
import { failOnNewer, inputsOf, newer, older, type RolloutStage, rolloutStage, up } from "./rollout-stage.ts";

const waves = [{ name: "canary", tenants: ["t1"] }, { percent: 100 }];

/** The plan of a rollout that is the first of its fleet, to a release that all tenants but t1 run. */
async function planOfMajority(on: RolloutStage) {
  for (const key of ["t2", "t3", "t4"]) await on.changeByHand(on.ids[key] ?? 0, { integration_release_id: newer });
  const before = { most: String(newer), others: { [String(older)]: String(on.ids.t1) } };
  return { ...on.plan, from: String(newer), before };
}

describe("the first rollout to a release that most tenants run", () => {
  test("takes back those that it has moved if they fail", async () => {
    await using on = await rolloutStage({ tenants: 4 });
    await failOnNewer(on, "t1");
    const inputs = inputsOf(on, { plan: await planOfMajority(on), waves, onFailure: "rollback" });
    const failed = await up(on, inputs);
    expect(failed.message).toContain("The next up takes all of them back to what they ran before");
    expect((await up(on, inputs, failed.state)).state.history[0]).toMatchObject({ outcome: "rolled back" });
    expect(await on.moved()).toEqual(["t2", "t3", "t4"]);
  });

  test("says how to take them back if it does not do so itself", async () => {
    await using on = await rolloutStage({ tenants: 4 });
    await failOnNewer(on, "t1");
    const { message } = await up(on, inputsOf(on, { plan: await planOfMajority(on), waves }));
    expect(message).toContain("To take the tenants back, set onFailure: rollback");
  });

  test("is the way back from the next release, although it has not ended", async () => {
    await using on = await rolloutStage({ tenants: 4 });
    const plan = await planOfMajority(on);
    const first = await up(on, inputsOf(on, { plan, waves: [{ name: "canary", approval: "required", percent: 100 }] }));
    const earlier = [{ number: 1, release: newer, joined: "" }];
    const next = { ...plan, number: 2, release: 903, label: "v1.2.0", earlier };
    const second = await up(on, inputsOf(on, { plan: next, waves }), first.state);
    const back = { ...plan, number: 3, earlier: [{ number: 2, release: 903, joined: "" }, ...earlier] };
    const third = await up(on, inputsOf(on, { plan: back, waves }), second.state);
    expect(third.state).toMatchObject({ direction: "back", phase: "done" });
  });
});
