import { describe, expect, test } from "vitest";
import { call } from "../../emulator/running-emulator.ts";
import { failOnNewer, inputsOf, newer, older, rolloutStage, up, ups } from "./rollout-stage.ts";

const twoWaves = [{ name: "canary", tenants: ["t1"] }, { percent: 100 }];
const long = { runs: { takes_seconds: 590 } };

describe("a wave whose tenants were left", () => {
  test("waits for a person, if nobody in it is proven", async () => {
    await using on = await rolloutStage({ tenants: 4 });
    await on.changeByHand(on.ids.t1 ?? 0, { integration_release_id: null, integration_release_channel: "Latest" });
    const state = await ups(on, inputsOf(on, { waves: twoWaves }), 3);
    expect(state.phase).toBe("waiting");
    expect(state.status).toContain(`t1 (${on.ids.t1}) was left: it runs Latest, which is neither`);
    expect(on.written()).toEqual([]);
  });

  test("waits too if somebody took its canary back by hand", async () => {
    await using on = await rolloutStage({ tenants: 4 });
    const inputs = inputsOf(on, { waves: twoWaves, gate: { soakSeconds: 1000 } });
    const { state } = await up(on, inputs);
    await on.changeByHand(on.ids.t1 ?? 0, { integration_release_id: older });
    await on.emulator.advance({ seconds: 1001 });
    expect((await ups(on, inputs, 2, state)).phase).toBe("waiting");
    expect(await on.moved()).toEqual([]);
  });

  test("proves its canary again that somebody has moved back to the release", async () => {
    await using on = await rolloutStage({ tenants: 4 });
    const inputs = inputsOf(on, { waves: twoWaves, gate: { soakSeconds: 1000 } });
    const { state } = await up(on, inputs);
    await on.changeByHand(on.ids.t1 ?? 0, { integration_release_id: older });
    await on.emulator.advance({ seconds: 1001 });
    const waiting = await ups(on, inputs, 2, state);
    expect(waiting.phase).toBe("waiting");
    await on.changeByHand(on.ids.t1 ?? 0, { integration_release_id: newer });
    const again = await up(on, inputs, waiting);
    expect(again.state).toMatchObject({ phase: "progressing", reasons: {} });
    expect(again.state.startedWaves).toMatchObject([{ proven: String(on.ids.t1) }]);
    expect([on.written(), on.synced()]).toEqual([["t1"], ["t1", "t1"]]);
  });
});

