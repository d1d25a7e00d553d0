import { describe, expect, test } from "vitest";
import { formatPath } from "../../../src/json/key-path.ts";
import { unknownValue } from "../../../src/json/unknown.ts";
import {
  type RolloutFleet,
  strategyProblems,
  targetProblems,
} from "../../../src/resources/fleet-rollout/strategy-problems.ts";

const fleet: RolloutFleet = {
  keys: new Set(["acme", "beta1", "beta2", "oldco", "bigcorp"]),
  pinned: new Set(["oldco"]),
  excluded: new Set(["bigcorp"]),
  label: "v1.3.0",
};

const all = { percent: 100 };

/** The problems as `path: reason`. */
function problems(strategy: object, of: RolloutFleet | undefined = fleet): string[] {
  return strategyProblems(strategy, of).map(({ path, reason }) => `${formatPath(path)}: ${reason}`);
}

test("a strategy with all settings has no problems", () => {
  const strategy = {
    waves: [
      { name: "canary", tenants: ["acme"] },
      { name: "early", tenants: ["beta1", "beta2"], approval: "required" },
      { percent: 10 },
      { percent: 10 },
      { percent: 12.5 },
      all,
    ],
    gate: { minTenants: 1, soakSeconds: 3600 },
    maxUnavailable: "10%",
    maxFailures: "0%",
    windows: ["* 9-15 * * 1-4"],
    timeZone: "Europe/Berlin",
    freeze: [{ from: "2026-12-20", to: "2027-01-03" }],
    approvals: { "v1.3.0": { early: "CHG-123" }, "v1.2.0": { canaries: "CHG-100" } },
  };
  expect(problems(strategy)).toEqual([]);
});

describe("waves", () => {
  test.each<[string, object[], string[]]>([
    ["none", [], ["waves: must have at least one wave; the last wave moves all tenants that are left"]],
    [
      "of both, or of neither",
      [{ tenants: ["acme"], percent: 5 }, {}, all],
      [
        "waves[0]: must have exactly one of tenants and percent",
        "waves[1]: must have exactly one of tenants and percent",
      ],
    ],
    [
      "that go down, compared with the highest before, also with tenants between",
      [{ percent: 50 }, { tenants: ["acme"] }, { percent: 10 }, { percent: 20 }, all],
      [
        "waves[2].percent: must not be less than the 50 of wave 1: the percentages count all tenants that have moved",
        "waves[3].percent: must not be less than the 50 of wave 1: the percentages count all tenants that have moved",
      ],
    ],
    [
      "that do not end at 100",
      [{ percent: 50 }, { percent: 99.9 }],
      ["waves[1].percent: must be 100: the last wave moves all tenants that are left"],
    ],
    [
      "that end with tenants",
      [all, { tenants: ["acme"] }],
      ["waves[1]: must be { percent: 100 }: the last wave moves all tenants that are left"],
    ],
    [
      "with one name",
      [{ name: "early", tenants: ["acme"] }, { percent: 5 }, { name: "early", ...all }],
      ["waves[2].name: wave 1 has this name too"],
    ],
    [
      "with the name that another has by default, wherever that stands",
      [
        { name: "50%", tenants: ["acme"] },
        { percent: 50 },
        { tenants: ["beta1"] },
        { name: "beta1", tenants: ["beta2"] },
        all,
      ],
      ["waves[0].name: wave 2 has this name by default", "waves[3].name: wave 3 has this name by default"],
    ],
    [
      "with the name of the wave of those that are behind after the end",
      [{ name: "stragglers", percent: 50 }, all],
      ["waves[0].name: is the name of the wave that moves tenants which are behind after the end: choose another"],
    ],
    [
      "with such a name by default",
      [{ tenants: ["stragglers"] }, all],
      [
        "waves[0].name: is the name of the wave that moves tenants which are behind after the end: choose another",
        expect.stringContaining("waves[0].tenants[0]: is not a tenant of the fleet"),
      ],
    ],
    [
      "that require approval and have no name",
      [{ ...all, approval: "required" }],
      ["waves[0].approval: needs a name of the wave, by which approvals has its entry"],
    ],
  ])("%s", (_, waves, expected) => {
    expect(problems({ waves })).toEqual(expected);
  });
});

describe("tenants of waves", () => {
  test.each<[string, object[], string[]]>([
    [
      "that the fleet does not have",
      [{ tenants: ["acme", "amce"] }, all],
      ['waves[0].tenants[1]: is not a tenant of the fleet; did you mean "acme"?'],
    ],
    ["twice in a wave", [{ tenants: ["acme", "acme"] }, all], ["waves[0].tenants[1]: is in this wave twice"]],
    [
      "in two waves",
      [{ name: "canary", tenants: ["acme"] }, { tenants: ["beta1"] }, { tenants: ["beta1", "acme"] }, all],
      ["waves[2].tenants[0]: is in wave 2 already", 'waves[2].tenants[1]: is in wave "canary" already'],
    ],
    [
      "with a release of their own",
      [{ tenants: ["oldco"] }, all],
      ["waves[0].tenants[0]: has a release of its own, which no wave changes: remove one of the two"],
    ],
    [
      "that are excluded",
      [{ tenants: ["bigcorp"] }, all],
      ["waves[0].tenants[0]: is excluded from the rollout: remove one of the two"],
    ],
  ])("%s", (_, waves, expected) => {
    expect(problems({ waves })).toEqual(expected);
  });

  test("are not judged where the fleet is not known", () => {
    const waves = [{ tenants: ["nobody", "acme"] }, all];
    expect(strategyProblems({ waves, approvals: { "v1.3.0": { early: "CHG-1" } } })).toEqual([]);
  });
});

