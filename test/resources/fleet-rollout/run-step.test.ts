import { describe, expect, test, vi } from "vitest";
import type { FleetRolloutInputs, FleetRolloutState } from "../../../src/resources/fleet-rollout/schema.ts";
import { call } from "../../emulator/running-emulator.ts";
import { requestsOf } from "../passing-time.ts";
import { failOnNewer, inputsOf, newer, older, type RolloutStage, rolloutStage, up, ups } from "./rollout-stage.ts";

const twoWaves = [{ name: "canary", tenants: ["t1"] }, { percent: 100 }];
const allAtOnce = { waves: twoWaves, maxUnavailable: "100%" };
const earlier = [{ number: 1, release: newer, joined: "" }];

/** The plan that sets the release back. */
function backPlan(on: RolloutStage) {
  return { ...on.plan, number: 2, release: older, label: "v1.0.0", earlier };
}

describe.concurrent("the status after an up", () => {
  test("says what the next one starts", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    const { state } = await up(on, inputsOf(on, { waves: twoWaves }));
    expect(state).toMatchObject({
      phase: "progressing",
      status: "wave 2 of 2 (100%), 1 of 3 on v1.1.0, starts with the next up",
    });
  });

  test("says how long the wave soaks if that is longer than an up may wait", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    const inputs = inputsOf(on, { waves: twoWaves, gate: { soakSeconds: 600 } });
    const { state } = await up(on, inputs);
    on.emulator.clearRequests();
    const changed = await up(on, { ...inputs, maxFailures: 1 }, state);
    expect(changed.state.status).toContain(", soaking until ");
    const pages = requestsOf(on, "GET", /^\/v2\/tenants$/);
    expect(pages).toHaveLength(2 * 2); // the diff and the step read the list once each, in two pages
  });

  test("says how many of a wave are not proven yet", async () => {
    await using on = await rolloutStage({ tenants: 3, tenant: { runs: { takes_seconds: 590 } } });
    const inputs = inputsOf(on, { ...allAtOnce, waitSeconds: 0 });
    const { state } = await up(on, inputs);
    expect(state).toMatchObject({
      phase: "progressing",
      status: "wave 1 of 2 (canary), 1 of 3 on v1.1.0, 1 not proven yet",
    });
  });

  test("says of those that fall behind meanwhile that they move with the next up", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    const inputs = inputsOf(on, allAtOnce);
    const done = await ups(on, inputs, 2);
    on.emulator.clearRequests();
    await on.changeByHand(on.ids.t2 ?? 0, { integration_release_id: older, runs: { takes_seconds: 50 } });
    const third = up(on, { ...inputs, waitSeconds: 60 }, done);
    await vi.waitFor(() => expect(on.synced()).toEqual(["t2"]), 10_000);
    await on.changeByHand(on.ids.t3 ?? 0, { integration_release_id: older });
    const { state } = await third;
    expect(state.status).toBe("all waves have passed, 2 of 3 on v1.1.0; the others move with the next up");
    expect((await up(on, inputs, state)).state.status).toBe("all waves have passed, 3 of 3 on v1.1.0");
  });

  test("says how many that are behind after the end are not proven yet", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    const inputs = inputsOf(on, allAtOnce);
    const done = await ups(on, inputs, 2);
    await on.changeByHand(on.ids.t2 ?? 0, { integration_release_id: older, runs: { takes_seconds: 590 } });
    await on.changeByHand(on.ids.t3 ?? 0, { integration_release_id: older, runs: { takes_seconds: 590 } });
    const { state } = await up(on, { ...inputs, waitSeconds: 0 }, done);
    expect(state).toMatchObject({ phase: "done", status: expect.stringMatching(/^stragglers, .*, 2 not proven yet$/) });
    expect(state.startedWaves.map(({ name }) => name)).toEqual(["canary", "100%", "stragglers"]);
    await on.emulator.advance({ seconds: 600 });
    const last = await up(on, inputs, state);
    expect(last.state).toMatchObject({ phase: "done", status: "all waves have passed, 3 of 3 on v1.1.0" });
    expect(last.state.startedWaves.map(({ name }) => name)).toEqual(["canary", "100%"]);
    expect(last.state.history).toHaveLength(1);
  });
});

