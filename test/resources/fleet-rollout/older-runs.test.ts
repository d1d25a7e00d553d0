import { describe, expect, test } from "vitest";
import { call } from "../../emulator/running-emulator.ts";
import { inputsOf, type RolloutStage, rolloutStage, up } from "./rollout-stage.ts";

// A run that began before its tenant moved may have begun on the old release: its failure says nothing of the new one.

const waves = [{ name: "canary", tenants: ["t1", "t2"] }, { percent: 100 }];
const inputs = (on: RolloutStage, more = {}) =>
  inputsOf(on, { waves, gate: { soakSeconds: 1000 }, maxUnavailable: "100%", ...more });
const setStatus = (on: RolloutStage, status: object) => on.changeByHand(on.ids.t1 ?? 0, { status });

const cannotSync = {
  paused: (on: RolloutStage) => on.changeByHand(on.ids.t1 ?? 0, { paused: true }),
  disconnected: async (on: RolloutStage) => {
    await call(on.emulator, "POST", `/_emulator/tenants/${on.ids.t1}/connectors/crm`, { status: "disconnected" });
  },
};

describe.each(Object.entries(cannotSync))("of a tenant that is %s", (_, disable) => {
  test("a run that was under way as it moved may fail", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    await setStatus(on, { current_run: { id: 70, status: "running" }, last_run: { id: 69, status: "failed" } });
    await disable(on);
    const { state } = await up(on, inputs(on));
    expect(state.startedWaves).toMatchObject([{ skipped: String(on.ids.t1), proven: String(on.ids.t2) }]);
    await setStatus(on, { current_run: {}, last_run: { id: 70, status: "failed" } });
    const second = await up(on, inputs(on, { waitSeconds: 1 }), state);
    expect(second.message).toBeUndefined();
    await on.emulator.advance({ seconds: 1001 });
    const third = await up(on, inputs(on), second.state);
    expect(third.message).toBeUndefined();
    expect(third.state.startedWaves[0]?.outcome).toBe("passed");
  });

  test("a run that began afterwards may not", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    await setStatus(on, { current_run: { id: 70, status: "running" } });
    await disable(on);
    const { state } = await up(on, inputs(on));
    await setStatus(on, { current_run: {}, last_run: { id: 71, status: "failed" } });
    expect((await up(on, inputs(on), state)).message).toContain(`t1 (${on.ids.t1}): a run of it failed after it moved`);
  });

  test("the end of a run without an id is taken for that of the one that was under way, once", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    await setStatus(on, { current_run: { status: "running" } });
    await disable(on);
    const { state } = await up(on, inputs(on));
    await setStatus(on, { current_run: {}, last_run: { status: "failed", log: "one" } });
    on.emulator.clearRequests();
    const watching = up(on, inputs(on, { waitSeconds: 2000 }), state);
    await expect.poll(() => on.listCount(), { timeout: 10_000 }).toBeGreaterThan(5); // the soak has begun: the wave has been looked at
    await setStatus(on, { last_run: { status: "failed", log: "two" } });
    expect((await watching).message).toContain(`t1 (${on.ids.t1}): a run of it failed after it moved`);
  });

  test("a run without an id may go on for several ups and fail then", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    await setStatus(on, { current_run: { status: "running", part: 1 } });
    await disable(on);
    const { state } = await up(on, inputs(on));
    await setStatus(on, { current_run: { status: "running", part: 2 } });
    const second = await up(on, inputs(on, { maxFailures: 0 }), state);
    await setStatus(on, { current_run: {}, last_run: { status: "failed" } });
    await on.emulator.advance({ seconds: 1001 });
    const third = await up(on, inputs(on), second.state);
    expect([second.message, third.message]).toEqual([undefined, undefined]);
    expect(third.state.startedWaves[0]?.outcome).toBe("passed");
  });
});
