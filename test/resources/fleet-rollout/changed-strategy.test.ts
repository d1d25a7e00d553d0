import { describe, expect, test } from "vitest";
import { fleetRolloutLifecycle } from "../../../src/resources/fleet-rollout/lifecycle.ts";
import { inputsOf, rolloutStage, up } from "./rollout-stage.ts";

test("the state has the inputs of the last up, and none of those before", async () => {
  await using on = await rolloutStage();
  const gate = { soakSeconds: 0, minTenants: 1 };
  const first = await up(on, inputsOf(on, { paused: true, gate, maxFailures: 1 }));
  expect([first.state, on.written()]).toMatchObject([{ paused: true, maxFailures: 1 }, []]);

  const now = inputsOf(on, { gate: { soakSeconds: 1 } });
  const { state } = await up(on, now, first.state);
  expect(on.written()).toEqual(["t3"]);
  expect(state).not.toHaveProperty("paused");
  expect(state).not.toHaveProperty("maxFailures");
  expect(state.gate).toEqual({ soakSeconds: 1 });
  const { isChanged } = await fleetRolloutLifecycle(on.operation().context).diff("101/billing", state, now);
  expect(isChanged).toBe(false);
});

describe("a wave of tenants without a name", () => {
  test("proves the release although an earlier one that has passed was removed with its tenant", async () => {
    await using on = await rolloutStage({ tenants: 10 });
    const early = { tenants: ["t2", "t3"] };
    const first = await up(on, inputsOf(on, { waves: [{ tenants: ["t1"] }, early, { percent: 100 }] }));
    expect(await on.moved()).toEqual(["t1"]);
    const plan = { ...on.plan, members: on.plan.members.replace("t1=", "=") };
    await up(on, inputsOf(on, { plan, waves: [early, { percent: 100 }], maxUnavailable: 3 }), first.state);
    expect(await on.moved()).toEqual(["t1", "t2", "t3"]);
  });

  test("that is inserted before one that has passed does not count as passed", async () => {
    await using on = await rolloutStage({ tenants: 10 });
    const first = await up(on, inputsOf(on, { waves: [{ tenants: ["t1"] }, { percent: 100 }] }));
    const waves = [{ tenants: ["t4"] }, { tenants: ["t1"] }, { percent: 100 }];
    await up(on, inputsOf(on, { waves, maxUnavailable: 3 }), first.state);
    expect(await on.moved()).toEqual(["t1", "t4"]);
  });
});

// `up --target` of the rollout has the newest waves, and the plan of the last `up` of the whole stack
test.each(["t3-eu", "new-canary"])("a wave waits for the tenant %s, which the stored plan lacks", async (key) => {
  await using on = await rolloutStage({ tenants: 10 });
  const waves = (canary: string) => [{ name: "canary", tenants: [canary] }, { percent: 100 }];
  const first = await up(on, inputsOf(on, { waves: waves("t3"), paused: true }));
  const job = await up(on, inputsOf(on, { waves: waves(key) }), first.state);
  expect(await on.moved()).toEqual([]);
  expect(job.state.status).toBe(
    `wave 1 of 2 (canary), 0 of 10 on v1.1.0, starts once the fleet has ${key}: run up for the whole stack`,
  );
  expect(job.state.phase).toBe("waiting");

  const members =
    key === "t3-eu" ? on.plan.members.replace("t3=", "t3-eu=") : on.plan.members.replace("t9=", `${key}=`);
  await up(on, inputsOf(on, { plan: { ...on.plan, members }, waves: waves(key) }), job.state);
  expect(await on.moved()).toEqual([key === "t3-eu" ? "t3" : "t9"]);
});