describe("tenants that are behind after the end", () => {
  test("move no more at a time than maxUnavailable, across ups", async () => {
    await using on = await rolloutStage({ tenants: 5 });
    const behind = ["t2", "t3", "t4", "t5"].map((key) => on.ids[key] ?? 0);
    for (const id of behind) await on.changeByHand(id, { paused: true });
    const inputs = inputsOf(on, { waves: twoWaves, gate: { whenPaused: "leave", minTenants: 0 }, maxUnavailable: 1 });
    const state = await ups(on, inputs, 2);
    expect(state.phase).toBe("done");
    for (const id of behind) await on.changeByHand(id, { paused: false, ...long });
    await ups(on, { ...inputs, waitSeconds: 0.2 }, 3, state);
    expect((await on.moved()).length).toBe(2);
  });

  test("move with the next up, also if the last wave had nobody to move", async () => {
    await using on = await rolloutStage({ tenants: 2 });
    const inputs = inputsOf(on, { waves: twoWaves });
    const { state } = await up(on, inputs);
    await on.changeByHand(on.ids.t1 ?? 0, { integration_release_id: older });
    await on.changeByHand(on.ids.t2 ?? 0, { archived: true });
    on.emulator.clearRequests();
    const last = await up(on, inputs, state);
    expect(last.state).toMatchObject({ phase: "done", status: expect.stringContaining("move with the next up") });
    expect(on.written()).toEqual([]);
    await up(on, inputs, last.state);
    expect(on.written()).toEqual(["t1"]);
  });

  test("are proven if a killed step has moved them", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    await on.changeByHand(on.ids.t3 ?? 0, { paused: true });
    const inputs = inputsOf(on, { waves: twoWaves, gate: { whenPaused: "leave" } });
    const state = await ups(on, inputs, 2);
    expect(state.phase).toBe("done");
    await on.changeByHand(on.ids.t3 ?? 0, { paused: false, integration_release_id: newer });
    on.emulator.clearRequests();
    expect((await up(on, inputs, state)).state.phase).toBe("done");
    expect([on.written(), on.synced()]).toEqual([[], ["t3"]]);
  });

  test("move although their configs do not fit what they ran before the rollout, as nobody is taken back any more", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    for (const [id, tag] of [
      [950, "v2.0.0"],
      [951, "v2.1.0"],
    ])
      await call(on.emulator, "POST", "/_emulator/integrations/101/releases", {
        id,
        name: tag,
        tag,
        config_schema: {},
      });
    await on.changeByHand(on.ids.t3 ?? 0, { paused: true });
    const plan = { ...on.plan, release: 950, label: "v2.0.0" };
    const inputs = inputsOf(on, { plan, waves: twoWaves, gate: { whenPaused: "leave" } });
    const done = await ups(on, inputs, 2);
    expect(done.phase).toBe("done");
    const configs = { region: "eu", batch_size: 99_999 }; // the older release allows 1000 at most
    await on.changeByHand(on.ids.t3 ?? 0, { paused: false, integration_release_id: 951, configs });
    const { state } = await up(on, inputs, done);
    expect((await on.tenant(on.ids.t3 ?? 0)).integration_release_id).toBe(950);
    expect((await up(on, inputs, state)).state).toEqual(state);
  });

  test("do not fail because of tenants whose failures a wave has tolerated", async () => {
    await using on = await rolloutStage({ tenants: 6 });
    await failOnNewer(on, "t5");
    const waves = [{ name: "canary", tenants: ["t1"] }, { tenants: ["t2", "t3", "t4", "t6", "t5"] }];
    const inputs = inputsOf(on, { waves, maxFailures: 1, maxUnavailable: 1 });
    const done = await ups(on, inputs, 2);
    expect(done).toMatchObject({ phase: "done", history: [{ failed: 1 }] });
    for (const key of ["t2", "t3"]) {
      await on.changeByHand(on.ids[key] ?? 0, { integration_release_id: older, ...long });
    }
    const { state, message } = await up(on, { ...inputs, waitSeconds: 0.2 }, done);
    expect(message).toBeUndefined();
    expect(state.phase).toBe("done");
  });

  test("belong to the waves of the next release if they have failed on this one", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    const t3 = on.ids.t3 ?? 0;
    await on.changeByHand(t3, { paused: true });
    const inputs = inputsOf(on, { waves: twoWaves, gate: { whenPaused: "leave" } });
    const done = await ups(on, inputs, 2);
    expect(done.phase).toBe("done");
    await on.changeByHand(t3, { paused: false });
    await failOnNewer(on, "t3");
    const failed = await up(on, inputs, done);
    expect(failed.state.phase).toBe("failed");

    await call(on.emulator, "POST", "/_emulator/integrations/101/releases", { id: 950, name: "v1.2.0", tag: "v1.2.0" });
    const earlier = [{ number: 1, release: newer, joined: "" }];
    const plan = { ...on.plan, number: 2, release: 950, label: "v1.2.0", from: String(newer), earlier };
    const waves = [{ name: "canary", tenants: ["t3"] }, { percent: 100 }];
    const next = await up(on, { ...inputs, plan, waves }, failed.state);
    expect(next.state.startedWaves).toMatchObject([{ name: "canary", proven: String(t3), outcome: "passed" }]);
  });

  test("do not move outside the windows", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    const inputs = inputsOf(on, { waves: twoWaves });
    const state = await ups(on, inputs, 2);
    await on.changeByHand(on.ids.t2 ?? 0, { integration_release_id: older });
    on.emulator.clearRequests();
    const later = await up(on, { ...inputs, windows: ["0 0 1 1 *"] }, state);
    expect(on.writes()).toEqual([]);
    expect(later.state.phase).toBe("done");
    expect((await up(on, inputs, later.state)).state.phase).toBe("done");
    expect(on.written()).toEqual(["t2"]);
  });

  test("need no proof if they came after the last wave had begun, as a new customer's may take weeks", async () => {
    await using on = await rolloutStage({ tenants: 4 });
    const { t1, t2, t3, t4 } = on.ids;
    await on.changeByHand(t4 ?? 0, { paused: true });
    const plan = { ...on.plan, members: `t1=${t1} t2=${t2} t3=${t3}` };
    const begun = await ups(on, inputsOf(on, { plan, waves: twoWaves, waitSeconds: 0 }), 2);
    const done = await ups(on, inputsOf(on, { plan: { ...plan, newcomers: `t4=${t4}` }, waves: twoWaves }), 3, begun);
    expect(done.phase).toBe("done");
    expect((await on.moved()).sort()).toEqual(["t1", "t2", "t3", "t4"]);
  });

  test("are proven only once if they came during the rollout", async () => {
    await using on = await rolloutStage({ tenants: 4 });
    const { t1, t2, t3, t4 } = on.ids;
    const plan = { ...on.plan, members: `t1=${t1} t2=${t2} t3=${t3}` };
    const begun = await up(on, inputsOf(on, { plan, waves: twoWaves }));
    const inputs = inputsOf(on, { plan: { ...plan, newcomers: `t4=${t4}` }, waves: twoWaves });
    const done = await ups(on, inputs, 3, begun.state);
    expect(done.phase).toBe("done");
    expect((await on.moved()).sort()).toEqual(["t1", "t2", "t3", "t4"]);
    on.emulator.clearRequests();
    expect((await up(on, inputs, done)).state).toEqual(done);
    expect([on.written(), on.synced()]).toEqual([[], []]);
  });

  test("are proven only once if they came after the end", async () => {
    await using on = await rolloutStage({ tenants: 4 });
    const { t1, t2, t3, t4 } = on.ids;
    const plan = { ...on.plan, members: `t1=${t1} t2=${t2} t3=${t3}` };
    const ended = await ups(on, inputsOf(on, { plan, waves: twoWaves }), 2);
    const inputs = inputsOf(on, { plan: { ...plan, newcomers: `t4=${t4}` }, waves: twoWaves });
    const done = await ups(on, inputs, 1, ended);
    expect([on.written().at(-1), on.synced().at(-1)]).toEqual(["t4", "t4"]);
    on.emulator.clearRequests();
    expect((await up(on, inputs, done)).state).toEqual(done);
    expect([on.written(), on.synced()]).toEqual([[], []]);
  });

  test("move with the next rollout if they came after the end", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    const { t1, t2, t3 } = on.ids;
    const plan = { ...on.plan, members: `t1=${t1} t2=${t2}` };
    const ended = await ups(on, inputsOf(on, { plan, waves: twoWaves }), 2);
    const inputs = inputsOf(on, { plan: { ...plan, newcomers: `t3=${t3}` }, waves: twoWaves });
    const done = await ups(on, inputs, 1, ended);
    expect((await on.moved()).length).toBe(3);
    const earlier = [{ number: 1, release: newer, joined: "" }];
    const back = { ...on.plan, number: 2, release: older, label: "v1.0.0", joined: String(t3), earlier };
    const again = await ups(on, { ...inputs, plan: back }, 2, done);
    expect(again.phase).toBe("done");
    expect(await on.moved()).toEqual([]);
  });

  test("move with the next rollout if they had left, and are back", async () => {
    await using on = await rolloutStage({ tenants: 2 });
    const { t1, t2 } = on.ids;
    const inputs = inputsOf(on, { waves: twoWaves });
    const done = await ups(on, inputs, 2);
    const pinned = { ...inputs, plan: { ...on.plan, members: `=${t1} t2=${t2}` } };
    await on.changeByHand(t1 ?? 0, { integration_release_id: older });
    const { state } = await up(on, pinned, done);
    await call(on.emulator, "POST", "/_emulator/integrations/101/releases", { id: 950, name: "v1.2.0", tag: "v1.2.0" });
    const earlier = [{ number: 1, release: newer, joined: "" }];
    const next = { number: 2, release: 950, label: "v1.2.0", from: String(newer), joined: String(t1), earlier };
    const last = await ups(on, { ...inputs, plan: { ...on.plan, ...next } }, 2, state);
    expect(last.status).toBe("all waves have passed, 2 of 2 on v1.2.0");
  });

  test("do not fail by a later run of a tenant that was behind earlier", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    const inputs = inputsOf(on, { waves: twoWaves });
    const done = await ups(on, inputs, 2);
    await on.changeByHand(on.ids.t3 ?? 0, { integration_release_id: older });
    const { state } = await up(on, inputs, done);
    await failOnNewer(on, "t3");
    await call(on.emulator, "POST", `/v2/tenants/${on.ids.t3}/sync?mode=normal`);
    await on.emulator.advance({ seconds: 5 });
    await on.changeByHand(on.ids.t2 ?? 0, { integration_release_id: older });
    const last = await up(on, inputs, state);
    expect(last.message).toBeUndefined();
    expect(last.state.phase).toBe("done");
    expect((await on.moved()).length).toBe(3);
  });
});

