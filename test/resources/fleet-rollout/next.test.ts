import { describe, expect, test } from "vitest";
import {
  endStatus,
  firstToMove,
  interruptedStatus,
  standOf,
  startedWaves,
  wasAlreadyOnRelease,
} from "../../../src/resources/fleet-rollout/next.ts";
import { overriddenReason } from "../../../src/resources/fleet-rollout/overridden.ts";
import { refusedMove } from "../../../src/resources/fleet-rollout/run-wave.ts";
import { stragglers } from "../../../src/resources/fleet-rollout/waves.ts";
import { clock, nextIn, plan, type Situation, situation, wave } from "./situation.ts";

const moved = { runs: "902" };
const passed = wave({ 1: "proven" }, { outcome: "passed" });
const frozen = { freeze: [{ from: "2026-11-25", to: "2026-11-26" }] };
/** Wednesday, 12:00. The window opens at 13:00. */
const later = { windows: ["0 13 * * *"] };

function rest(phase: string, status: string) {
  return { kind: "rest", phase, status };
}

describe("the next wave", () => {
  test("is the first one at first, with its tenants", async () => {
    expect(await nextIn(situation())).toEqual({ kind: "start", name: "canary", members: [1], isDone: false });
  });

  test("follows those that have started", async () => {
    const at = situation({ shown: { 1: moved, 2: {}, 3: {}, 4: {} } }, { waves: [passed] });
    expect(await nextIn(at)).toEqual({ kind: "start", name: "50%", members: [2], isDone: false });
  });

  test("has the rest if the strategy was shortened, with the settings of its last wave but not its tenants", async () => {
    const waves = [
      wave({ 1: "proven" }, { outcome: "passed" }),
      wave({ 2: "proven" }, { name: "50%", outcome: "passed" }),
    ];
    const shown = { 1: moved, 2: moved, 3: {}, 4: {} };
    const shortened = { waves: [{ percent: 10 }, { tenants: ["b"], approval: "required" as const }] };
    expect(
      await nextIn(situation({ shown, inputs: { waves: [{ percent: 10 }, { percent: 50 }] } }, { waves })),
    ).toEqual({
      kind: "start",
      name: "the rest",
      members: [3, 4],
      isDone: false,
    });
    const toOne = { waves: shortened.waves.slice(1) };
    for (const inputs of [shortened, toOne]) {
      expect(await nextIn(situation({ shown, inputs }, { waves }))).toMatchObject({
        status: "all waves have passed, 2 of 4 on v1.1.0, waiting for approvals.v1.1.0.the rest",
      });
    }
  });

  test("is none if nobody of the rest is live", async () => {
    const inputs = { waves: [{ tenants: ["a"] }] };
    expect(await nextIn(situation({ shown: { 1: moved }, inputs }, { waves: [passed] }))).toEqual({ kind: "finish" });
  });

  test("is started although nobody in it is live, so that the others keep their waves", async () => {
    const next = await nextIn(situation({ shown: { 2: {}, 3: {}, 4: {} } }));
    expect(next).toEqual({ kind: "start", name: "canary", members: [1], isDone: true });
  });

  test("is done if all of its tenants ran the release before, and not if they have been moved since", async () => {
    const shown = { 1: moved, 2: {}, 3: {}, 4: {} };
    const of = { ...plan, before: { most: "901", others: { "902": "1" } } };
    expect(await nextIn(situation({ shown, of }))).toMatchObject({ kind: "start", isDone: true });
    expect(await nextIn(situation({ shown }))).toMatchObject({ kind: "start", isDone: false });
    expect(await nextIn(situation({ of }))).toMatchObject({ kind: "start", isDone: false });
  });

  test("is done without a window and an approval, as nobody moves", async () => {
    const inputs = { ...later, waves: [{ tenants: ["a"], approval: "required" as const }, { percent: 100 }] };
    const next = await nextIn(situation({ shown: { 2: {}, 3: {}, 4: {} }, inputs }));
    expect(next).toMatchObject({ kind: "start", isDone: true });
  });

  test("waits where the platform does not show what anybody runs", async () => {
    const none = { runs: undefined };
    const waiting = /^wave 1 of 3 \(canary\), 0 of 4 on v1.1.0: the platform does not show what its tenants run/;
    const next = await nextIn(situation({ shown: { 1: none, 2: none, 3: none, 4: none } }));
    expect(next).toEqual(rest("waiting", expect.stringMatching(waiting)));
    expect(await nextIn(situation({ shown: { 1: {}, 2: none, 3: none, 4: none } }))).toMatchObject({ kind: "start" });
  });

  test("waits for its approval", async () => {
    const waves = [{ name: "canary", tenants: ["a"], approval: "required" as const }, { percent: 100 }];
    const stand = "wave 1 of 2 (canary), 0 of 4 on v1.1.0, waiting for approvals.v1.1.0.canary";
    expect(await nextIn(situation({ inputs: { waves } }))).toEqual(rest("waiting", stand));
    const approvals = { "v1.1.0": { canary: "CHG-1" } };
    expect(await nextIn(situation({ inputs: { waves, approvals } }))).toMatchObject({ kind: "start" });
  });

  test("waits for its window, with the time if there is one", async () => {
    const stand = "wave 1 of 3 (canary), 0 of 4 on v1.1.0, outside its windows";
    expect(await nextIn(situation({ inputs: later }))).toEqual(rest("progressing", `${stand} until 13:00 UTC`));
    const never = { windows: ["* * 29 2 *"], freeze: [{ from: "2027-01-01", to: "9999-12-31" }] };
    expect(await nextIn(situation({ inputs: never }))).toEqual(rest("progressing", stand));
  });

  test("waits while all of its tenants are overridden, but for its window first", async () => {
    const shown = { 1: { isOverridden: true }, 2: {}, 3: {}, 4: {} };
    const stand = "wave 1 of 3 (canary), 0 of 4 on v1.1.0 (1 tenant is overridden)";
    const until = `${stand}, starts once a tenant of the wave is no longer overridden`;
    expect(await nextIn(situation({ shown }))).toEqual(rest("waiting", until));
    const closed = `${stand}, outside its windows until 13:00 UTC`;
    expect(await nextIn(situation({ shown, inputs: later }))).toEqual(rest("progressing", closed));
  });
});

