import { describe, expect, test } from "vitest";
import { fleetRolloutLifecycle } from "../../../src/resources/fleet-rollout/lifecycle.ts";
import type { FleetRolloutInputs, FleetRolloutState } from "../../../src/resources/fleet-rollout/schema.ts";
import { call } from "../../emulator/running-emulator.ts";
import {
  failOnNewer,
  inputsOf,
  newer,
  older,
  type RolloutStage,
  rolloutStage,
  up,
  ups,
  withNewcomerOnNewer,
} from "./rollout-stage.ts";

const twoWaves = [{ name: "canary", tenants: ["t1"] }, { percent: 100 }];

/** Pauses tenants as their fleet does, and returns the inputs with the plan that the fleet stores then. */
async function override(on: RolloutStage, inputs: FleetRolloutInputs, ...keys: string[]): Promise<FleetRolloutInputs> {
  const ids = keys.map((key) => on.ids[key] ?? 0);
  for (const id of ids) await on.changeByHand(id, { paused: true });
  on.emulator.clearRequests();
  return { ...inputs, plan: { ...inputs.plan, overridden: ids.join(" ") } };
}

/** Ends the override of all tenants, as their fleet does. */
async function restore(on: RolloutStage, inputs: FleetRolloutInputs): Promise<FleetRolloutInputs> {
  const { overridden = "", ...plan } = inputs.plan;
  for (const id of overridden.split(" ")) await on.changeByHand(Number(id), { paused: false });
  on.emulator.clearRequests();
  return { ...inputs, plan };
}

/** Whether a preview finds nothing to do. */
async function isQuiet(on: RolloutStage, inputs: FleetRolloutInputs, state: FleetRolloutState): Promise<boolean> {
  const one = fleetRolloutLifecycle(on.operation().context);
  await one.check(inputs, state);
  const { isChanged, isUnfinished } = await one.diff("101/billing", state, inputs);
  return !isChanged && isUnfinished !== true;
}

const sorted = (keys: readonly string[]) => keys.toSorted();

describe.concurrent("a rollout with overridden tenants", () => {
  test("neither moves nor syncs them, goes on with the others, and its status counts them", async () => {
    await using on = await rolloutStage({ tenants: 6 });
    const inputs = await override(on, inputsOf(on, { waves: twoWaves, maxUnavailable: "100%" }), "t2", "t5");
    const { state } = await up(on, inputs);
    expect(state.status).toContain("1 of 6 on v1.1.0 (2 tenants are overridden)");
    const done = await ups(on, inputs, 1, state);
    expect(done.phase).toBe("done");
    expect(done.status).toBe("all waves have passed, 4 of 6 on v1.1.0; 2 tenants are overridden");
    expect(sorted(on.written())).toEqual(["t1", "t3", "t4", "t6"]);
    expect(sorted(on.synced())).toEqual(["t1", "t3", "t4", "t6"]);
    expect(on.warnings.filter((warning) => warning.includes("overridden"))).toEqual([]);
    expect(await isQuiet(on, inputs, done)).toBe(true);
  });

  test("moves and proves them once the override has ended, no more at a time than maxUnavailable", async () => {
    await using on = await rolloutStage({ tenants: 5 });
    const inputs = inputsOf(on, { waves: twoWaves, maxUnavailable: 1, waitSeconds: 5 });
    const paused = await override(on, inputs, "t2", "t3", "t4");
    const done = await ups(on, paused, 2);
    expect(await on.moved()).toHaveLength(2);
    const later = await restore(on, paused);
    for (const key of ["t2", "t3", "t4"]) await on.changeByHand(on.ids[key] ?? 0, { runs: { takes_seconds: 590 } });
    const { state } = await up(on, { ...later, waitSeconds: 0.2 }, done);
    expect([on.written().length, on.synced().length]).toEqual([1, 1]);
    expect(state.status).not.toContain("overridden");
    for (const key of ["t2", "t3", "t4"]) await on.changeByHand(on.ids[key] ?? 0, { runs: { takes_seconds: 1 } });
    await on.emulator.advance({ seconds: 600 });
    const last = await ups(on, later, 3, state);
    expect(last).toMatchObject({ phase: "done", status: "all waves have passed, 5 of 5 on v1.1.0" });
    expect(sorted(on.synced())).toEqual(["t2", "t3", "t4"]);
  });

  test("waits where a wave has nobody else to move, and starts it once the override has ended", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    const inputs = await override(on, inputsOf(on, { waves: twoWaves }), "t1");
    const { state } = await up(on, inputs);
    expect(state.phase).toBe("waiting");
    expect(state.status).toBe(
      "wave 1 of 2 (canary), 0 of 3 on v1.1.0 (1 tenant is overridden), starts once a tenant of the wave is no longer overridden",
    );
    expect(on.writes()).toEqual([]);
    expect(await isQuiet(on, inputs, state)).toBe(true);
    const after = await restore(on, inputs);
    expect((await up(on, after, state)).state).toMatchObject({ phase: "progressing", moved: 1 });
    expect(on.synced()).toEqual(["t1"]);
  });

  test("waits where all tenants are overridden", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    const inputs = await override(on, inputsOf(on, { waves: [{ percent: 100 }] }), "t1", "t2", "t3");
    const { state } = await up(on, inputs);
    expect(state).toMatchObject({ phase: "waiting", status: expect.stringContaining("3 tenants are overridden") });
    expect(on.writes()).toEqual([]);
  });

  test("waits for enough proofs of a wave, and goes on with it once the override has ended", async () => {
    await using on = await rolloutStage({ tenants: 4 });
    const waves = [{ name: "canary", tenants: ["t1", "t2"] }, { percent: 100 }];
    const inputs = await override(on, inputsOf(on, { waves, gate: { minTenants: 2 } }), "t2");
    const state = await ups(on, inputs, 2);
    expect(state.phase).toBe("waiting");
    expect(state.status).toContain(`(t2 (${on.ids.t2}) was left: it is overridden)`);
    expect([on.written(), on.synced()]).toEqual([["t1"], ["t1"]]);
    const after = await restore(on, inputs);
    const next = await up(on, after, state);
    expect(next.state.startedWaves).toMatchObject([{ outcome: "passed" }]);
    expect([on.written(), on.synced()]).toEqual([["t2"], ["t2"]]);
  });
});

