import { describe, expect, test } from "vitest";
import {
  canGoBack,
  isOf,
  progressOf,
  rolloutOf,
  takeAsFound,
  withOutcome,
} from "../../../src/resources/fleet-rollout/begin.ts";
import { nextAfterFailure } from "../../../src/resources/fleet-rollout/failure.ts";
import type { Rollout } from "../../../src/resources/fleet-rollout/rollout.ts";
import type { RolloutView } from "../../../src/resources/fleet-rollout/rollout-view.ts";
import type { PastRollout, Progress } from "../../../src/resources/fleet-rollout/schema.ts";
import { stragglers } from "../../../src/resources/fleet-rollout/waves.ts";
import { type RolloutPlan, readMembers } from "../../../src/resources/tenant-fleet/rollout-plan.ts";
import { clock, plan } from "./situation.ts";

/** The plan that takes three tenants from release 901 to 902. */
function planOf(more: Partial<RolloutPlan> = {}): RolloutPlan {
  return { ...plan, members: "a=1 b=2 c=3", ...more };
}

/** What is stored of the rollout of that plan. */
function storedOf(more: Partial<Progress> = {}): Progress {
  return {
    planNumber: 1,
    release: 902,
    label: "v1.1.0",
    attempt: 1,
    direction: "forward",
    phase: "progressing",
    status: "",
    remaining: "",
    tenants: 3,
    moved: 0,
    startedWaves: [],
    pendingSyncs: {},
    reasons: {},
    olderFailures: {},
    newcomers: "",
    before: { most: "901", others: {} },
    origins: {},
    superseded: [],
    approvedReleases: [],
    history: [],
    clock: "2026-11-25T11:00:00.000Z",
    ...more,
  };
}

function waveOf(marks: Partial<Progress["startedWaves"][number]>): Progress["startedWaves"][number] {
  const none = { open: "", proven: "", skipped: "", left: "", failed: "", joined: "" };
  return { name: "canary", startedAt: clock, ...none, ...marks };
}

/** The next plan of the fleet, which takes its tenants to another release. */
function nextPlanOf(more: Partial<RolloutPlan> = {}): RolloutPlan {
  const earlier = [{ number: 1, release: 902, joined: "" }];
  return planOf({ number: 2, release: 903, label: "v1.2.0", earlier, ...more });
}

function pastOf(more: Partial<PastRollout> = {}): PastRollout {
  const counts = { proven: 0, skipped: 0, left: 0, failed: 1 };
  return { release: 902, label: "v1.1.0", attempt: 1, outcome: "failed", at: clock, ...counts, ...more };
}

describe("a stored progress", () => {
  test.each<[Partial<Progress>, boolean]>([
    [{}, true],
    [{ planNumber: 2 }, false],
    [{ release: 903 }, false],
    [{ attempt: 2 }, false],
  ])("with %o belongs to the plan: %s", (more, isOne) => {
    expect(isOf(planOf(), storedOf(more))).toBe(isOne);
  });

  test("goes on with the time of now", () => {
    const stored = storedOf({ startedWaves: [waveOf({ open: "1" })], phase: "waiting" });
    expect(rolloutOf(planOf(), stored, clock)).toMatchObject({
      phase: "waiting",
      waves: [{ marks: new Map([[1, "open"]]) }],
      clock,
    });
  });

  test.each<[string, Partial<Progress>, string | undefined]>([
    ["has the failure of its own", { status: "paused", failure: "failed in canary" }, "failed in canary"],
    ["has it in its status in a state of an earlier version", { status: "failed in canary" }, "failed in canary"],
    [
      "has it there before a pause",
      { status: "failed in canary; paused, so nobody is taken back" },
      "failed in canary",
    ],
    ["has none if it has not failed", { phase: "waiting", status: "paused" }, undefined],
  ])("%s", (_, more, failure) => {
    expect(rolloutOf(planOf(), storedOf({ phase: "failed", ...more }), clock).failure).toBe(failure);
  });

  test("learns from the plan what new tenants ran, and knows it better of those that it has", () => {
    const plan = planOf({ newcomers: "d=4 e=5", before: { most: "901", others: { Latest: "4 5" } } });
    const stored = storedOf({ newcomers: "4", before: { most: "901", others: { "902": "4" } } });
    const { before, newcomers } = rolloutOf(plan, stored, clock);
    expect([before.get(4), before.get(5), before.get(1)]).toEqual(["902", "Latest", "901"]);
    expect(newcomers).toEqual(new Set([4, 5]));
  });
});

