import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../emulator/running-emulator.ts";
import type { RoundReport } from "./report.ts";
import { continuedRun, missingRounds, readRun, type SavedRun, writeRun } from "./saved-run.ts";

const now = new Date("2026-11-24T06:00:00Z");
const commit = { id: "a".repeat(40), hasChanges: false };

function round(seed: number, provider: RoundReport["provider"]): RoundReport {
  return {
    seed,
    provider,
    kind: "answers",
    variants: { pageSize: "asked" },
    tenants: 8,
    strikes: { "status 500": 1 },
    steps: [{ name: "up", code: null, repairs: 1 }],
    rollout: "done",
    requests: 5,
    explained: 0,
    searchedFiles: 1,
    webhooks: 0,
    violations: [],
    seconds: 1.5,
  };
}

const interrupted: SavedRun = {
  plan: { seeds: [1, 2], providers: ["dynamic", "native"], tenants: 8, checkpoints: "each" },
  commit,
  startedAt: "2026-11-23T06:00:00.000Z",
  continuedAt: [],
  rounds: [round(2, "dynamic"), round(1, "native")],
};

describe("a report of an interrupted run", () => {
  test("has after it is read what was written, and a summary for people", async () => {
    const path = join(temporaryDirectory(), "report.json");
    await writeRun(path, interrupted);
    expect(readRun(path)).toEqual(interrupted);
    expect(JSON.parse(readFileSync(path, "utf8")).summary).toMatchObject({ rounds: 2, rolloutEnds: { done: 2 } });
  });

  test("shows which rounds are left", () => {
    expect(missingRounds(interrupted)).toEqual([
      { seed: 1, provider: "dynamic" },
      { seed: 2, provider: "native" },
    ]);
  });

  test("is continued at the same commit, and keeps what it has", () => {
    const continued = continuedRun(interrupted, commit, now);
    expect(continued).toEqual({ ...interrupted, continuedAt: ["2026-11-24T06:00:00.000Z"] });
  });

  test.each([
    ["it tested commit a.*, and the clone is at b", commit, { ...commit, id: "b".repeat(40) }],
    ["the clone has changes that are not in its commit", commit, { ...commit, hasChanges: true }],
    ["it tested changes that are in no commit", { ...commit, hasChanges: true }, commit],
    ["the commit of this folder is unknown", commit, undefined],
  ])("is not continued if %s", (message, tested, clone) => {
    expect(() => continuedRun({ ...interrupted, commit: tested }, clone, now)).toThrow(
      new RegExp(`^cannot continue the run of 2026-11-23T06:00:00.000Z: ${message}.*Start another run`),
    );
  });

  test("is not continued if its commit is unknown", () => {
    const { commit: _, ...run } = interrupted;
    expect(() => continuedRun(run, commit, now)).toThrow("its commit is unknown");
  });

  test("is refused with the reason if it is none", () => {
    const path = join(temporaryDirectory(), "report.json");
    expect(() => readRun(path)).toThrow(`cannot read the report ${path}: ENOENT`);
    writeFileSync(path, "{");
    expect(() => readRun(path)).toThrow(`cannot read the report ${path}: `);
    writeFileSync(path, '{ "rounds": [] }');
    expect(() => readRun(path)).toThrow(`${path} is no report of --report: `);
  });
});