describe("numbers", () => {
  test.each<[object, string[]]>([
    [{ maxUnavailable: 0 }, ["maxUnavailable: must be more than 0, or no tenant could move"]],
    [{ maxUnavailable: "0.0%" }, ["maxUnavailable: must be more than 0, or no tenant could move"]],
    [{ maxUnavailable: "101%" }, ["maxUnavailable: must not be more than 100%"]],
    [{ maxFailures: "100.5%" }, ["maxFailures: must not be more than 100%"]],
    [{ maxFailures: 0, maxUnavailable: "100%" }, []],
    [
      { gate: { minTenants: 2 } },
      ['gate.minTenants: must not be more than the tenants of wave "canary", which could never pass'],
    ],
    [{ gate: { minTenants: 1 } }, []],
  ])("%j", (settings, expected) => {
    const waves = [{ name: "canary", tenants: ["acme"] }, { tenants: [] }, { tenants: ["beta1", "beta2"] }, all];
    expect(problems({ waves, ...settings })).toEqual(expected);
  });
});

describe("approvals", () => {
  const waves = [{ name: "canary", tenants: ["acme"] }, { name: "early", percent: 10, approval: "required" }, all];

  test("of the target for a wave that is not there", () => {
    expect(problems({ waves, approvals: { "v1.3.0": { earyl: "CHG-1", early: "CHG-1" } } })).toEqual([
      'approvals.v1.3.0.earyl: is not the name of a wave; did you mean "early"?',
    ]);
  });

  test("of other releases are left alone", () => {
    expect(problems({ waves, approvals: { "v1.2.0": { whoever: "CHG-1" }, "v1.4.0": { later: "CHG-2" } } })).toEqual(
      [],
    );
  });

  test("are not judged where the target is not known", () => {
    const { label: _, ...others } = fleet;
    expect(problems({ waves, approvals: { "v1.3.0": { earyl: "CHG-1" } } }, others)).toEqual([]);
  });
});

test("mistakes in the calendar have the paths of the strategy", () => {
  const calendar = {
    windows: ["* * * * *", "0 0 30 2 *"],
    timeZone: "Mars",
    freeze: [{ from: "2026-02-30", to: "2026-03-01" }],
  };
  expect(strategyProblems({ waves: [all], ...calendar }).map(({ path }) => formatPath(path))).toEqual([
    "windows[1]",
    "timeZone",
    "freeze[0].from",
  ]);
});

describe("values that a preview does not know", () => {
  test.each<[string, object]>([
    [
      "the waves, and who they are",
      { waves: unknownValue, gate: { minTenants: 9 }, approvals: { "v1.3.0": { x: "1" } } },
    ],
    [
      "a wave",
      { waves: [{ name: "canary", tenants: ["acme"] }, unknownValue, all], approvals: { "v1.3.0": { x: "1" } } },
    ],
    ["the last wave", { waves: [{ percent: 10 }, unknownValue] }],
    ["a percentage", { waves: [{ percent: 50 }, { percent: unknownValue }, { percent: unknownValue }] }],
    [
      "a percentage that may be the name of a wave",
      { waves: [{ name: "50%", percent: 10 }, { percent: unknownValue }, all] },
    ],
    ["a name", { waves: [{ name: unknownValue, ...all, approval: "required" }], approvals: { "v1.3.0": { x: "1" } } }],
    ["tenants", { waves: [{ tenants: unknownValue }, { tenants: [unknownValue, "acme"] }, all] }],
    ["a key of approvals", { waves: [all], approvals: { "v1.3.0": unknownValue } }],
    ["shares", { waves: [all], maxUnavailable: unknownValue, maxFailures: unknownValue, gate: unknownValue }],
    ["the calendar", { waves: [all], windows: unknownValue, timeZone: unknownValue, freeze: unknownValue }],
    [
      "parts of it",
      { waves: [all], windows: [unknownValue], freeze: [unknownValue, { from: unknownValue, to: "2026-01-01" }] },
    ],
  ])("%s", (_, strategy) => {
    expect(problems(strategy)).toEqual([]);
  });

  test("do not hide what is wrong beside them", () => {
    const waves = [
      unknownValue,
      { percent: 50 },
      { name: unknownValue, tenants: [unknownValue, "amce"] },
      { percent: 5 },
      all,
    ];
    expect(problems({ waves, windows: [unknownValue, "0 0 30 2 *"] })).toEqual([
      "waves[3].percent: must not be less than the 50 of wave 2: the percentages count all tenants that have moved",
      'waves[2].tenants[1]: is not a tenant of the fleet; did you mean "acme"?',
      "windows[1]: never opens: no day has this date",
    ]);
  });
});

describe("excluded tenants", () => {
  test.each<[string, unknown, string[]]>([
    ["none", undefined, []],
    ["what a preview does not know", [unknownValue, "bigcorp"], []],
    [
      "that the fleet does not have",
      ["bigcrop"],
      ['exclude[0]: is not a tenant of the fleet; did you mean "bigcorp"?'],
    ],
    ["twice", ["bigcorp", "acme", "bigcorp"], ["exclude[2]: is excluded twice"]],
    [
      "with a release of their own",
      ["oldco"],
      ["exclude[0]: has a release of its own, so it is not part of the rollout: remove one of the two"],
    ],
  ])("%s", (_, exclude, expected) => {
    const found = targetProblems({ exclude }, fleet);
    expect(found.map(({ path, reason }) => `${formatPath(path)}: ${reason}`)).toEqual(expected);
  });
});