test("after a way back to a finished release, those behind move, and those that were left for a change by hand stay", async () => {
  await using on = await rolloutStage({ tenants: 3 });
  const { t2, t3 } = on.ids;
  const strategy = { maxUnavailable: "100%", waitSeconds: 30 };
  const done = await ups(on, inputsOf(on, { ...strategy, waves: [{ percent: 100 }] }), 2);
  await call(on.emulator, "POST", "/_emulator/integrations/101/releases", { id: 950, name: "v1.2.0", tag: "v1.2.0" });
  const first = { number: 1, release: newer, joined: "" };
  const second = { ...on.plan, number: 2, release: 950, label: "v1.2.0", from: String(newer), earlier: [first] };
  const waves = [{ name: "canary", tenants: ["t1", "t2"] }, { percent: 100 }];
  const halfway = await ups(on, inputsOf(on, { ...strategy, waves, plan: second }), 1, done);
  await on.changeByHand(t2 ?? 0, { integration_release_id: older });

  const earlier = [{ number: 2, release: 950, joined: "" }, first];
  const third = { ...second, number: 3, release: newer, label: "v1.1.0", earlier };
  const inputs = inputsOf(on, { ...strategy, waves, plan: third });
  const { state: back } = await up(on, inputs, halfway);
  expect(back).toMatchObject({ phase: "done", direction: "back", reasons: { [t2 ?? 0]: expect.any(String) } });
  await on.changeByHand(t3 ?? 0, { integration_release_id: older });
  on.emulator.clearRequests();
  const { state } = await up(on, inputs, back);
  expect([on.written(), on.synced()]).toEqual([["t3"], ["t3"]]);
  expect(state).toMatchObject({ phase: "done", direction: "forward", reasons: back.reasons });
});

