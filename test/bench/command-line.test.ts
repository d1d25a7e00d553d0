import { describe, expect, test } from "vitest";
import { parseCommandLine } from "../../bench/command-line.ts";
import { contenderNamed } from "../../bench/contenders/contenders.ts";
import { entrantName } from "../../bench/entrants.ts";
import { type Plan, plans } from "../../bench/plans.ts";

function planOf(...args: string[]): Plan {
  const request = parseCommandLine(args);
  if (request.command !== "measure") throw new Error("nothing to measure");
  return request.plan;
}

describe("the flags", () => {
  test("name a plan, which is the short one without flags", () => {
    expect(parseCommandLine([])).toEqual({ command: "measure", plan: plans.short, args: ["--plan", "short"] });
    const long = { command: "measure", plan: plans.long, args: ["--plan", "long"] };
    expect(parseCommandLine(["--plan", "long"])).toEqual(long);
  });
  test("make a plan of their own, which measures by size how often, unless told", () => {
    const plan = planOf("--sizes", "1000,3000", "--contenders", "fleet");
    expect(plan.map(({ size, rounds }) => [size, rounds])).toEqual([
      [1000, 3],
      [3000, 1],
    ]);
    expect(plan.map(({ entrants }) => entrants.map(entrantName))).toEqual([["fleet"], ["fleet"]]);
    expect(planOf("--sizes", "10", "--rounds", "2").map(({ rounds }) => rounds)).toEqual([2]);
  });
  test("let contenders that can share their state do so, with few tenants, and say what is skipped", () => {
    const flags = ["--contenders", "tenants,plain", "--backends", "postgres,file,s3", "--sizes", "100,101"];
    const [small, large] = planOf(...flags);
    expect(small?.entrants.map(entrantName)).toEqual(["tenants", "tenants on s3", "tenants on postgres", "plain"]);
    expect(small?.skipped).toBe("Skipped on s3 and postgres: plain.");
    expect(large?.entrants.map(entrantName)).toEqual(["tenants", "plain"]);
    expect(large?.skipped).toBe("Skipped: s3 and postgres, measured only up to 100 tenants.");
    expect(planOf("--sizes", "101")[0]?.skipped).toBe("");
  });
  test("measure a journal at every size", () => {
    const flags = ["--contenders", "tenants,plain", "--backends", "file,journal,s3", "--sizes", "3000"];
    const [group] = planOf(...flags);
    expect(group?.entrants.map(entrantName)).toEqual(["tenants", "tenants on journal", "plain"]);
    expect(group?.skipped).toBe("Skipped: s3, measured only up to 100 tenants. Skipped on journal: plain.");
  });
  test("measure with the engine's log and without, where there is one", () => {
    const [group] = planOf("--sizes", "10", "--contenders", "fleet,terraform", "--engine-log", "off,on");
    expect(group?.entrants.map(entrantName)).toEqual(["fleet", "fleet, log off", "terraform"]);
  });
  test("measure on a journal alone", () => {
    const [group] = planOf("--sizes", "10000", "--contenders", "native", "--backends", "journal");
    expect(group?.entrants.map(entrantName)).toEqual(["native on journal"]);
  });
  test("continue a run", () => {
    expect(parseCommandLine(["--continue"])).toEqual({ command: "continue" });
  });
  test.each([
    [["--contenders", "ansible"], /no "ansible", only tenants, fleet/],
    [["--sizes", "0"], /--sizes/],
    [["--latencies", "fast"], /--latencies/],
    [["--backends", "file,gs"], /no "gs", only file, s3, postgres, journal/],
    [["--backends", "s3,journal"], /s3 needs file/],
    [["--engine-log", "maybe"], /no "maybe", only on, off/],
    [["--plan", "medium"], /no "medium", only short, long/],
    [["--plan", "long", "--sizes", "10"], /cannot be combined with --sizes/],
    [["--continue", "--rounds", "1"], /takes no other flags/],
  ])("refuse %j", (args, message) => {
    expect(() => parseCommandLine(args)).toThrow(message);
  });
});

describe.each(Object.entries(plans))("the plan %s", (_, plan) => {
  test("has each size and latency once, so that all that is comparable takes turns", () => {
    const groups = plan.map(({ size, latencyMilliseconds }) => `${size} at ${latencyMilliseconds} ms`);
    expect(groups).toEqual([...new Set(groups)]);
  });
  test("has each entrant once, on what its contender supports", () => {
    for (const { entrants } of plan) {
      expect(entrants.map(entrantName)).toEqual([...new Set(entrants.map(entrantName))]);
      for (const { contender, backend, engineLog } of entrants) {
        expect(contenderNamed(contender).backends).toContain(backend);
        expect(contenderNamed(contender).engineLogs).toContain(engineLog);
      }
    }
  });
});
