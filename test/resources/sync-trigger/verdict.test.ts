import { describe, expect, test } from "vitest";
import type { Variants } from "../../../src/emulator/index.ts";
import { verdictOf } from "../../../src/resources/sync-trigger/verdict.ts";
import { requestsOf } from "../passing-time.ts";
import { asked, failing, keptOf, operation, syncStage } from "./sync-stage.ts";

/** Another word for where a run stands, from the first status on. */
const saying = (status: string) => ({
  kind: "status" as const,
  status: 200,
  body: { status },
  times: 1000,
  match: { path: "/status$" },
});

describe.each<[Variants["statusWords"], string, string]>([
  ["plain", "succeeded", "failed"],
  ["capitalized", "Succeeded", "Failed"],
  ["queue", "success", "failure"],
  ["mixed", "Done", "FAILED"],
])("in the words of a platform that is %s", (statusWords, succeeded, failed) => {
  test.concurrent("a run that succeeds has succeeded", async () => {
    await using on = await syncStage({}, { variants: { statusWords } });
    const { state } = await operation(on).create(on.inputs);
    expect(state).toMatchObject({ status: succeeded, verdict: "succeeded" });
  });

  test.concurrent("a run that fails has failed", async () => {
    await using on = await syncStage(failing, { variants: { statusWords } });
    const { state } = await keptOf(operation(on).create(on.inputs));
    expect(state).toMatchObject({ status: failed, verdict: "failed" });
  });
});

describe("a word that nobody knows", () => {
  test.concurrent("is waited on until the deadline, and then unknown, never success", async () => {
    await using on = await syncStage();
    on.emulator.fault(saying("hydrated"));
    const { state, message } = await keptOf(operation(on).create({ ...on.inputs, timeoutSeconds: 0.7 }));
    expect(state).toMatchObject({ status: "hydrated", verdict: "unknown" });
    expect(message).toMatch(/has the status "hydrated", which is in no list.*add it to succeededStatuses/);
    expect(requestsOf(on, "GET", /\/status$/).length).toBeGreaterThan(1);
  });

  test.concurrent("is recorded where the up is not to fail", async () => {
    await using on = await syncStage();
    on.emulator.fault(saying("hydrated"));
    const { state } = await operation(on).create({ ...on.inputs, timeoutSeconds: 0.1, failOnError: false });
    expect(state).toMatchObject({ status: "hydrated", verdict: "unknown" });
  });

  test.concurrent("means what the program says", async () => {
    await using on = await syncStage();
    on.emulator.fault(saying("All Hydrated"));
    const { create } = operation(on);
    const { state } = await create({ ...on.inputs, succeededStatuses: ["all-hydrated"] });
    expect(state).toMatchObject({ status: "All Hydrated", verdict: "succeeded" });
    const { state: other } = await keptOf(create({ ...on.inputs, failedStatuses: ["ALL_HYDRATED"] }));
    expect(other.verdict).toBe("failed");
  });

  test.concurrent("that means success after all, as the program says now, needs no other sync", async () => {
    await using on = await syncStage();
    on.emulator.fault(saying("hydrated"));
    const { id, state } = await keptOf(operation(on).create({ ...on.inputs, timeoutSeconds: 0.1 }));
    const now = { ...on.inputs, succeededStatuses: ["hydrated"] };
    expect(await operation(on).diff(id, state, now)).toEqual({ isChanged: true, isUnfinished: false });
    expect(await operation(on).update(id, state, now)).toMatchObject({ triggerId: id, verdict: "succeeded" });
    expect(asked(on)).toHaveLength(1);
  });
});

test.concurrent("no status at all until the deadline is unknown as well", async () => {
  await using on = await syncStage();
  on.emulator.fault({ kind: "status", status: 404, times: 1000, match: { path: "/status$" } });
  const { state, message } = await keptOf(operation(on).create({ ...on.inputs, timeoutSeconds: 0.1 }));
  expect(state.verdict).toBe("unknown");
  expect(state).not.toHaveProperty("status");
  expect(message).toMatch(/has no status yet/);
  expect(message).not.toContain("succeededStatuses");
});

test.concurrent("a run that is not over at the deadline is named by its id", async () => {
  await using on = await syncStage({ runs: { takes_seconds: 600 } });
  const { message } = await keptOf(operation(on).create({ ...on.inputs, timeoutSeconds: 1.5 }));
  expect(message).toMatch(/the status "running", which is in no list.*GET \/v2\/runs\/\d+\/log/);
});

describe("words", () => {
  test.each([
    ["Succeeded", "succeeded"],
    ["COMPLETED", "succeeded"],
    ["ok", "succeeded"],
    ["Timed-Out", "failed"],
    ["timed_out", "failed"],
    ["cancelled", "failed"],
    ["Error", "failed"],
    ["running", undefined],
    ["pending", undefined],
    ["succeeded with errors", undefined],
    ["not done", undefined],
    ["", undefined],
  ])("%j means %s", (word, verdict) => {
    expect(verdictOf(word, {})).toBe(verdict);
  });

  test("the program's failures outrank its successes, and both outrank the usual words", () => {
    expect(verdictOf("done", { failedStatuses: ["done"], succeededStatuses: ["done"] })).toBe("failed");
    expect(verdictOf("failed", { succeededStatuses: ["Failed"] })).toBe("succeeded");
    expect(verdictOf("done", { failedStatuses: ["done"] })).toBe("failed");
  });
});