describe("a pause and a freeze", () => {
  const running = { waves: [wave({ 1: "open" })] };

  test("stop a wave that has started", async () => {
    const stand = "wave 1 of 3 (canary), 0 of 4 on v1.1.0";
    expect(await nextIn(situation({}, running))).toMatchObject({ kind: "go on" });
    const paused = await nextIn(situation({ inputs: { paused: true } }, running));
    expect(paused).toEqual(rest("waiting", `${stand}, paused`));
    const held = rest("progressing", `${stand}, frozen from 2026-11-25 to 2026-11-26`);
    expect(await nextIn(situation({ inputs: frozen }, running))).toEqual(held);
  });

  test("leave a rollout done that is", async () => {
    const shown = { 1: moved, 2: moved, 3: moved, 4: {} };
    const done = { phase: "done" as const, waves: [passed] };
    const stand = "all waves have passed, 3 of 4 on v1.1.0";
    expect(await nextIn(situation({ shown, inputs: { paused: true } }, done))).toEqual(
      rest("done", `${stand}, paused`),
    );
    expect(await nextIn(situation({ shown, inputs: frozen }, done))).toMatchObject({ phase: "done" });
    const until = rest("done", `${stand}, outside its windows until 13:00 UTC`);
    expect(await nextIn(situation({ shown, inputs: later }, done))).toEqual(until);
  });
});