describe.concurrent("an override that begins while a tenant is to prove itself", () => {
  /** A rollout whose canary has moved and whose sync takes a while. */
  async function underWay(on: RolloutStage, seconds: number, more: Partial<FleetRolloutInputs> = {}) {
    await on.changeByHand(on.ids.t1 ?? 0, { runs: { takes_seconds: seconds } });
    const inputs = inputsOf(on, { waves: twoWaves, waitSeconds: 0.2, ...more });
    const { state } = await up(on, inputs);
    expect(state.pendingSyncs[String(on.ids.t1)]?.trigger).toBeDefined();
    return { inputs, state };
  }

  test("does not hide that its sync has succeeded", async () => {
    await using on = await rolloutStage({ tenants: 2 });
    const { inputs, state } = await underWay(on, 300);
    await on.emulator.advance({ seconds: 400 });
    const paused = await override(on, inputs, "t1");
    const next = await up(on, paused, state);
    expect(next.state.startedWaves).toMatchObject([{ proven: String(on.ids.t1), outcome: "passed" }]);
    expect(on.writes()).toEqual([]);
  });

  test("does not hide that its sync has failed", async () => {
    await using on = await rolloutStage({ tenants: 2 });
    await failOnNewer(on, "t1");
    const { inputs, state } = await underWay(on, 300);
    await on.emulator.advance({ seconds: 400 });
    const paused = await override(on, inputs, "t1");
    expect((await up(on, paused, state)).state.phase).toBe("failed");
  });

  test("puts the proof off: its deadline does not pass, and another sync is asked for afterwards", async () => {
    await using on = await rolloutStage({ tenants: 2 });
    const { inputs, state } = await underWay(on, 100_000, { gate: { deadlineSeconds: 600 } });
    const paused = await override(on, inputs, "t1");
    const aside = await ups(on, paused, 2, state);
    expect(aside).toMatchObject({ phase: "waiting", status: expect.stringContaining("1 tenant is overridden") });
    await on.emulator.advance({ seconds: 200_000 });
    expect(await isQuiet(on, paused, aside)).toBe(true);
    await on.changeByHand(on.ids.t1 ?? 0, { runs: { takes_seconds: 1 } });
    const after = await restore(on, paused);
    const next = await up(on, { ...after, waitSeconds: 5 }, aside);
    expect(next.message).toBeUndefined();
    expect(next.state.startedWaves).toMatchObject([{ proven: String(on.ids.t1), outcome: "passed" }]);
    expect([on.written(), on.synced()]).toEqual([[], ["t1"]]);
  });
});

