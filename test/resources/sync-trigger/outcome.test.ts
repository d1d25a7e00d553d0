import { describe, expect, test } from "vitest";
import type { Variants } from "../../../src/emulator/index.ts";
import { outcomeOf } from "../../../src/operation/run-outcome.ts";
import { ownRunWords } from "../../own-run-words.ts";
import { requestsOf } from "../passing-time.ts";
import { asked, failing, keptOf, operation, syncStage } from "./sync-stage.ts";

/** Another word for a run's status, from the first status on. */
const saying = (status: string) => ({
  kind: "status" as const,
  status: 200,
  body: { status },
  times: 1000,
  match: { path: "/status$" },
});

describe.each<[Variants["statusWords"], string, string]>([
  ["plain", "succeeded", "Failed (Integration Issue)"],
  ["capitalized", "Succeeded", "Failed"],
  ["queue", "success", "failure"],
  ["mixed", "Done", "FAILED"],
])("in the words of a platform that is %s", (statusWords, succeeded, failed) => {
  test.concurrent("a successful run counts as succeeded", async () => {
    await using on = await syncStage({}, { variants: { statusWords } });
    const { state } = await operation(on).create(on.inputs);
    expect(state).toMatchObject({ status: succeeded, outcome: "succeeded" });
  });

  test.concurrent("a failed run counts as failed", async () => {
    await using on = await syncStage(failing, { variants: { statusWords } });
    const { state } = await keptOf(operation(on).create(on.inputs));
    expect(state).toMatchObject({ status: failed, outcome: "failed" });
  });
});

describe("an unknown status word", () => {
  test.concurrent("is polled until the deadline, and then the outcome is unknown, never success", async () => {
    await using on = await syncStage({ runs: { takes_seconds: 600 } });
    on.emulator.fault(saying("hydrated"));
    const { state, message } = await keptOf(operation(on).create({ ...on.inputs, timeoutSeconds: 0.7 }));
    expect(state).toMatchObject({ status: "hydrated", outcome: "unknown" });
    expect(message).toMatch(/has the status "hydrated", which is in no list.*add it to succeededStatuses/);
    expect(requestsOf(on, "GET", /\/status$/).length).toBeGreaterThan(1);
  });

  test.concurrent("is only recorded if failOnError is false", async () => {
    await using on = await syncStage({ runs: { takes_seconds: 600 } });
    on.emulator.fault(saying("hydrated"));
    const { state } = await operation(on).create({ ...on.inputs, timeoutSeconds: 0.1, failOnError: false });
    expect(state).toMatchObject({ status: "hydrated", outcome: "unknown" });
  });

  test.concurrent("has the meaning that the program declares", async () => {
    await using on = await syncStage({}, { variants: { runsList: "missing" } });
    on.emulator.fault(saying("All Hydrated"));
    const { create } = operation(on);
    const { state } = await create({ ...on.inputs, succeededStatuses: ["all-hydrated"] });
    expect(state).toMatchObject({ status: "All Hydrated", outcome: "succeeded" });
    const { state: other } = await keptOf(create({ ...on.inputs, failedStatuses: ["ALL_HYDRATED"] }));
    expect(other.outcome).toBe("failed");
  });

  test.concurrent("needs no further sync once the program declares that it means success", async () => {
    await using on = await syncStage({ runs: { takes_seconds: 600 } });
    on.emulator.fault(saying("hydrated"));
    const { id, state } = await keptOf(operation(on).create({ ...on.inputs, timeoutSeconds: 0.1 }));
    const now = { ...on.inputs, succeededStatuses: ["hydrated"] };
    expect(await operation(on).diff(id, state, now)).toEqual({ isChanged: true, isUnfinished: false });
    expect(await operation(on).update(id, state, now)).toMatchObject({ triggerId: id, outcome: "succeeded" });
    expect(asked(on)).toHaveLength(1);
  });
});

describe("the words of the stack's config, on a platform with words of its own,", () => {
  const variants = { statusWords: "processed" } as const;
  const knowing = { runWords: ownRunWords };

  test.concurrent("mean success and failure", async () => {
    await using succeeding = await syncStage({}, { variants });
    const { state } = await operation(succeeding, knowing).create(succeeding.inputs);
    expect(state).toEqual({
      ...succeeding.inputs,
      triggerId: expect.any(String),
      secondsWaited: expect.any(Number),
      status: "Processed",
      outcome: "succeeded",
    });
    await using on = await syncStage(failing, { variants });
    const { state: failed } = await keptOf(operation(on, knowing).create(on.inputs));
    expect(failed).toMatchObject({ status: "Broken", outcome: "failed" });
  });

  test.concurrent("yield to those of the sync", async () => {
    await using on = await syncStage({}, { variants });
    const inputs = { ...on.inputs, failedStatuses: ["processed"] };
    expect((await keptOf(operation(on, knowing).create(inputs))).state.outcome).toBe("failed");
  });

  test.concurrent("give a sync with an unknown status an outcome, without another sync", async () => {
    await using on = await syncStage({}, { variants });
    const { id, state } = await keptOf(operation(on).create({ ...on.inputs, timeoutSeconds: 1 }));
    expect(state).toMatchObject({ status: "Processed", outcome: "unknown" });
    const inputs = { ...on.inputs, timeoutSeconds: 1 };
    const now = operation(on, knowing);
    expect(await now.diff(id, state, inputs)).toEqual({ isChanged: false, isUnfinished: true });
    const updated = await now.update(id, state, inputs);
    expect(updated).toMatchObject({ triggerId: id, outcome: "succeeded" });
    expect(await now.diff(id, updated, inputs)).toEqual({ isChanged: false, isUnfinished: false });
    expect(asked(on)).toHaveLength(1);
  });
});

test.concurrent("a run without a status at the deadline has an unknown outcome too", async () => {
  await using on = await syncStage();
  on.emulator.fault({ kind: "status", status: 404, times: 1000, match: { path: "/status$" } });
  const { state, message } = await keptOf(operation(on).create({ ...on.inputs, timeoutSeconds: 0.1 }));
  expect(state.outcome).toBe("unknown");
  expect(state).not.toHaveProperty("status");
  expect(message).toMatch(/has no status yet/);
  expect(message).not.toContain("succeededStatuses");
});

test.concurrent("the error names a run that has not ended at the deadline by its id", async () => {
  await using on = await syncStage({ runs: { takes_seconds: 600 } });
  const { message } = await keptOf(operation(on).create({ ...on.inputs, timeoutSeconds: 1.5 }));
  expect(message).toMatch(/the status "running", which is in no list.*GET \/v2\/runs\/\d+\/log/);
});

describe("status words", () => {
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
  ])("%j means %s", (word, outcome) => {
    expect(outcomeOf(word, {})).toBe(outcome);
  });

  test("the program's failure words take precedence over its success words, and both over the built-in words", () => {
    expect(outcomeOf("done", { failedStatuses: ["done"], succeededStatuses: ["done"] })).toBe("failed");
    expect(outcomeOf("failed", { succeededStatuses: ["Failed"] })).toBe("succeeded");
    expect(outcomeOf("done", { failedStatuses: ["done"] })).toBe("failed");
  });
});