test.each([
  ["one of its tenants", "1 99", true],
  ["none of its tenants", "98 99", false],
])("a stored progress whose waves have %s is of a fleet: %j", (_, open, isKept) => {
  const stored = storedOf({ startedWaves: [waveOf({ open })] });
  expect(progressOf(planOf(), stored)).toBe(isKept ? stored : undefined);
});

describe("a stored progress of which no wave has started", () => {
  const newFleet = planOf({ members: "a=11 b=12 c=13", from: "902", before: { most: "902", others: {} } });
  const byHand = { before: { most: "901", others: { "902": "2" } } };
  const onTarget = { before: { most: "902", others: {} } };

  test.each<[string, RolloutPlan, Partial<Progress>, boolean]>([
    ["is of the fleet of its plan", planOf(), {}, true],
    ["is of the fleet of its plan, after a rollback", planOf(), { direction: "back", phase: "failed" }, true],
    ["is of a fleet that gets a newer plan", nextPlanOf(), {}, true],
    [
      "is of a fleet with new tenants",
      planOf({ newcomers: "d=4", before: { most: "901", others: { "902": "4" } } }),
      {},
      true,
    ],
    ["is of a fleet one of whose tenants was taken as it was found", planOf(), byHand, true],
    ["is of a fleet whose later plan it is", nextPlanOf({ before: byHand.before }), { planNumber: 2 }, true],
    ["is of a fleet that has taken over the tenants of another one", planOf(), { planNumber: 2 }, true],
    ["is of a fleet whose tenants ran the release before", planOf(onTarget), onTarget, true],
    ["is not of a fleet of which a tenant ran another release before", planOf(byHand), {}, false],
    ["is not of a fleet that has fewer plans", nextPlanOf(), { planNumber: 3 }, false],
    ["is not of a new fleet that has no tenants", planOf({ members: "" }), { planNumber: 2 }, false],
    ["is not of a new fleet, whose plans count from 1 again", newFleet, { planNumber: 2 }, false],
    ["is not of a new fleet, whose tenants were created on the release", newFleet, {}, false],
    ["is not of a new fleet, after a rollback", newFleet, { direction: "back", phase: "failed" }, false],
    ["is not of a new fleet, although it has tenants that came later", newFleet, { newcomers: "4" }, false],
  ])("%s", (_, plan, more, isKept) => {
    const stored = storedOf(more);
    expect(progressOf(plan, stored)).toBe(isKept ? stored : undefined);
  });
});

describe("the release that has finished last", () => {
  test("is the one from which the first rollout comes", () => {
    expect(rolloutOf(planOf(), undefined, clock)).toMatchObject({ finished: 901, direction: "forward" });
    for (const channel of ["Latest", "9x", "x9"]) {
      expect(rolloutOf(planOf({ from: channel }), undefined, clock)).not.toHaveProperty("finished");
    }
  });

  test("is what is stored, later", () => {
    expect(rolloutOf(nextPlanOf(), storedOf({ finished: 900 }), clock).finished).toBe(900);
    expect(rolloutOf(nextPlanOf(), storedOf(), clock)).not.toHaveProperty("finished");
  });

  test("has the number of its plan, unless its fleet was replaced", () => {
    const finished = { finished: 901, finishedPlan: 1 };
    expect(rolloutOf(nextPlanOf(), storedOf(finished), clock).finishedPlan).toBe(1);
    for (const planNumber of [2, 3]) {
      expect(rolloutOf(nextPlanOf(), storedOf({ ...finished, planNumber }), clock)).not.toHaveProperty("finishedPlan");
    }
    expect(rolloutOf(nextPlanOf(), storedOf(), clock)).not.toHaveProperty("finishedPlan");
  });

  test("is taken back to if rollouts after it did not finish, and rolled out once more if all did", () => {
    const back = nextPlanOf({ release: 901 });
    expect(rolloutOf(back, storedOf({ finished: 901 }), clock)).toMatchObject({ direction: "back", superseded: [902] });
    const again = nextPlanOf({ release: 902, attempt: 2 });
    const done = storedOf({ finished: 902, phase: "done" });
    expect(rolloutOf(again, done, clock)).toMatchObject({ direction: "forward", superseded: [] });
  });
});

