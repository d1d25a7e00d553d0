import { describe, expect, test } from "vitest";
import { providerNames } from "../engine/harness/provider-under-test.ts";
import { parseCommandLine } from "./command-line.ts";

describe("the command line", () => {
  test("by default has eight rounds of 300 tenants, on each provider", () => {
    expect(parseCommandLine(["--seed", "5"])).toEqual({
      command: "play",
      plan: { seeds: [5, 6, 7, 8, 9, 10, 11, 12], providers: providerNames, tenants: 300, checkpoints: "each" },
      parallel: 1,
      report: undefined,
    });
  });

  test("takes the seeds of the wanted kinds, and where the report goes", () => {
    const args = [
      "--seed",
      "8",
      "--kinds",
      "all,answers",
      "--rounds",
      "3",
      "--provider",
      "native",
      "--report",
      "a.json",
    ];
    expect(parseCommandLine(args)).toMatchObject({
      plan: { seeds: [8, 15, 16], providers: ["native"] },
      report: "a.json",
    });
  });

  test("continues a report, with as many rounds at the same time as it is told", () => {
    expect(parseCommandLine(["--continue", "a.json", "--parallel", "3"])).toEqual({
      command: "continue",
      report: "a.json",
      parallel: 3,
    });
  });

  test.each([
    [["--continue", "a.json", "--rounds", "9"], "--rounds cannot be combined with --continue: the report has the plan"],
    [["--continue", "a.json", "--report", "b"], "--report cannot be combined with --continue: the report has the plan"],
    [["--rounds", "0"], '--rounds takes a whole number from 1 up, not "0"'],
    [["--tenants", "3"], '--tenants takes a whole number from 8 up, not "3"'],
    [["--checkpoints", "no"], '--checkpoints takes each or end, not "no"'],
    [["--provider", "go"], '--provider takes dynamic or native, not "go"'],
    [["--kinds", "answers,weather"], 'there is no kind "weather"'],
    [["--rond", "1"], "--rond"],
  ])("refuses %j", (args, message) => {
    expect(() => parseCommandLine(args)).toThrow(message);
  });
});