test("that a newcomer has left a rollout is stored at once, as it may be back with the next one", async () => {
  await using on = await rolloutStage({ tenants: 3 });
  const { t1, t2, t3 } = on.ids;
  const plan = { ...on.plan, members: `t1=${t1} t2=${t2}`, newcomers: `t3=${t3}` };
  const inputs = inputsOf(on, { plan, waves: twoWaves, gate: { soakSeconds: 1e6 }, waitSeconds: 0.2 });
  const soaking = await ups(on, inputs, 3);
  expect([soaking.newcomers, soaking.status]).toEqual([String(t3), expect.stringContaining("soaking")]);
  const left = { ...inputs, plan: { ...plan, newcomers: `=${t3}` } };
  const { state } = await up(on, left, soaking);
  expect(state.newcomers).toBe("");
  expect((await up(on, left, state)).state).toBe(state);
});

test("setting the release back after an automatic rollback writes nothing, so tenants on a channel stay there", async () => {
  await using on = await rolloutStage({ tenants: 3 });
  await on.changeByHand(on.ids.t2 ?? 0, { integration_release_id: null, integration_release_channel: "Latest" });
  const before = { most: String(older), others: { Latest: String(on.ids.t2) } };
  await failOnNewer(on, "t1");
  const inputs = inputsOf(on, { plan: { ...on.plan, before }, waves: twoWaves, onFailure: "rollback" });
  const state = await ups(on, inputs, 2);
  expect(state).toMatchObject({ phase: "failed", direction: "back" });
  on.emulator.clearRequests();
  const earlier = [{ number: 1, release: newer, joined: "" }];
  const plan = { ...on.plan, before, number: 2, release: older, label: "v1.0.0", earlier };
  expect((await up(on, { ...inputs, plan }, state)).state).toMatchObject({ phase: "done", direction: "back" });
  expect(on.writes()).toEqual([]);
});

test("a release that failed once and finished in a later attempt is finished", async () => {
  await using on = await rolloutStage({ tenants: 2 });
  await failOnNewer(on, "t1");
  const inputs = inputsOf(on, { waves: twoWaves });
  const failed = await ups(on, inputs, 1);
  await failOnNewer(on, "nobody");
  const earlier = [{ number: 1, release: newer, joined: "" }];
  const second = { ...on.plan, number: 2, attempt: 2, earlier };
  const finished = await ups(on, { ...inputs, plan: second }, 2, failed);
  expect(finished.phase).toBe("done");
  const third = { ...on.plan, number: 3, earlier: [{ number: 2, release: newer, joined: "" }, ...earlier] };
  expect((await up(on, { ...inputs, plan: third }, finished)).state.phase).toBe("done");
});

test("the deadline of a sync begins when it is asked for", async () => {
  await using on = await rolloutStage({ tenants: 1, tenant: { runs: { takes_seconds: 400 } } });
  await call(on.emulator, "POST", `/v2/tenants/${on.ids.t1}/sync?mode=normal`);
  await on.emulator.advance({ seconds: 2 });
  const inputs = inputsOf(on, { waves: [{ percent: 100 }], gate: { deadlineSeconds: 300 }, waitSeconds: 0.2 });
  const { state } = await up(on, inputs); // an older run is under way
  expect(state.pendingSyncs[String(on.ids.t1)]?.trigger).toBeUndefined();
  await on.emulator.advance({ seconds: 500 });
  const second = await up(on, inputs, state);
  expect(second.message).toBeUndefined();
  expect(second.state.pendingSyncs[String(on.ids.t1)]?.trigger).toBeDefined();
});