describe.concurrent("the notes of an up", () => {
  const ofWaves = (on: RolloutStage) => on.notes.filter((note) => /approved by|no tenants/.test(note));

  test("name an approval, and a wave without tenants", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    await on.changeByHand(on.ids.t1 ?? 0, { archived: true });
    const waves = [
      { name: "canary", tenants: ["t1"] },
      { name: "rest", percent: 100, approval: "required" as const },
    ];
    const approvals = { "v1.1.0": { rest: "CHG-7" } };
    const { state } = await up(on, inputsOf(on, { waves, approvals, maxUnavailable: "100%", waitSeconds: 30 }));
    expect(ofWaves(on)).toEqual([
      'rollout of fleet "billing" to v1.1.0: canary has no tenants, and is done',
      'rollout of fleet "billing" to v1.1.0: rest starts, approved by CHG-7',
    ]);
    expect(state.startedWaves).toMatchObject([{ left: String(on.ids.t1), outcome: "passed" }, { outcome: "passed" }]);
  });

  test("do not mention what needs no approval, or had its tenants on the release already", async () => {
    await using on = await rolloutStage({ tenants: 2 });
    await on.changeByHand(on.ids.t1 ?? 0, { integration_release_id: newer });
    const before = { most: String(older), others: { [newer]: String(on.ids.t1) } };
    const { state } = await up(on, inputsOf(on, { ...allAtOnce, plan: { ...on.plan, before } }));
    expect(ofWaves(on)).toEqual([]);
    expect(state.startedWaves[0]).toMatchObject({ skipped: String(on.ids.t1), outcome: "passed" });
    expect(state.history).toMatchObject([{ outcome: "finished", proven: 1, skipped: 0 }]);
  });

  test("count a wave as moved of which one tenant had the release already", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    const { t1, t3 } = on.ids;
    for (const id of [t1, t3]) await on.changeByHand(id ?? 0, { integration_release_id: newer });
    const before = { most: String(older), others: { [newer]: `${t1} ${t3}` } };
    const waves = [{ name: "canary", tenants: ["t1", "t2"] }, { percent: 100 }];
    const strategy = { waves, plan: { ...on.plan, before }, maxUnavailable: "100%", waitSeconds: 30 };
    const { state } = await up(on, inputsOf(on, strategy));
    expect(state).toMatchObject({ phase: "done", history: [{ outcome: "finished", proven: 1 }] });
  });

  test("do not call a wave empty of which only a part is gone", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    const { t1, t2 } = on.ids;
    await on.changeByHand(t1 ?? 0, { archived: true });
    await on.changeByHand(t2 ?? 0, { integration_release_id: newer });
    const before = { most: String(older), others: { [newer]: String(t2) } };
    const waves = [{ name: "canary", tenants: ["t1", "t2"] }, { percent: 100 }];
    const { state } = await up(on, inputsOf(on, { waves, plan: { ...on.plan, before } }));
    expect(state.startedWaves[0]).toMatchObject({ left: String(t1), skipped: String(t2), outcome: "passed" });
    expect(ofWaves(on)).toEqual([]);
  });

  test("do not repeat an approval as the wave goes on", async () => {
    await using on = await rolloutStage({ tenants: 1, tenant: { runs: { takes_seconds: 590 } } });
    const waves = [{ name: "all", percent: 100, approval: "required" as const }];
    const inputs = inputsOf(on, { waves, approvals: { "v1.1.0": { all: "CHG-7" } }, waitSeconds: 0 });
    const { state } = await up(on, inputs);
    await up(on, inputs, state);
    expect(ofWaves(on)).toHaveLength(1);
  });
});

test.concurrent("a rollout that had nobody to move leaves no history", async () => {
  await using on = await rolloutStage({ tenants: 2, tenant: { integration_release_id: newer } });
  const { state } = await up(on, inputsOf(on, allAtOnce));
  expect(state).toMatchObject({ phase: "done", finished: newer, history: [] });
});