describe("a failed rollout", () => {
  const failure = "failed in canary";
  const failed = { phase: "failed" as const, status: failure, failure, waves: [wave({ 1: "failed" })] };

  test.each<[string, Partial<Situation["inputs"]>, object]>([
    ["stays", {}, rest("failed", "failed in canary")],
    ["goes back with onFailure: rollback", { onFailure: "rollback" }, { kind: "back" }],
    [
      "waits with its way back while it is paused",
      { onFailure: "rollback", paused: true },
      rest("failed", "failed in canary; paused, so nobody is taken back"),
    ],
  ])("%s", async (_, inputs, next) => {
    expect(await nextIn(situation({ inputs }, failed))).toEqual(next);
  });

  test("does not say that it is paused once it is not, and only once if it is", async () => {
    const status = "failed in canary; paused, so nobody is taken back";
    const paused = { onFailure: "rollback", paused: true } as const;
    expect(await nextIn(situation({}, { ...failed, status }))).toEqual(rest("failed", "failed in canary"));
    expect(await nextIn(situation({ inputs: paused }, { ...failed, status }))).toEqual(rest("failed", status));
  });

  test("does not go back once the release has finished", async () => {
    const inputs = { onFailure: "rollback" } as const;
    const finished = { ...failed, finished: 902 };
    const past = { release: 902, label: "v1.1.0", attempt: 1, at: clock, proven: 1, skipped: 0, left: 0, failed: 0 };
    const history = [{ ...past, outcome: "finished" as const }];
    expect(await nextIn(situation({ inputs }, { ...finished, history }))).toMatchObject({ kind: "rest" });
    const behind = { ...wave({ 1: "failed" }, { outcome: "failed" }), name: stragglers };
    expect(await nextIn(situation({ inputs }, { ...finished, waves: [behind] }))).toMatchObject({ kind: "rest" });
  });

  test("goes back in the first rollout to a release that most tenants run, which counts as finished", async () => {
    const at = situation({ inputs: { onFailure: "rollback" } }, { ...failed, finished: 902 });
    expect(await nextIn(at)).toEqual({ kind: "back" });
  });
});