describe.concurrent("the way back of overridden tenants", () => {
  const allAtOnce = { waves: twoWaves, maxUnavailable: "100%" };

  /** The inputs of another attempt of {@link allAtOnce}, which rolls back if it fails too. */
  function secondAttempt(on: RolloutStage): FleetRolloutInputs {
    const plan = { ...on.plan, number: 2, attempt: 2, earlier: [{ number: 1, release: newer, joined: "" }] };
    return inputsOf(on, { ...allAtOnce, plan, onFailure: "rollback" });
  }

  test("comes after the override, if a failure takes the others back", async () => {
    await using on = await rolloutStage({ tenants: 4 });
    await failOnNewer(on, "t3");
    const inputs = inputsOf(on, { ...allAtOnce, onFailure: "rollback" });
    const failed = await ups(on, inputs, 2);
    expect([failed.phase, (await on.moved()).length]).toEqual(["failed", 4]);

    const paused = await override(on, inputs, "t2", "t4");
    const back = await up(on, paused, failed);
    expect(back.state).toMatchObject({ phase: "failed", direction: "back" });
    expect(back.state.status).toMatch(
      /; taken back: 2 tenants run again what they ran before; 2 tenants are overridden$/,
    );
    expect(sorted(await on.moved())).toEqual(["t2", "t4"]);
    expect(sorted(on.written())).toEqual(["t1", "t3"]);
    expect(await isQuiet(on, paused, back.state)).toBe(true);

    const after = await restore(on, paused);
    const late = await up(on, after, back.state);
    expect(await on.moved()).toEqual([]);
    expect(on.synced()).toEqual([]);
    expect(late.state.status).toMatch(/; taken back: 2 tenants run again what they ran before; 2 more taken back$/);
    expect(late.state.history).toMatchObject([
      { reason: expect.stringMatching(/; 2 more taken back$/) },
      back.state.history[1],
    ]);
    expect(await isQuiet(on, after, late.state)).toBe(true);
  });

  test("comes after the override, if the release is set back", async () => {
    await using on = await rolloutStage({ tenants: 4 });
    const inputs = inputsOf(on, { ...allAtOnce, waves: [...twoWaves.slice(0, 1), { percent: 75 }, { percent: 100 }] });
    const halfway = await ups(on, inputs, 2);
    const [first = "", second = "", third = ""] = sorted(await on.moved());
    const plan = { number: 2, release: older, label: "v1.0.0", earlier: [{ number: 1, release: 902, joined: "" }] };
    const set = { ...inputs, plan: { ...inputs.plan, ...plan } };

    const paused = await override(on, set, first, second);
    const back = await up(on, paused, halfway);
    expect(back.state).toMatchObject({
      phase: "done",
      direction: "back",
      status: "taken back: 1 tenant runs again what it ran before; 2 tenants are overridden",
    });
    expect(on.written()).toEqual([third]);
    expect(on.warnings.filter((warning) => warning.includes("left as it is"))).toEqual([]);
    expect(await isQuiet(on, paused, back.state)).toBe(true);

    const [one = "", other = ""] = paused.plan.overridden?.split(" ") ?? [];
    const onlyOther = await override(on, { ...paused, plan: { ...paused.plan, overridden: other } });
    await on.changeByHand(one, { paused: false });
    const between = await up(on, { ...onlyOther, plan: { ...onlyOther.plan, overridden: other } }, back.state);
    expect(between.state).toMatchObject({ phase: "done", superseded: [newer] });
    expect(between.state.status).toMatch(/; 1 more taken back; 1 tenant is overridden$/);

    const after = await restore(on, paused);
    const late = await up(on, after, between.state);
    expect(await on.moved()).toEqual([]);
    expect(late.state).toMatchObject({ phase: "done", superseded: [] });
    expect(late.state.status).toMatch(/; 1 more taken back; 1 more taken back$/);
    expect(late.state.history[0]).toMatchObject({ outcome: "rolled back", reason: late.state.status });
    expect(await isQuiet(on, after, late.state)).toBe(true);
  });

  test("comes after the override for those that an earlier attempt has proven", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    await failOnNewer(on, "t2");
    const first = await ups(on, inputsOf(on, allAtOnce), 2);
    const again = secondAttempt(on);
    const failed = await ups(on, again, 1, first);
    expect([failed.phase, sorted(await on.moved())]).toEqual(["failed", ["t1", "t2", "t3"]]);

    const paused = await override(on, again, "t1");
    const back = await up(on, paused, failed);
    expect(await on.moved()).toEqual(["t1"]);
    const after = await restore(on, paused);
    const late = await up(on, after, back.state);
    expect(await on.moved()).toEqual([]);
    expect(late.state.status).toMatch(/; 1 more taken back$/);
    expect(await isQuiet(on, after, late.state)).toBe(true);
  });

  test("comes after the override for those that were created on the release", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    await failOnNewer(on, "t3");
    const inputs = await withNewcomerOnNewer(on);
    const failed = await ups(on, inputs, 1);
    const paused = await override(on, inputs, "t2");
    const back = await up(on, paused, failed);
    expect(await on.moved()).toEqual(["t2"]);
    await up(on, await restore(on, paused), back.state);
    expect(await on.moved()).toEqual([]);
  });

  test("takes them to what they ran before the failed release, although others are superseded too", async () => {
    await using on = await rolloutStage({ tenants: 2 });
    const inputs = inputsOf(on, { ...allAtOnce, onFailure: "rollback" });
    const halfway = await ups(on, inputs, 1);
    const third = { id: 950, name: "v1.2.0", tag: "v1.2.0" };
    await call(on.emulator, "POST", "/_emulator/integrations/101/releases", third);
    await call(on.emulator, "PATCH", "/_emulator/integrations/101", {
      runs: { takes_seconds: 0, releases: [{ tag: "v1.2.0", tenants: ["t1"], outcome: "fail" }] },
    });
    const earlier = [{ number: 1, release: 902, joined: "" }];
    const next = { ...inputs, plan: { ...on.plan, number: 2, release: third.id, label: "v1.2.0", earlier } };
    const failed = await ups(on, next, 1, halfway);
    expect(failed.phase).toBe("failed");
    const paused = await override(on, next, "t1");
    const back = await up(on, paused, failed);
    const late = await up(on, await restore(on, paused), back.state);
    expect(await on.moved()).toEqual(["t1"]); // the rollout before has proven it on that release
    expect(late.state.superseded).toEqual([902]); // which has not finished
  });

  test("leaves those that were changed by hand meanwhile, and warns of them", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    await failOnNewer(on, "t3");
    const inputs = inputsOf(on, { ...allAtOnce, onFailure: "rollback" });
    const failed = await ups(on, inputs, 2);
    const paused = await override(on, inputs, "t2");
    const back = await up(on, paused, failed);
    await on.changeByHand(on.ids.t2 ?? 0, { integration_release_id: 903 });
    const after = await restore(on, paused);
    const late = await up(on, after, back.state);
    expect(on.written()).toEqual([]);
    expect(late.state.status).toMatch(/ran before; 1 left as they are$/);
    expect(on.warnings.join()).toContain(`t2 (${on.ids.t2}) is left as it is: it was changed by hand: it runs 903`);
    expect(await isQuiet(on, after, late.state)).toBe(true);
  });

  test("ends without those that somebody has taken back by hand meanwhile", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    await failOnNewer(on, "t2");
    const first = await ups(on, inputsOf(on, allAtOnce), 2);
    const again = secondAttempt(on);
    const paused = await override(on, again, "t1");
    const back = await ups(on, paused, 2, first);
    expect(await on.moved()).toEqual(["t1"]);
    await on.changeByHand(on.ids.t1 ?? 0, { integration_release_id: older });
    const after = await restore(on, paused);
    const { state } = await up(on, after, back);
    expect(on.written()).toEqual([]);
    expect(state.status).not.toContain("overridden");
    expect(await isQuiet(on, after, state)).toBe(true);
  });

  test("is not needed any more, if a newer release comes first: they move to it", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    const inputs = inputsOf(on, { ...allAtOnce, waves: [...twoWaves.slice(0, 1), { percent: 60 }, { percent: 100 }] });
    const halfway = await ups(on, inputs, 2);
    const [first = ""] = await on.moved();
    const earlier = [{ number: 1, release: 902, joined: "" }];
    const set = { ...inputs, plan: { ...inputs.plan, number: 2, release: older, label: "v1.0.0", earlier } };
    const paused = await override(on, set, first);
    const { state: back } = await up(on, paused, halfway);
    expect(await on.moved()).toEqual([first]);

    const third = { id: 950, name: "v1.2.0", tag: "v1.2.0" };
    await call(on.emulator, "POST", "/_emulator/integrations/101/releases", third);
    const restored = await restore(on, paused);
    const all = [{ number: 2, release: older, joined: "" }, ...earlier];
    const plan = { ...restored.plan, number: 3, release: third.id, label: "v1.2.0", earlier: all };
    const done = await ups(on, { ...restored, plan }, 3, back);
    expect(done).toMatchObject({ phase: "done", status: "all waves have passed, 3 of 3 on v1.2.0" });
    expect(sorted(on.synced())).toEqual(["t1", "t2", "t3"]);
  });
});