describe("the releases of rollouts that did not finish", () => {
  const earlier = [
    { number: 3, release: 905, joined: "" },
    { number: 2, release: 904, joined: "" },
    { number: 1, release: 902, joined: "" },
  ];
  const plan = planOf({ number: 4, release: 903, from: "904", earlier });

  test("are those of all plans but the finished one if nothing is stored", () => {
    expect(rolloutOf(plan, undefined, clock).superseded).toEqual([905, 902]);
  });

  test("are those since the stored one, this one, and those before it", () => {
    const stored = storedOf({ planNumber: 2, release: 904, superseded: [902, 905] });
    expect(rolloutOf(plan, stored, clock).superseded).toEqual([905, 904, 902]);
  });

  test("are only those since the stored one if that has finished", () => {
    const stored = storedOf({ planNumber: 2, release: 904, finished: 904, phase: "done", superseded: [] });
    expect(rolloutOf(plan, stored, clock).superseded).toEqual([905]);
  });

  test("do not include the release of the new one", () => {
    expect(rolloutOf(nextPlanOf({ release: 902, attempt: 2 }), storedOf(), clock).superseded).toEqual([]);
  });

  test.each<[Progress["phase"], number[]]>([
    ["failed", [902, 900]],
    ["done", [900]],
  ])("after a way back with the phase %s are %j", (phase, superseded) => {
    const stored = storedOf({ direction: "back", phase, superseded: [900] });
    expect(rolloutOf(nextPlanOf(), stored, clock).superseded).toEqual(superseded);
  });
});

describe("what a tenant ran before", () => {
  const proven = { startedWaves: [waveOf({ proven: "1", skipped: "2" })] };

  test("is the release for which an unfinished rollout has proven it, and where it came from is kept", () => {
    const { before, origins } = rolloutOf(nextPlanOf(), storedOf(proven), clock);
    expect([...before]).toEqual([
      [1, "902"],
      [2, "901"],
      [3, "901"],
    ]);
    expect([...origins]).toEqual([[1, "901"]]);
  });

  test("is where it came from first, on the way back", () => {
    const stored = storedOf({ ...proven, finished: 901, origins: { Latest: "1" } });
    const { before, origins } = rolloutOf(nextPlanOf({ release: 901 }), stored, clock);
    expect([...before]).toEqual([
      [1, "Latest"],
      [2, "901"],
      [3, "901"],
    ]);
    expect([...origins]).toEqual([]);
  });

  test("is not the release of a way back", () => {
    const stored = storedOf({ ...proven, direction: "back", phase: "done" });
    const { before, origins } = rolloutOf(nextPlanOf(), stored, clock);
    expect(before.get(1)).toBe("901");
    expect([...origins]).toEqual([]);
  });

  test("has no origin if it is not known", () => {
    const stored = storedOf({ ...proven, before: { most: "901", others: { unknown: "1" } } });
    const { before, origins } = rolloutOf(nextPlanOf(), stored, clock);
    expect(before.get(1)).toBe("902");
    expect([...origins]).toEqual([]);
  });

  test("is what the plan says of those that joined after the stored rollout", () => {
    const earlier = [
      { number: 2, release: 902, joined: "5" },
      { number: 1, release: 902, joined: "6" },
    ];
    const plan = nextPlanOf({
      number: 3,
      members: "a=1 d=4 e=5 f=6 h=8",
      newcomers: "g=7",
      joined: "4 8",
      before: { most: "901", others: { Latest: "4 5 6 7 8" } },
      earlier,
    });
    const stored = storedOf({ newcomers: "8", before: { most: "901", others: { "950": "4 5 6 7 8" } } });
    expect(Object.fromEntries(rolloutOf(plan, stored, clock).before)).toEqual({
      1: "901",
      4: "Latest", // joined the new plan
      5: "Latest", // joined the plan before it, which is not stored
      6: "950", // joined the stored one
      7: "Latest", // came later
      8: "950", // a newcomer that the stored one had
    });
  });
});