describe("a wave that has started", () => {
  const gate = { soakSeconds: 600 };
  const shown = { 1: moved, 2: {}, 3: {}, 4: {} };
  const provenAt = clock;
  const stand = "wave 1 of 3 (canary), 1 of 4 on v1.1.0";
  const isDone = (of: ReturnType<typeof wave>) => ({ kind: "go on", wave: of });

  test("goes on while a tenant is open, also with a time of proof", async () => {
    const open = wave({ 1: "proven", 2: "open" }, { provenAt });
    expect(await nextIn(situation({ shown, inputs: { gate } }, { waves: [open] }))).toEqual(isDone(open));
  });

  test("goes on until it has a time of proof", async () => {
    const unproven = wave({ 1: "proven" });
    expect(await nextIn(situation({ shown, inputs: { gate } }, { waves: [unproven] }))).toEqual(isDone(unproven));
  });

  test("counts its own tenants, not those of the waves before", async () => {
    const before = wave({ 2: "open" }, { outcome: "passed" });
    const proven = wave({ 1: "proven" }, { name: "50%", provenAt });
    const next = await nextIn(situation({ shown, inputs: { gate } }, { waves: [before, proven] }));
    expect(next).toMatchObject({ kind: "rest" });
  });

  test("soaks, unless its end comes within the time to wait", async () => {
    const proven = wave({ 1: "proven" }, { provenAt });
    const at = situation({ shown, inputs: { gate } }, { waves: [proven] });
    expect(await nextIn(at)).toEqual(rest("progressing", `${stand}, soaking until 12:10 UTC`));
    expect(await nextIn(at, 599)).toMatchObject({ kind: "rest" });
    expect(await nextIn(at, 600)).toEqual(isDone(proven));
  });

  test("is watched until the end of its soak, also without enough proofs", async () => {
    const skipped = wave({ 1: "skipped" }, { provenAt });
    const unconnected = { ...shown, 1: { ...moved, isConnected: false } };
    const at = situation({ shown: unconnected, inputs: { gate } }, { waves: [skipped] });
    expect(await nextIn(at, 600)).toEqual(isDone(skipped));
  });

  test("goes on if a tenant has failed during the soak", async () => {
    const proven = wave({ 1: "proven" }, { provenAt });
    const failing = { ...shown, 1: { ...moved, hasFailedRun: true } };
    expect(await nextIn(situation({ shown: failing, inputs: { gate } }, { waves: [proven] }))).toEqual(isDone(proven));
  });

  test("waits with the reasons if too few are proven", async () => {
    const left = wave({ 1: "proven", 2: "left", 3: "left", 4: "left" }, { provenAt });
    const reasons = new Map([
      [2, "it is paused"],
      [4, "it is not connected"],
    ]);
    const inputs = { gate: { minTenants: 2 } };
    const live = { 1: moved, 2: { paused: true }, 3: { isConnected: false } }; // d was archived before it had to move
    expect(await nextIn(situation({ shown: live, inputs }, { waves: [left], reasons }))).toEqual(
      rest(
        "waiting",
        "wave 1 of 3 (canary), 1 of 3 on v1.1.0: only 1 of its tenants is proven, and gate.minTenants is 2 (b (2) was left: " +
          "it is paused). Connect or resume one of its tenants, exclude those that were left, or lower gate.minTenants",
      ),
    );
  });

  test("waits too if its tenant ran the release before, and has failed on it now", async () => {
    const failed = wave({ 1: "failed" }, { provenAt });
    const next = await nextIn(situation({ shown }, { waves: [failed], before: new Map([[1, "902"]]) }));
    expect(next).toMatchObject({ kind: "rest", phase: "waiting" });
  });

  test("waits if the sync of its tenant was refused in this up, and says so", async () => {
    const skipped = wave({ 1: "skipped" }, { provenAt });
    const reasons = new Map([[1, "the platform refused its sync: POST /v2/tenants/1/sync answered 422"]]);
    const at = situation({ shown }, { waves: [skipped], reasons });
    expect(await nextIn(at)).toEqual(isDone(skipped));
    expect(await nextIn({ ...at, hasWorked: true })).toMatchObject({
      phase: "waiting",
      status: expect.stringContaining("a (1) is not proven: the platform refused its sync"),
    });
  });

  test("goes on in this up with tenants that have to move", async () => {
    const left = wave({ 1: "left" }, { provenAt });
    const at = situation({}, { waves: [left], reasons: new Map([[1, "it is paused"]]) });
    expect(await nextIn({ ...at, hasWorked: true })).toEqual(isDone(left));
  });

  test("names no reasons if there are none, and five at most", async () => {
    const skipped = wave({ 1: "skipped" }, { provenAt });
    const unconnected = { ...shown, 1: { ...moved, isConnected: false } };
    const next = await nextIn(situation({ shown: unconnected }, { waves: [skipped] }));
    expect(next).toMatchObject({
      status: expect.stringContaining("only 0 of its tenants are proven, and gate.minTenants is 1. Connect"),
    });

    const ids = [1, 2, 3, 4, 5, 6];
    const of = { ...plan, members: ids.map((id) => `t${id}=${id}`).join(" ") };
    const many = situation(
      { of, shown: Object.fromEntries(ids.map((id) => [id, { paused: true }])) },
      {
        waves: [wave(Object.fromEntries(ids.map((id) => [id, "left" as const])), { provenAt })],
        reasons: new Map(ids.map((id) => [id, "it is paused"])),
      },
    );
    const { status } = Object(await nextIn(many));
    expect(status).toContain("t5 (5) was left");
    expect(status).not.toContain("t6");
  });

  test("goes on if a tenant of it can be proven now", async () => {
    const skipped = wave({ 1: "skipped" }, { provenAt });
    expect(await nextIn(situation({ shown }, { waves: [skipped] }))).toEqual(isDone(skipped));
  });
});

