import { describe, expect, test } from "vitest";
import { unknownValue } from "../../../src/json/unknown.ts";
import { IncompleteError } from "../../../src/resources/lifecycle.ts";
import { fastStage, requestsOf } from "../passing-time.ts";
import { failureOf, type Stage } from "../stage.ts";
import { addRelease, asked, inputs, operation, releaseIds } from "./build-stage.ts";

/** The state after an `up` that timed out while it waited for a build. */
async function underWay(on: Stage, timeoutSeconds = 0.1) {
  const failure = await failureOf(operation(on).create({ ...inputs, timeoutSeconds }));
  if (!(failure instanceof IncompleteError)) throw failure;
  return { id: failure.id, state: { ...inputs, timeoutSeconds }, kept: failure.state, message: failure.message };
}

test.concurrent("polls less and less often while it waits", async () => {
  await using on = await fastStage({ variants: { builds: "never" } });
  await underWay(on, 3);
  const lists = requestsOf(on, "GET", /releases$/).length;
  expect(lists).toBeGreaterThan(2);
  expect(lists).toBeLessThan(8);
});

describe("a build whose release does not appear before the timeout", () => {
  test.concurrent("is stored without a release, and the error says that the next up continues to wait", async () => {
    await using on = await fastStage({ variants: { builds: "never" } });
    const { id, kept, state, message } = await underWay(on);
    expect(id).toBe("101/v1.2.0");
    expect(kept).toEqual(state);
    expect(message).toMatch(/build "v1.2.0".*POST \/v2\/sourcecontrol\/build.*The next up waits on/);
  });

  test.concurrent("makes diff report a change even though no input has changed", async () => {
    await using on = await fastStage({ variants: { builds: "never" } });
    const { id, state } = await underWay(on);
    const difference = await operation(on).diff(id, state, state);
    expect(difference).toMatchObject({ isChanged: false, replaces: [], isUnfinished: true });
  });

  test.concurrent("is not replaced by a build of another branch, whose release has the same tag", async () => {
    await using on = await fastStage({ variants: { builds: "slow" } });
    const { id, state } = await underWay(on);
    const corrected = { ...state, branch: "release/1.2" };
    expect((await failureOf(operation(on).diff(id, state, corrected))).message).toMatch(
      /^build "v1.2.0" of integration 101 was requested from the integration's tracking branch, and .*Declare another tag/,
    );
    expect((await failureOf(operation(on).diff(id, corrected, state))).message).toContain('branch "release/1.2"');
  });

  test.concurrent.each<[string, object, string[]]>([
    ["another tag", { tag: "v1.2.1", branch: "release/1.2" }, ["tag", "branch"]],
    ["another integration", { integrationId: 102, branch: "release/1.2" }, ["integrationId", "branch"]],
    ["a tag that is not known yet, and another branch", { tag: unknownValue, branch: "release/1.2" }, ["branch"]],
  ])("is replaced by a build of %s", async (_, change, replaces) => {
    await using on = await fastStage({ variants: { builds: "never" } });
    const { id, state } = await underWay(on);
    const { replaces: replaced } = await operation(on).diff(id, state, { ...state, ...change });
    expect(replaced?.toSorted()).toEqual(replaces.toSorted());
  });

  test.concurrent("is not replaced as long as the branch is not known", async () => {
    await using on = await fastStage({ variants: { builds: "never" } });
    const { id, state } = await underWay(on);
    const difference = await operation(on).diff(id, state, { ...state, branch: unknownValue });
    expect(difference).toMatchObject({ isChanged: true, replaces: [] });
  });

  test.concurrent("makes the next up continue to wait without a second request", async () => {
    await using on = await fastStage({ variants: { builds: "slow" } });
    const { id, state } = await underWay(on);
    const done = await operation(on).update(id, state, inputs);
    expect([done.releaseId]).toEqual(await releaseIds(on, "v1.2.0"));
    expect(done).not.toHaveProperty("timeoutSeconds");
    expect(asked(on)).toHaveLength(1);
    expect((await operation(on).diff(id, done, inputs)).isUnfinished).toBe(false);
  });

  test.concurrent("stays pending as long as it takes", async () => {
    await using on = await fastStage({ variants: { builds: "never" } });
    const { id, state } = await underWay(on);
    expect(await operation(on).read(id, state)).toEqual({ inputs: state, state });
    expect(await failureOf(operation(on).update(id, state, state))).toBeInstanceOf(IncompleteError);
    expect(asked(on)).toHaveLength(1);
  });

  test.concurrent("gets its release from a refresh once it exists", async () => {
    await using on = await fastStage({ variants: { builds: "never" } });
    const { id, state } = await underWay(on);
    await addRelease(on, { name: "by hand", tag: "v1.2.0", config_version: "7" });
    const found = await operation(on).read(id, state);
    expect(found?.inputs).toEqual(state);
    expect(found?.state).toMatchObject({ releaseName: "by hand", configVersion: "7" });
  });

  test.concurrent("is also stored if the platform fails during the wait", async () => {
    await using on = await fastStage({ variants: { builds: "slow" } });
    on.emulator.fault({
      kind: "status",
      status: 403,
      skip: 1,
      times: 100,
      match: { method: "GET", path: "/releases$" },
    });
    const failure = await failureOf(operation(on).create(inputs));
    expect(failure).toBeInstanceOf(IncompleteError);
    expect(failure.message).toMatch(/GET .*releases.*403/);
    expect(asked(on)).toHaveLength(1);
  });

  test.concurrent("is removed from the state without a warning when it is deleted", async () => {
    await using on = await fastStage({ variants: { builds: "never" } });
    const { id, state } = await underWay(on);
    await operation(on).delete(id, state);
    expect(on.warnings).toEqual([]);
  });
});
