import { describe, expect, test } from "vitest";
import { call } from "../../emulator/running-emulator.ts";
import { failOnNewer, inputsOf, newer, older, rolloutStage, up, ups, withNewcomerOnNewer } from "./rollout-stage.ts";

test.concurrent("each up does one wave, and each tenant syncs once after it has moved", async () => {
  await using on = await rolloutStage();
  const inputs = inputsOf(on);

  const first = await up(on, inputs);
  expect(first.message).toBeUndefined();
  expect(await on.moved()).toEqual(["t3"]);
  expect(on.synced()).toEqual(["t3"]);
  expect(first.state).toMatchObject({ phase: "progressing", moved: 1, tenants: 10 });

  const second = await up(on, inputs, first.state);
  expect((await on.moved()).length).toBe(5);

  const third = await up(on, inputs, second.state);
  expect((await on.moved()).length).toBe(10);
  expect(on.synced().toSorted()).toEqual(Object.keys(on.ids).toSorted());
  expect(third.state).toMatchObject({ phase: "done", finished: 902, moved: 10 });
  expect(third.state.history).toMatchObject([{ outcome: "finished", proven: 10 }]);

  on.emulator.clearRequests();
  expect(await up(on, inputs, third.state)).toEqual({ state: third.state, message: undefined });
  expect(on.writes()).toEqual([]);
});

test.concurrent("a canary that fails stops the rollout, and nobody else moves", async () => {
  await using on = await rolloutStage();
  await failOnNewer(on, "t3");
  const inputs = inputsOf(on);
  const { state, message } = await up(on, inputs);
  expect(message).toMatch(
    /^rollout of fleet "billing" to v1\.1\.0 has failed, wave canary: 1 tenant failed, and none may fail\. Nobody else moves:\n {2}t3 \(\d+\): its sync ended with "Failed \(Integration Issue\)"[\s\S]*?\n {2}To take/,
  );
  expect(state.phase).toBe("failed");

  on.emulator.clearRequests();
  expect((await up(on, inputs, state)).message).toBeUndefined();
  expect(on.writes()).toEqual([]);
  expect(on.warnings.at(-1)).toContain("failed in wave canary");
});

test.concurrent("setting the release back takes the moved tenants back without syncs", async () => {
  await using on = await rolloutStage();
  await failOnNewer(on, "t5");
  const inputs = inputsOf(on, {
    waves: [{ name: "canary", tenants: ["t3"] }, { percent: 100 }],
    maxUnavailable: "100%",
  });
  const failed = await ups(on, inputs, 2);
  expect(failed.phase).toBe("failed");
  expect((await on.moved()).length).toBe(10);
  on.emulator.clearRequests();

  const plan = {
    ...on.plan,
    number: 2,
    release: 901,
    label: "v1.0.0",
    earlier: [{ number: 1, release: 902, joined: "" }],
  };
  const { state } = await up(on, inputsOf(on, { ...inputs, plan }), failed);
  expect(await on.moved()).toEqual([]);
  expect(on.synced()).toEqual([]);
  expect(state).toMatchObject({
    phase: "done",
    direction: "back",
    status: "taken back: 10 tenants run again what they ran before",
  });
});

test.concurrent("the state follows settings that are changed or removed during a rollout", async () => {
  await using on = await rolloutStage();
  const inputs = inputsOf(on, { approvals: {}, freeze: [{ from: "2020-01-01", to: "2020-01-02" }] });
  const first = await up(on, inputs);

  const approvals = { "v1.1.0": { "50%": "CHG-1" } };
  const { freeze: _, ...without } = { ...inputs, approvals };
  const second = await up(on, without, first.state);
  expect(second.state.approvals).toEqual(approvals);
  expect(second.state).not.toHaveProperty("freeze");
});

describe.concurrent("a rollout whose state is lost", () => {
  test("syncs nobody again, and takes nobody back, if all run the release", async () => {
    await using on = await rolloutStage();
    const inputs = inputsOf(on);
    expect((await ups(on, inputs, 3)).phase).toBe("done");
    on.emulator.clearRequests();
    const { state } = await up(on, { ...inputs, waves: [{ percent: 10 }, { percent: 100 }] });
    const again = await ups(on, { ...inputs, waves: [{ percent: 10 }, { percent: 100 }] }, 1, state);
    expect(on.synced().length).toBeLessThanOrEqual(1); // the first wave's: its step may have been killed
    expect(on.written()).toEqual([]);
    expect(again.phase).toBe("done");
    expect(on.warnings.join()).toContain("9 tenants run it already, and the state does not say how they came to");
  });

  test("takes the tenants of the next one back to the release that has finished", async () => {
    await using on = await rolloutStage({ tenants: 3, tenant: { integration_release_id: newer } });
    await call(on.emulator, "PATCH", "/_emulator/integrations/101", {
      runs: { takes_seconds: 0, releases: [{ tag: "v1.0.0", tenants: ["t3"], outcome: "fail" }] },
    });
    const earlier = [{ number: 1, release: newer, joined: "" }];
    const target = { number: 2, release: older, label: "v1.0.0", from: String(newer), earlier };
    const plan = { ...on.plan, ...target, before: { most: "Default", others: {} } }; // what they ran before the first one
    const failed = await up(on, inputsOf(on, { plan, onFailure: "rollback" }));
    expect(failed.state.phase).toBe("failed");
    await up(on, inputsOf(on, { plan, onFailure: "rollback" }), failed.state);
    expect(new Set(on.written())).toEqual(new Set(["t3"]));
    expect((await on.moved()).sort()).toEqual(["t1", "t2", "t3"]);
  });
});