describe("after the end", () => {
  const done = { phase: "done" as const, waves: [passed] };
  const all = { 1: moved, 2: moved, 3: moved, 4: moved };
  const proven = wave({ 1: "proven", 2: "proven", 3: "proven", 4: "proven" }, { outcome: "passed" });

  test("those that are behind move, and nobody else", async () => {
    const at = situation(
      { shown: { ...all, 3: {} } },
      { ...done, waves: [proven], before: new Map([1, 2, 4].map((id) => [id, "902"])) },
    );
    expect(await nextIn(at)).toEqual({ kind: "stragglers", members: [3] });
  });

  test.each<[string, Parameters<typeof situation>[0], object]>([
    ["is overridden", { shown: { ...all, 3: { isOverridden: true } } }, {}],
    ["is not shown", { shown: { ...all, 3: { runs: undefined } } }, {}],
    ["was refused", { shown: { ...all, 3: {} } }, { reasons: new Map([[3, `${refusedMove}: no`]]) }],
    [
      "is paused, with whenPaused: leave",
      { shown: { ...all, 3: { paused: true } }, inputs: { gate: { whenPaused: "leave" } } },
      {},
    ],
  ])("one that %s is not among them", async (_, of, more) => {
    const before = new Map([1, 2, 4].map((id) => [id, "902"]));
    expect(await nextIn(situation(of, { ...done, before, ...more }))).toMatchObject({ kind: "rest", phase: "done" });
  });

  test("one whose configs do not fit is not among them", async () => {
    const at = situation(
      { shown: { ...all, 3: {} } },
      { ...done, before: new Map([1, 2, 4].map((id) => [id, "902"])) },
    );
    const next = await nextIn(at, 0, [{ path: ["region"], message: "must be one of eu, us", severity: "error" }]);
    expect(next).toMatchObject({ kind: "rest", phase: "done" });
  });

  test("one that a killed step has moved without a proof is among them, unless it has failed", async () => {
    const before = new Map([1, 2, 4].map((id) => [id, "902"]));
    const at = (mark: "proven" | "failed") =>
      situation({ shown: all }, { ...done, before, waves: [wave({ 3: mark }, { outcome: "passed" })] });
    expect(await nextIn(at("proven"))).toEqual({ kind: "stragglers", members: [3] });
    expect(await nextIn(at("failed"))).toMatchObject({ kind: "rest" });
  });

  test("a wave of theirs that has started goes on", async () => {
    const running = wave({ 3: "open" }, { name: "stragglers" });
    const at = situation({ shown: { ...all, 4: {} } }, { ...done, waves: [passed, running] });
    expect(await nextIn(at)).toEqual({ kind: "go on", wave: running });
    const before = new Map([1, 2, 4].map((id) => [id, "902"]));
    const shown = { ...all, 3: { ...moved, isOverridden: true } }; // nobody else is behind
    const alone = situation({ shown }, { ...done, before, waves: [passed, running] });
    expect(await nextIn(alone)).toEqual({ kind: "go on", wave: running });
  });
});