describe.concurrent("the status of a failure", () => {
  test.each([
    [5, ""],
    [7, " and 2 more"],
  ])("names five of %d tenants at most", async (count, more) => {
    await using on = await rolloutStage({ tenants: count, tenant: { runs: { takes_seconds: 300 } } });
    await failOnNewer(on, ...Object.keys(on.ids));
    const inputs = inputsOf(on, { waves: [{ percent: 100 }], maxUnavailable: "100%", waitSeconds: 0 });
    const first = await up(on, inputs);
    await on.emulator.advance({ seconds: 400 }); // all of them end in the meantime
    const { state } = await up(on, inputs, first.state);
    const named = new RegExp(`^failed in 100%: .* \\((t\\d+ \\(\\d+\\)(, )?){5}${more}\\)\\. Set the release back`);
    expect(state.status.replace("wave ", "")).toMatch(named);
    expect(state.history).toMatchObject([
      { outcome: "failed", failed: count, reason: expect.stringContaining("100%") },
    ]);
  });
});

describe.concurrent("the way back", () => {
  test("of a failed rollout is told with its failure, and warns of each that is left", async () => {
    await using on = await rolloutStage({ tenants: 4 });
    await failOnNewer(on, "t3");
    const inputs = inputsOf(on, { ...allAtOnce, onFailure: "rollback" });
    const failed = await ups(on, inputs, 2);
    await on.changeByHand(on.ids.t2 ?? 0, { integration_release_id: null, integration_release_channel: "Latest" });
    const { state } = await up(on, inputs, failed);
    expect(state.status).toMatch(
      /^failed in .*; taken back: 3 tenants run again what they ran before; 1 left as they are$/,
    );
    expect(state.history).toMatchObject([
      {
        outcome: "rolled back",
        release: newer,
        label: "v1.1.0",
        attempt: 1,
        reason: expect.stringContaining("taken back: 3"),
      },
      { outcome: "failed", release: newer },
    ]);
    expect(on.warnings).toContainEqual(expect.stringMatching(/t2 \(\d+\) is left as it is: it was changed by hand/));
  });

  test("of one that did not finish has the release and the attempt that were undone", async () => {
    await using on = await rolloutStage({ tenants: 4 });
    const plan = { ...on.plan, attempt: 3 };
    const first = await ups(on, inputsOf(on, { ...allAtOnce, plan }), 1);
    const { state } = await up(on, inputsOf(on, { ...allAtOnce, plan: backPlan(on) }), first);
    expect(state.history.map(({ outcome, release, label, attempt }) => [outcome, release, label, attempt])).toEqual([
      ["rolled back", newer, "v1.1.0", 3],
      ["superseded", newer, "v1.1.0", 3],
    ]);
    expect(state.superseded).toEqual([]);
    expect(on.warnings.filter((warning) => warning.includes("left as it is"))).toEqual([]);
  });

  test("of a failure is about the release that failed, and not about one that it superseded", async () => {
    await using on = await rolloutStage({ tenants: 2 });
    await failOnNewer(on, "t1");
    const failed = await ups(on, inputsOf(on, allAtOnce), 1);
    const third = { id: 950, name: "v1.2.0", tag: "v1.2.0" };
    await call(on.emulator, "POST", "/_emulator/integrations/101/releases", third);
    await call(on.emulator, "PATCH", "/_emulator/integrations/101", {
      runs: { takes_seconds: 0, releases: [{ tag: "v1.2.0", tenants: ["t1"], outcome: "fail" }] },
    });
    const plan = { ...on.plan, number: 2, release: third.id, label: third.tag, attempt: 2, earlier };
    const inputs = inputsOf(on, { ...allAtOnce, plan, onFailure: "rollback" });
    const { history } = await ups(on, inputs, 2, failed);
    expect(history[0]).toMatchObject({ outcome: "rolled back", release: third.id, label: third.tag, attempt: 2 });
  });

  test("of a rollout that no up has begun has the attempt of the way back", async () => {
    await using on = await rolloutStage({ tenants: 2 });
    await failOnNewer(on, "t1");
    const failed = await ups(on, inputsOf(on, { ...allAtOnce, plan: { ...on.plan, attempt: 2 } }), 1);
    const never = [{ number: 2, release: 950, joined: "" }, ...earlier];
    const plan = { ...backPlan(on), number: 3, earlier: never };
    const { state } = await up(on, inputsOf(on, { ...allAtOnce, plan }), failed);
    expect(state.history[0]).toMatchObject({ outcome: "rolled back", release: 950, attempt: 1 });
  });

  test("goes on with the next up if the platform fails", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    const halfway = await ups(on, inputsOf(on, allAtOnce), 1);
    const back = inputsOf(on, { ...allAtOnce, plan: backPlan(on) });
    on.emulator.fault({ match: { method: "PATCH" }, kind: "status", status: 403, times: 99 });
    const broken = await up(on, back, halfway);
    expect(broken.message).toContain("403");
    expect(broken.state).toMatchObject({
      phase: "progressing",
      direction: "back",
      status: "on the way back, taken back: 0 tenants run again what they ran before",
    });
    on.emulator.clearFaults();
    const { state } = await up(on, back, broken.state);
    expect(state).toMatchObject({
      phase: "done",
      status: "taken back: 1 tenant runs again what it ran before",
    });
    expect(await on.moved()).toEqual([]);
  });

  /** The status after an `up` that reads the list for its diff and its start, and cannot read it for the way back. */
  async function statusWithoutList(on: RolloutStage, inputs: FleetRolloutInputs, stored: FleetRolloutState) {
    const list = { method: "GET", path: "/v2/tenants$" };
    on.emulator.fault({ match: list, kind: "status", status: 500, skip: 2 * 2, times: 99 });
    const broken = await up(on, inputs, stored);
    expect(broken.message).toContain("500");
    on.emulator.clearFaults();
    return broken.state.status;
  }

  test("of a failed rollout still shows the failure if the platform does not show its tenants", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    await failOnNewer(on, "t1");
    const inputs = inputsOf(on, { ...allAtOnce, waves: [{ percent: 100 }], onFailure: "rollback" });
    const failed = await ups(on, inputs, 1);
    expect(await statusWithoutList(on, inputs, failed)).toBe(failed.status);
  });

  test("of a rollout that did not finish is called one, too, if the platform does not show its tenants", async () => {
    await using on = await rolloutStage({ tenants: 3 });
    const halfway = await ups(on, inputsOf(on, allAtOnce), 1);
    const back = inputsOf(on, { ...allAtOnce, plan: backPlan(on) });
    expect(await statusWithoutList(on, back, halfway)).toBe("on the way back to v1.0.0");
  });
});