describe("what a tenant ran before that had left, and is back", () => {
  /** What it ran before a rollout that begins as it is back, running something. */
  function beforeOf(runs: string, stored: Partial<Progress>, plan: Partial<RolloutPlan> = {}) {
    const next = nextPlanOf({ joined: "1", before: { most: "901", others: { [runs]: "1" } }, ...plan });
    return rolloutOf(next, storedOf(stored), clock).before.get(1);
  }
  const proven = { startedWaves: [waveOf({ proven: "1" })] };
  const finished = { ...proven, phase: "done" as const, finished: 902, before: { most: "902", others: {} } };

  test.each<[string, Partial<Progress>]>([
    ["a rollout that finished", finished],
    ["one that has failed", { ...proven, phase: "failed", history: [pastOf()] }],
  ])("is what it runs after %s, as somebody has moved it meanwhile", (_, stored) => {
    expect(beforeOf("950", stored)).toBe("950");
  });

  test("is what it runs if it was in no wave of the unfinished rollout, as somebody has moved it to where it is", () => {
    expect(beforeOf("902", { startedWaves: [waveOf({ failed: "2" })] })).toBe("902");
  });

  test("is no longer what it ran before it was moved by hand, for the way back of later rollouts", () => {
    const next = nextPlanOf({ joined: "1", before: { most: "901", others: { "950": "1" } } });
    const { origins } = rolloutOf(next, storedOf({ ...proven, origins: { Latest: "1" } }), clock);
    expect([...origins]).toEqual([]);
  });

  test("is what it ran before the unfinished rollout that has moved it to where it is", () => {
    expect(beforeOf("902", { startedWaves: [waveOf({ failed: "1" })] })).toBe("901");
    expect(beforeOf("902", { startedWaves: [waveOf({ failed: "1" })] }, { release: 902, attempt: 2 })).toBe("901");
  });

  test("is what it ran before a killed rollout that has moved it to where it is, and of which nothing is stored", () => {
    const earlier = [{ number: 1, release: 902, joined: "" }];
    const killed = { number: 2, release: 950, joined: "1" };
    const plan = { number: 3, joined: "", earlier: [killed, ...earlier] };
    expect(beforeOf("950", { startedWaves: [waveOf({ left: "1" })] }, plan)).toBe("901");
  });

  test("is what it runs, also if it was a newcomer of the stored rollout", () => {
    const left = rolloutOf(planOf({ newcomers: "=4 e=5" }), storedOf({ newcomers: "4 5" }), clock);
    expect([...left.newcomers]).toEqual([5]);
    const next = nextPlanOf({ members: "d=4 e=5", joined: "4 5", before: { most: "950", others: {} } });
    const { before } = rolloutOf(next, storedOf({ newcomers: "5" }), clock);
    expect([before.get(4), before.get(5)]).toEqual(["950", "901"]);
  });
});