describe.concurrent("the way back", () => {
  test("includes a tenant that was created on the release", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    await failOnNewer(on, "t3");
    const inputs = await withNewcomerOnNewer(on);
    const state = await ups(on, inputs, 2);
    expect(state).toMatchObject({ phase: "failed", direction: "back" });
    expect(await on.moved()).toEqual([]);
  });

  test("leaves tenants as they are that somebody had moved to the release before", async () => {
    await using on = await rolloutStage({ tenants: 4 });
    await failOnNewer(on, "t1");
    await on.changeByHand(on.ids.t4 ?? 0, { integration_release_id: newer });
    const plan = { ...on.plan, before: { most: String(older), others: { [newer ?? 0]: String(on.ids.t4) } } };
    const waves = [{ name: "canary", tenants: ["t1"] }, { percent: 100 }];
    const state = await ups(on, inputsOf(on, { plan, waves, onFailure: "rollback" }), 2);
    expect(state).toMatchObject({ phase: "failed", direction: "back" });
    expect(await on.moved()).toEqual(["t4"]);
    expect(on.written()).toEqual(["t1", "t1"]);
  });

  test("after a lost state leaves those that the rollout had proven, whenever they came to the fleet", async () => {
    await using on = await rolloutStage({ tenants: 4 });
    await failOnNewer(on, "t1");
    for (const key of ["t2", "t3"]) await on.changeByHand(on.ids[key] ?? 0, { integration_release_id: newer });
    const plan = { ...on.plan, joined: String(on.ids.t2) };
    const waves = [{ name: "canary", tenants: ["t1"] }, { percent: 100 }];
    const state = await ups(on, inputsOf(on, { plan, waves, onFailure: "rollback" }), 2);
    expect(state).toMatchObject({ phase: "failed", direction: "back" });
    expect((await on.moved()).sort()).toEqual(["t2", "t3"]);
  });

  test("of the next release ends where a tenant was taken back to before, although nothing stored that", async () => {
    await using on = await rolloutStage({ tenants: 4 });
    const { t1, t2 } = on.ids;
    await failOnNewer(on, "t2");
    const waves = [{ name: "canary", tenants: ["t1"] }, { percent: 100 }];
    const inputs = inputsOf(on, { waves, onFailure: "rollback" });
    const failed = await ups(on, inputs, 2);
    expect(failed).toMatchObject({ phase: "failed", direction: "forward", startedWaves: [{ proven: String(t1) }, {}] });
    for (const id of [t1, t2]) await on.changeByHand(id ?? 0, { integration_release_id: older });

    await call(on.emulator, "POST", "/_emulator/integrations/101/releases", { id: 950, name: "v1.2.0", tag: "v1.2.0" });
    const runs = { takes_seconds: 0, releases: [{ tag: "v1.2.0", tenants: ["t1"], outcome: "fail" }] };
    await call(on.emulator, "PATCH", "/_emulator/integrations/101", { runs });
    const earlier = [{ number: 1, release: newer, joined: "" }];
    const plan = { ...on.plan, number: 2, release: 950, label: "v1.2.0", earlier };
    const next = await ups(on, { ...inputs, plan }, 2, failed);
    expect(next).toMatchObject({ phase: "failed", direction: "back" });
    expect((await on.tenant(t1 ?? 0)).integration_release_id).toBe(older);
  });

  test("includes a tenant that an earlier attempt has proven", async () => {
    await using on = await rolloutStage({ tenants: 4 });
    await failOnNewer(on, "t2");
    const waves = [{ name: "canary", tenants: ["t1"] }, { percent: 100 }];
    const first = await ups(on, inputsOf(on, { waves, maxUnavailable: "100%" }), 2);
    expect(first.phase).toBe("failed");
    const earlier = [{ number: 1, release: newer, joined: "" }];
    const plan = { ...on.plan, number: 2, attempt: 2, earlier };
    const again = inputsOf(on, { plan, waves, maxUnavailable: "100%", onFailure: "rollback" });
    expect((await ups(on, again, 3, first)).direction).toBe("back");
    expect(await on.moved()).toEqual([]);
  });

  test("does not keep the tenants that it has taken back from the next attempt", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    await failOnNewer(on, "t2");
    const waves = [{ name: "canary", tenants: ["t1"] }, { percent: 100 }];
    const inputs = inputsOf(on, { waves, maxUnavailable: "100%", onFailure: "rollback" });
    const first = await ups(on, { ...inputs, onFailure: "pause" }, 2);
    const earlier = [{ number: 1, release: newer, joined: "" }];
    const second = { ...inputs, plan: { ...on.plan, number: 2, attempt: 2, earlier } };
    const back = await ups(on, second, 2, first);
    expect([back.direction, await on.moved()]).toEqual(["back", []]);
    await failOnNewer(on, "nobody");
    const all = [{ number: 2, release: newer, joined: "" }, ...earlier];
    const third = { ...inputs, plan: { ...on.plan, number: 3, attempt: 3, earlier: all } };
    expect((await ups(on, third, 2, back)).status).toBe("all waves have passed, 3 of 3 on v1.1.0");
  });
});