describe("after a way back", () => {
  const past = { release: 902, label: "v1.1.0", attempt: 1, at: clock, proven: 1, skipped: 0, left: 0, failed: 0 };
  const reason = "taken back: 4 tenants run again what they ran before";
  const rolledBack = { ...past, release: 903, outcome: "rolled back" as const, reason };
  const history = [rolledBack, { ...past, outcome: "finished" as const }];
  const back = { phase: "done" as const, direction: "back" as const, history };
  const all = { 1: moved, 2: moved, 3: moved, 4: moved };
  const behind = { ...all, 4: {} };
  const before = new Map([1, 2, 3, 4].map((id) => [id, "902"]));

  test.each<[string, Parameters<typeof situation>[0], string]>([
    ["a pause", { inputs: { paused: true } }, "paused"],
    ["a freeze", { inputs: frozen }, "frozen from 2026-11-25 to 2026-11-26"],
    ["a closed window", { inputs: later }, "outside its windows until 13:00 UTC"],
  ])(
    "to a release that has finished, %s holds those that are behind, and is not in the status any more once nobody is",
    async (_, held, why) => {
      const status = `${reason}, 3 of 4 on v1.1.0, ${why}`;
      expect(await nextIn(situation({ ...held, shown: behind }, { ...back, before }))).toEqual(rest("done", status));
      expect(await nextIn(situation({ shown: all }, { ...back, before, status }))).toEqual(rest("done", reason));
    },
  );

  test("to a release that has finished, those that are behind move", async () => {
    const at = situation({ shown: behind }, { ...back, before });
    expect(await nextIn(at)).toEqual({ kind: "stragglers", members: [4] });
  });

  test.each<[string, Partial<Situation["rollout"]>]>([
    ["to a release that has not finished", { history: [rolledBack] }],
    ["to one that was rolled back before", { history: [rolledBack, { ...rolledBack, release: 902 }] }],
    ["if only another one has finished", { history: [rolledBack, { ...past, release: 903, outcome: "finished" }] }],
    ["that is not complete", { superseded: [903] }],
  ])("%s, those that are behind stay", async (_, more) => {
    const at = situation({ shown: behind }, { ...back, before, ...more });
    expect(await nextIn(at)).toEqual(rest("done", reason));
  });

  test("the status is its outcome, or the stored one if the history does not have it any more", async () => {
    const failed = { ...past, release: 903, outcome: "failed" as const, reason: "failed in canary" };
    const at = (of: Situation["rollout"]["history"]) =>
      nextIn(situation({ shown: all }, { ...back, before, status: "stored", history: of }));
    expect(await at([failed, rolledBack])).toEqual(rest("done", reason));
    expect(await at([failed])).toEqual(rest("done", "stored"));
  });

  test("only those count as overridden that it has still to take back", () => {
    const isOverridden = true;
    const shown = { 1: moved, 2: { runs: "903", isOverridden }, 3: { ...moved, isOverridden }, 4: { isOverridden } };
    const reasons = new Map([2, 3].map((id) => [id, overriddenReason]));
    expect(standOf(situation({ shown }, { ...back, before, reasons }))).toBe(
      `${reason}, 2 of 4 on v1.1.0 (1 tenant is overridden)`,
    );
  });
});

describe("the status of the end", () => {
  test.each<[string, Parameters<typeof situation>[0], string]>([
    ["all", { shown: { 1: moved, 2: moved } }, "all waves have passed, 2 of 2 on v1.1.0"],
    [
      "one on another",
      { shown: { 1: moved, 2: {} } },
      "all waves have passed, 1 of 2 on v1.1.0; 1 tenant is on another release",
    ],
    [
      "some on others, some overridden",
      { shown: { 1: moved, 2: {}, 3: {}, 4: { isOverridden: true } } },
      "all waves have passed, 1 of 4 on v1.1.0; 2 tenants are on another release; 1 tenant is overridden",
    ],
  ])("%s", (_, of, status) => {
    const { rollout, view } = situation(of);
    expect(endStatus(rollout, view)).toBe(status);
  });
});