describe("the history", () => {
  test.each<[Progress["direction"], Progress["phase"], boolean]>([
    ["forward", "progressing", true],
    ["forward", "waiting", true],
    ["forward", "failed", false],
    ["forward", "done", false],
    ["back", "progressing", false],
    ["back", "waiting", false],
  ])("of a rollout %s in the phase %s has that it was superseded: %s", (direction, phase, isSuperseded) => {
    const older = pastOf({ release: 901 });
    const { history } = rolloutOf(nextPlanOf(), storedOf({ direction, phase, history: [older] }), clock);
    const superseded = pastOf({ outcome: "superseded", failed: 0 });
    expect(history).toEqual(isSuperseded ? [superseded, older] : [older]);
  });

  test("has twenty outcomes at most, the last first", () => {
    const older = Array.from({ length: 20 }, (_, index) => pastOf({ release: 900 - index, outcome: "finished" }));
    const rollout = rolloutOf(nextPlanOf(), storedOf({ history: older }), clock);
    expect(rollout.history.map(({ release }) => release)).toEqual([
      902,
      ...older.slice(0, 19).map((one) => one.release),
    ]);
    const after = withOutcome(rollout, "finished", clock).map(({ release }) => release);
    expect(after).toEqual([903, 902, ...older.slice(0, 18).map((one) => one.release)]);
  });

  test("counts those that the rollout moves, and has a reason only if there is one", () => {
    const startedWaves = [waveOf({ proven: "1 2", failed: "3" })];
    const stored = storedOf({ startedWaves, before: { most: "901", others: { "902": "2" } } });
    const rollout = rolloutOf(planOf(), stored, clock);
    const [plain] = withOutcome(rollout, "finished", clock);
    expect(plain).toEqual(pastOf({ outcome: "finished", proven: 1, failed: 1 }));
    expect(plain).not.toHaveProperty("reason");
    const [explained] = withOutcome(rollout, "failed", clock, "too many", { release: 900, label: "v0" });
    expect(explained).toEqual(pastOf({ release: 900, label: "v0", proven: 1, failed: 1, reason: "too many" }));
  });

  const again = nextPlanOf({ release: 902, label: "v1.1.0" });

  test("stops an attempt that has failed before", () => {
    const stored = storedOf({ planNumber: 2, release: 903, history: [pastOf()] });
    const plan = { ...again, number: 3, earlier: [{ number: 2, release: 903, joined: "" }] };
    expect(rolloutOf(plan, stored, clock)).toMatchObject({
      phase: "failed",
      status: "attempt 1 of v1.1.0 has failed before; nobody moves. Raise attempt to try it again",
    });
    expect(rolloutOf({ ...plan, attempt: 2 }, stored, clock)).toMatchObject({ phase: "progressing", status: "" });
  });

  test.each<[string, PastRollout[]]>([
    ["was rolled back", [pastOf({ outcome: "rolled back" }), pastOf()]],
    ["was superseded later", [pastOf({ outcome: "superseded" }), pastOf()]],
    ["has failed in another attempt too", [pastOf({ attempt: 2 }), pastOf()]],
  ])("stops an attempt that has failed before and %s", (_, history) => {
    const stored = storedOf({ planNumber: 2, release: 903, phase: "done", finished: 903, history });
    expect(rolloutOf({ ...again, number: 3, earlier: [] }, stored, clock).phase).toBe("failed");
  });

  test.each<[string, PastRollout[]]>([
    ["was only superseded", [pastOf({ outcome: "superseded" })]],
    ["has finished before another one failed", [pastOf({ attempt: 2 }), pastOf({ outcome: "finished" })]],
    ["has finished since", [pastOf({ attempt: 2, outcome: "finished" }), pastOf()]],
    ["is another release", [pastOf({ release: 950 })]],
  ])("does not stop one that %s", (_, history) => {
    const stored = storedOf({ planNumber: 2, release: 903, phase: "done", finished: 903, history });
    expect(rolloutOf({ ...again, number: 3, earlier: [] }, stored, clock).phase).toBe("progressing");
  });

  test("does not stop the way back", () => {
    const stored = storedOf({ planNumber: 2, release: 903, finished: 902, history: [pastOf()] });
    const rollout = rolloutOf({ ...again, number: 3, earlier: [] }, stored, clock);
    expect(rollout).toMatchObject({ direction: "back", phase: "progressing" });
  });
});

