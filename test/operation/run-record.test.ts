import { afterEach, describe, expect, test, vi } from "vitest";
import type { JsonObject } from "../../src/json/json-value.ts";
import { runFacts } from "../../src/operation/run-record.ts";

test.each<JsonObject>([{}, { id: null, status: "" }, { id: null, status: { phase: null }, triggers: [] }])(
  "a run that is not there has no facts: %j",
  (run) => {
    expect(runFacts(run)).toBeUndefined();
  },
);

test.each<[JsonObject, object]>([
  [
    { id: 7, status: "succeeded", ended_at: "2026-03-01T10:00:00Z" },
    { id: 7, outcome: "succeeded", endedAt: "2026-03-01T10:00:00.000Z" },
  ],
  [
    { run_id: "r-7", state: "FAILED" },
    { id: "r-7", outcome: "failed", status: "FAILED" },
  ],
  [
    { status: { phase: "Done", completionTime: "2026-03-01T10:00:00+02:00" } },
    { outcome: "succeeded", endedAt: "2026-03-01T08:00:00.000Z" },
  ],
  [
    { status: { phase: "Running", startTime: "2026-03-01T10:00:00Z" } },
    { status: "Running", startedAt: "2026-03-01T10:00:00.000Z" },
  ],
  [
    { state: "completed", result: "error" },
    { outcome: "failed", status: "error" },
  ],
  [
    { started: 1_772_359_200, finishedAt: 1_772_359_260_000 },
    { startedAt: "2026-03-01T10:00:00.000Z", endedAt: "2026-03-01T10:01:00.000Z" },
  ],
  [{ status: "hydrating", end_time: null, started_at: "" }, { status: "hydrating" }],
  [{ number: 3, started_at: "yesterday", id: "" }, {}],
])("of %j the facts are %j", (run, facts) => {
  const { status, ...found } = runFacts(run) ?? {};
  expect({ status, ...found }).toMatchObject(facts);
  expect(Object.keys(found).sort()).toEqual(
    Object.keys(facts)
      .filter((key) => key !== "status")
      .sort(),
  );
});

test("words that the user has configured count before the common ones", () => {
  expect(runFacts({ status: "done" }, { failedStatuses: ["done"] })).toEqual({ outcome: "failed", status: "done" });
});

describe("a time without an offset is in UTC, whatever the time zone of this machine", () => {
  afterEach(() => void vi.unstubAllEnvs());

  test.each([
    ["2026-06-01T00:00:00.123", "2026-06-01T00:00:00.123Z"],
    ["2026-06-01T00:00:00.123456", "2026-06-01T00:00:00.123Z"],
    ["2026-06-01 00:00:00", "2026-06-01T00:00:00.000Z"],
    ["2026-06-01T00:00", "2026-06-01T00:00:00.000Z"],
    ["2026-06-01", "2026-06-01T00:00:00.000Z"],
    ["2026-06-01T00:00:00-04:00", "2026-06-01T04:00:00.000Z"],
  ])("%s", (time, startedAt) => {
    for (const zone of ["America/New_York", "Asia/Tokyo"]) {
      vi.stubEnv("TZ", zone);
      expect(runFacts({ started_at: time })).toEqual({ startedAt });
    }
  });
});