describe("where a rollout stands", () => {
  const waves = [{ percent: 10 }, { tenants: ["b"] }, { percent: 100 }];

  test.each<[string, Parameters<typeof situation>[0], Parameters<typeof situation>[1], string]>([
    ["before its first wave", { inputs: { waves } }, {}, "wave 1 of 3 (10%), 0 of 4 on v1.1.0"],
    ["before one without a name", { inputs: { waves } }, { waves: [passed] }, "wave 2 of 3 (b), 0 of 4 on v1.1.0"],
    ["after its waves", {}, { waves: [passed, passed, passed] }, "all waves have passed, 0 of 4 on v1.1.0"],
    ["after its end", {}, { phase: "done" as const, waves: [passed] }, "all waves have passed, 0 of 4 on v1.1.0"],
  ])("%s", (_, of, more, text) => {
    expect(standOf(situation(of, more))).toBe(text);
  });

  test("in a wave is told with the name of that wave", () => {
    const running = wave({ 1: "open" }, { name: "stragglers" });
    const at = situation({}, { phase: "done", waves: [passed, running] });
    expect(standOf(at, running)).toBe("stragglers, 0 of 4 on v1.1.0");
    const second = wave({ 2: "open" }, { name: "early" });
    expect(standOf(situation({}, { waves: [passed, second] }), second)).toBe("wave 2 of 3 (early), 0 of 4 on v1.1.0");
  });
});

describe("the status after an error", () => {
  const early = wave({ 2: "open" }, { name: "early" });
  const takenBack = { direction: "back" as const, phase: "done" as const, status: "taken back: 1 tenant" };

  test.each<[string, Parameters<typeof situation>[1], string]>([
    ["names the wave in which it happened", { waves: [passed, early] }, "wave 2 of 3 (early), 0 of 4 on v1.1.0"],
    ["names the next wave between two", { waves: [passed] }, "wave 2 of 3 (50%), 0 of 4 on v1.1.0"],
    ["is still the failure", { phase: "failed", status: "paused", failure: "failed in canary" }, "failed in canary"],
    ["says where the way back leads", { direction: "back" }, "on the way back to v1.1.0"],
    ["is the outcome of a way back that has ended", takenBack, "taken back: 1 tenant, 0 of 4 on v1.1.0"],
  ])("%s", (_, more, status) => {
    expect(interruptedStatus(situation({}, more))).toBe(status);
  });
});

describe("the first wave with anybody to move", () => {
  const first = (of: Parameters<typeof situation>[0]) => {
    const { inputs, rollout, view } = situation(of);
    return firstToMove(inputs, rollout, view);
  };

  test("is the first one, also if only some of it are to move", () => {
    expect(first({})).toEqual([1]);
    const before = { most: "901", others: { "902": "1" } };
    expect(first({ of: { ...plan, before }, inputs: { waves: [{ percent: 50 }, { percent: 100 }] } })).toEqual([1, 2]);
  });

  test("is a later one if the tenants of the first are gone, or ran the release before", () => {
    expect(first({ shown: { 2: {}, 3: {}, 4: {} } })).toEqual([2]);
    expect(first({ of: { ...plan, before: { most: "901", others: { "902": "1" } } } })).toEqual([2]);
  });

  test("is none if nobody is to move", () => {
    expect(first({ of: { ...plan, before: { most: "902", others: {} } } })).toEqual([]);
  });
});

test("a tenant was on the release already only if it ran it before and runs it now", () => {
  const at = (runs: string, before: string) => {
    const { rollout, view } = situation({ shown: { 1: { runs } } }, { before: new Map([[1, before]]) });
    return wasAlreadyOnRelease(rollout, view, 1);
  };
  expect([at("902", "902"), at("902", "901"), at("901", "902"), at("901", "901")]).toEqual([true, false, false, false]);
  const gone = situation({ shown: {} }, { before: new Map([[1, "902"]]) });
  expect(wasAlreadyOnRelease(gone.rollout, gone.view, 1)).toBe(false);
});

test("the started waves have their tenants as the plan has them, and none that it does not have", () => {
  const { rollout, view } = situation({}, { waves: [wave({ 1: "proven", 77: "left" }, { joined: new Set([1, 77]) })] });
  const [a] = view.ranked;
  expect(startedWaves(rollout, view)).toEqual([{ members: [a], joined: new Set([a]) }]);
});