describe("a rollout without a stored progress takes as found", () => {
  const firstWave = new Set([1]);

  function foundIn(runs: Record<number, string | undefined>, plan = planOf()) {
    const rollout: Rollout = rolloutOf(plan, undefined, clock);
    const tenants = new Map(Object.entries(runs).map(([id, ref]) => [Number(id), { id: Number(id), runs: ref }]));
    const found = takeAsFound(rollout, { tenants } as unknown as RolloutView, plan, firstWave);
    return { found, before: Object.fromEntries(rollout.before) };
  }

  test("those on the release, except in the first wave, whose step may have been killed", () => {
    expect(foundIn({ 1: "902", 2: "902", 3: "901" })).toEqual({ found: [2], before: { 1: "901", 2: "902", 3: "901" } });
  });

  test("but not those that ran it before", () => {
    const plan = planOf({ before: { most: "901", others: { "902": "2" } } });
    expect(foundIn({ 2: "902" }, plan).found).toEqual([]);
  });

  test("the release that new tenants have, for those that went there by themselves", () => {
    const plan = planOf({ before: { most: "Latest", others: {} } });
    const { found, before } = foundIn({ 1: "901", 2: "950", 3: undefined }, plan);
    expect(found).toEqual([]);
    expect(before).toEqual({ 1: "901", 2: "Latest", 3: "Latest" });
  });

  test("the releases of earlier rollouts, which may have finished, unless it is the way back", () => {
    const runs = { 1: "903", 2: "902", 3: "901" };
    expect(foundIn(runs, nextPlanOf())).toEqual({ found: [], before: { 1: "901", 2: "902", 3: "901" } });
    const back = nextPlanOf({ release: 901 });
    expect(foundIn({ ...runs, 1: "902" }, back)).toEqual({ found: [], before: { 1: "901", 2: "901", 3: "901" } });
  });

  test("nothing of tenants whose release the platform does not show", () => {
    const { from: _, ...plan } = planOf();
    expect(foundIn({ 3: undefined }, plan).before).toEqual({ 1: "901", 2: "901", 3: "901" });
  });
});

const finishedOf = (release: number): PastRollout => ({
  ...{ release, label: "", attempt: 1, outcome: "finished", at: clock },
  ...{ proven: 1, skipped: 0, left: 0, failed: 0 },
});

describe("a failure may take tenants back", () => {
  const waveNamed = (name: string) => ({ name, joined: new Set<number>(), startedAt: clock, marks: new Map() });
  const first = { release: 902, finished: 902, history: [], waves: [waveNamed("canary")] };

  test.each([
    ["of another release than the last one that finished", { finished: 901, history: [finishedOf(902)] }, true],
    ["of a first rollout to what most tenants run", {}, true],
    ["not of a release that has finished in an earlier attempt", { history: [finishedOf(902)] }, false],
    ["of a release if only others have finished", { history: [finishedOf(901)] }, true],
    ["not among those that were behind after the end", { waves: [waveNamed("canary"), waveNamed(stragglers)] }, false],
  ])("%s", (_, more, expected) => {
    expect(canGoBack({ ...first, ...more })).toBe(expected);
  });
});

describe("what to do after a failure", () => {
  const failed = { ...rolloutOf(planOf(), undefined, clock), phase: "failed" as const };
  test.each([
    ["set the release back", { finished: 901 }, /^Set the release back or to a newer one/],
    [
      "let it roll back after a channel, which no release stands for",
      { finished: undefined },
      /^Set onFailure: rollback/,
    ],
    [
      "move all at once where it cannot go back",
      { finished: 902, history: [finishedOf(902)] },
      /^Move all tenants at once/,
    ],
  ])("%s", (_, more, expected) => {
    const { finished: _finished, ...others } = { ...failed, ...more };
    const rollout = more.finished === undefined ? others : { ...others, finished: more.finished };
    expect(nextAfterFailure(rollout)).toMatch(expected);
  });
});

describe("the members of a plan", () => {
  test("are none in an empty string", () => {
    expect(readMembers("")).toEqual([]);
  });
});
