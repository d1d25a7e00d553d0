import { describe, expect, test } from "vitest";
import { sync } from "../../emulator/running-emulator.ts";
import { failOnNewer, inputsOf, older, type RolloutStage, rolloutStage, up, ups } from "./rollout-stage.ts";

const oneWave = [{ name: "canary", tenants: ["t1"] }, { percent: 100 }];
const twoInOne = [{ name: "canary", tenants: ["t1", "t2"] }, { percent: 100 }];
const long = { runs: { takes_seconds: 590 } };

/** The platform does not show who is connected, so a refused sync does not say that a tenant has failed. */
function stageWithoutAuth() {
  return rolloutStage({ tenants: 4, options: { variants: { absentField: "auth" } } });
}

/** Makes the platform refuse all syncs of these tenants. */
function refuse(on: RolloutStage, ...keys: string[]) {
  for (const key of keys) {
    const match = { method: "POST", path: `/v2/tenants/${on.ids[key]}/sync$` };
    on.emulator.fault({ kind: "status", status: 422, body: { detail: [] }, match, times: 99 });
  }
}

describe("a wave whose tenants run the release, and whose syncs the platform refuses", () => {
  test.each([{}, { soakSeconds: 1000 }])(
    "waits for a person after its soak, and goes on afterwards: %o",
    async (gate) => {
      await using on = await stageWithoutAuth();
      refuse(on, "t1");
      const inputs = inputsOf(on, { waves: oneWave, gate });
      const first = await up(on, inputs);
      await on.emulator.advance({ seconds: 600 });
      const second = await up(on, inputs, first.state);
      await on.emulator.advance({ seconds: 600 });
      const waiting = await up(on, inputs, second.state);
      expect(waiting.state).toMatchObject({ phase: "waiting", startedWaves: [{ skipped: String(on.ids.t1) }] });
      expect(waiting.state.status).toContain(
        `only 0 of its tenants are proven, and gate.minTenants is 1 (t1 (${on.ids.t1}) is not proven: the platform refused its sync`,
      );
      on.emulator.clearFaults();
      const proven = await up(on, inputs, waiting.state);
      expect(proven.state).toMatchObject({ phase: "progressing", startedWaves: [{ proven: String(on.ids.t1) }] });
      expect(await on.moved()).toEqual(["t1"]);
    },
  );

  test("is proven by another of its tenants", async () => {
    await using on = await stageWithoutAuth();
    refuse(on, "t1", "t2");
    const inputs = inputsOf(on, { waves: twoInOne, maxUnavailable: 2 });
    const waiting = await ups(on, inputs, 2);
    expect(waiting.phase).toBe("waiting");
    on.emulator.clearFaults();
    refuse(on, "t1");
    expect((await up(on, inputs, waiting)).state.startedWaves).toMatchObject([
      { outcome: "passed", proven: String(on.ids.t2), skipped: String(on.ids.t1) },
    ]);
  });

  test("is proven by a tenant that was left, once it can move", async () => {
    await using on = await stageWithoutAuth();
    refuse(on, "t1");
    await on.changeByHand(on.ids.t2 ?? 0, { paused: true });
    const inputs = inputsOf(on, { waves: twoInOne, maxUnavailable: 2, gate: { whenPaused: "leave" } });
    const waiting = await ups(on, inputs, 2);
    expect(waiting.phase).toBe("waiting");
    await on.changeByHand(on.ids.t2 ?? 0, { paused: false });
    expect((await up(on, inputs, waiting)).state.startedWaves).toMatchObject([
      { outcome: "passed", proven: String(on.ids.t2), skipped: String(on.ids.t1) },
    ]);
  });

  test("soaks from its first proof on, however long ago the syncs were refused", async () => {
    await using on = await stageWithoutAuth();
    refuse(on, "t1", "t2");
    const inputs = inputsOf(on, { waves: twoInOne, maxUnavailable: 2, gate: { soakSeconds: 3600 } });
    const refused = await up(on, inputs);
    await on.emulator.advance({ seconds: 3700 });
    on.emulator.clearFaults();
    await on.changeByHand(on.ids.t2 ?? 0, long);
    const proven = await up(on, inputs, refused.state);
    expect(proven.state.startedWaves).toMatchObject([{ proven: String(on.ids.t1), open: String(on.ids.t2) }]);
    await on.changeByHand(on.ids.t2 ?? 0, { integration_release_id: older });
    const soaking = await up(on, inputs, proven.state);
    expect(soaking.state.startedWaves).toMatchObject([{ proven: String(on.ids.t1), left: String(on.ids.t2) }]);
    expect(soaking.state.status).toContain("soaking until");
    expect(await on.moved()).toEqual(["t1"]);
  });

  test("fails by a run that fails before its next sync is requested", async () => {
    await using on = await stageWithoutAuth();
    refuse(on, "t1", "t2");
    const inputs = inputsOf(on, { waves: twoInOne, maxUnavailable: 2 });
    const waiting = await ups(on, inputs, 2);
    on.emulator.clearFaults();
    await failOnNewer(on, "t2");
    await sync(on.emulator, on.ids.t2 ?? 0);
    await on.emulator.advance({ seconds: 60 });
    const failed = await up(on, inputs, waiting);
    expect(failed.message).toContain(`t2 (${on.ids.t2}): a run of it failed after it moved`);
    expect(failed.state.phase).toBe("failed");
  });
});
