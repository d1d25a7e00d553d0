import { describe, expect, test } from "vitest";
import { failureKinds } from "../../../src/emulator/entities/run.ts";
import { requestsOf } from "../passing-time.ts";
import { keptOf, operation, syncStage } from "./sync-stage.ts";

const listRequests = /^\/v2\/tenants\/\d+\/runs$/;

/** A response of the platform to the list of runs. */
const listing = (runs: unknown, status = 200) => ({
  kind: "status" as const,
  status,
  body: runs,
  times: 1000,
  match: { path: "/runs$" },
});

describe.each(failureKinds)("a run that ended with Failed (%s)", (failed) => {
  test.concurrent.each(["listed", "other-ids"] as const)("fails the up at once, runs are %s", async (runsList) => {
    await using on = await syncStage({ runs: { outcome: "fail", failed } }, { variants: { runsList } });
    const { state, message } = await keptOf(operation(on).create(on.inputs));
    expect(state).toMatchObject({ status: `Failed (${failed})`, outcome: "failed" });
    expect(state.secondsWaited).toBeLessThan(60);
    expect(message).toMatch(new RegExp(`failed with status "Failed \\(${failed}\\)" \\(.+\\) after`));
    expect(message).toMatch(/Its log: GET \/v2\/runs\/7001\/log/);
  });
});

test.concurrent("without the list of runs, the trigger's status tells the outcome, and the list is asked for once", async () => {
  await using on = await syncStage({}, { variants: { runsList: "missing" } });
  const { state } = await operation(on).create(on.inputs);
  expect(state).toMatchObject({ status: "succeeded", outcome: "succeeded" });
  expect(requestsOf(on, "GET", listRequests)).toHaveLength(1);
});

test.concurrent("a run with an end and an unknown word fails the up at once, with or without the list", async () => {
  for (const runsList of ["listed", "missing"] as const) {
    await using on = await syncStage({}, { variants: { runsList, statusWords: "processed" } });
    const { state, message } = await keptOf(operation(on).create(on.inputs));
    expect(state).toMatchObject({ status: "Processed", outcome: "unknown" });
    expect(state.secondsWaited).toBeLessThan(60);
    expect(message).toMatch(
      /has ended: it has the status "Processed", which is in no list.*add it to succeededStatuses/,
    );
  }
});

test.concurrent("a run that the platform should have ended long ago is reported as hanging", async () => {
  await using on = await syncStage({ runs: { takes_seconds: 600 } });
  const since = "2020-01-01T00:00:00Z";
  const triggers = [4_815_162_342_001, 4_815_162_342_002].map((id) => ({
    id,
    created_date: since,
    mode: "x",
    source: "y",
  }));
  on.emulator.fault(listing([{ id: 7, mode: "webhook", status: { phase: "Running", startTime: since }, triggers }]));
  const { state, message } = await keptOf(operation(on).create(on.inputs));
  expect(state.outcome).toBe("unknown");
  expect(message).toMatch(/hangs: run 7 began at 2020-.*ends runs after ten minutes/);
});

test.concurrent("the outcome of a run that began before the request is not that of the sync", async () => {
  await using on = await syncStage();
  const [began, ended] = ["2020-01-01T00:00:00Z", "2020-01-01T00:00:09Z"];
  const status = { phase: "Failed (Refresh)", startTime: began, completionTime: ended };
  on.emulator.fault(listing([{ id: 6, mode: "normal", status, triggers: [] }]));
  const { state } = await operation(on).create(on.inputs);
  expect(state).toMatchObject({ status: "succeeded", outcome: "succeeded" });
});