test.concurrent("a failure is told and stored although the list fails that is read for its message", async () => {
  const failing = async (skip: number) => {
    const on = await rolloutStage({ tenants: 1 });
    await failOnNewer(on, "t1");
    on.emulator.fault({ kind: "status", status: 500, match: { method: "GET", path: "/v2/tenants$" }, skip, times: 99 });
    return on;
  };
  const inputs = (on: RolloutStage) => inputsOf(on, { waves: [{ percent: 100 }] });
  await using healthy = await failing(99);
  await up(healthy, inputs(healthy));
  const lists = healthy.emulator.requests().filter(({ method, path }) => method === "GET" && path === "/v2/tenants");
  await using on = await failing(lists.length - 1);
  const result = await up(on, inputs(on));
  expect(result.message).toContain(`t1 (${on.ids.t1}): its sync ended with "Failed (Integration Issue)"`);
  expect(result.state).toMatchObject({ phase: "failed", startedWaves: [{ outcome: "failed" }] });
});

test.concurrent("a tenant that a wave leaves is warned of once", async () => {
  await using on = await rolloutStage({ tenants: 3, tenant: { runs: { takes_seconds: 590 } } });
  await on.changeByHand(on.ids.t1 ?? 0, { integration_release_id: null, integration_release_channel: "Latest" });
  const inputs = inputsOf(on, { waves: [{ percent: 100 }], maxUnavailable: "100%", waitSeconds: 0 });
  const { state } = await up(on, inputs);
  await up(on, inputs, state);
  const warnings = on.warnings.filter((warning) => warning.includes(`t1 (${on.ids.t1}) is left`));
  expect(warnings).toHaveLength(1);
});

test.concurrent("the default release that is still to be set is told after the end", async () => {
  await using on = await rolloutStage({ tenants: 1 });
  await call(on.emulator, "PATCH", "/_emulator/integrations/101", { default_release_id: older });
  const { state } = await up(on, inputsOf(on, { waves: [{ percent: 100 }] }));
  expect(state.remaining).toContain("default release is still v1.0.0");
});
