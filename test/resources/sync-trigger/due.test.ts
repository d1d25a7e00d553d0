import { describe, expect, test } from "vitest";
import { unknownValue } from "../../../src/json/unknown.ts";
import type { SyncTriggerState } from "../../../src/resources/sync-trigger/schema.ts";
import { asked, connect, failing, keptOf, operation, syncStage, unconnected } from "./sync-stage.ts";

const done = { triggerId: "t-1", status: "succeeded", outcome: "succeeded", secondsWaited: 3 } as const;

describe("a sync that has succeeded", () => {
  test.concurrent.each<[string, object]>([
    ["mode", { mode: "normal" }],
    ["payload", { payload: { all: true } }],
    ["trigger", { triggers: { version: 2 } }],
  ])("is due again with another %s", async (_, change) => {
    await using on = await syncStage();
    const state: SyncTriggerState = { ...on.inputs, triggers: { version: 1 }, ...done };
    const now = { ...on.inputs, triggers: { version: 1 }, ...change };
    expect(await operation(on).diff("id", state, now)).toMatchObject({ isChanged: true });
    const updated = await operation(on).update("id", state, now);
    expect(updated).toMatchObject({ ...now, outcome: "succeeded" });
    expect(updated.triggerId).not.toBe("t-1");
    expect(asked(on)).toHaveLength(1);
  });

  test.concurrent("is due again for another tenant", async () => {
    await using on = await syncStage();
    const other = await on.add({ integration: "crm-to-billing", name: "other" });
    on.emulator.clearRequests();
    await operation(on).update("id", { ...on.inputs, ...done }, { ...on.inputs, tenantId: other });
    expect(asked(on)).toMatchObject([{ path: `/v2/tenants/${other}/sync` }]);
  });

  test.concurrent.each<[string, object]>([
    ["nothing", {}],
    ["the options for waiting", { wait: false, timeoutSeconds: 5 }],
    ["the status words", { succeededStatuses: ["fine"], failedStatuses: ["succeeded"] }],
    ["the options for failures", { failOnError: false, whenUnconnected: "fail" }],
  ])("is not due again where %s changes", async (_, change) => {
    await using on = await syncStage();
    const state: SyncTriggerState = { ...on.inputs, ...done };
    const now = { ...on.inputs, ...change };
    const isChanged = Object.keys(change).length > 0;
    expect(await operation(on).diff("id", state, now)).toEqual({ isChanged, isUnfinished: false });
    expect(await operation(on).update("id", state, now)).toEqual({ ...now, ...done });
    expect(asked(on)).toEqual([]);
  });

  test.concurrent("may be due if an input is unknown", async () => {
    await using on = await syncStage();
    const now = { ...on.inputs, triggers: { version: unknownValue } };
    expect(await operation(on).diff("id", { ...on.inputs, ...done }, now)).toEqual({ isChanged: true });
  });

  test.concurrent("shows no drift, whatever happens to the tenant", async () => {
    await using on = await syncStage();
    const state: SyncTriggerState = { ...on.inputs, ...done };
    await on.changeByHand(on.tenantId, { archived: true });
    expect(await operation(on).read("id", state)).toEqual({ inputs: on.inputs, state });
  });
});

describe("a sync that has failed", () => {
  test.concurrent("is due in the next up even though no input has changed", async () => {
    await using on = await syncStage(failing);
    const { id, state } = await keptOf(operation(on).create(on.inputs));
    expect(await operation(on).diff(id, state, on.inputs)).toEqual({ isChanged: false, isUnfinished: true });
    await on.changeByHand(on.tenantId, { runs: { outcome: "succeed" } });
    const updated = await operation(on).update(id, state, on.inputs);
    expect(updated.outcome).toBe("succeeded");
    expect(updated.triggerId).not.toBe(id);
    expect(asked(on)).toHaveLength(2);
    expect((await operation(on).diff(id, updated, on.inputs)).isUnfinished).toBe(false);
  });

  test.concurrent("keeps its id when it fails again", async () => {
    await using on = await syncStage(failing);
    const first = await keptOf(operation(on).create(on.inputs));
    const second = await keptOf(operation(on).update(first.id, first.state, on.inputs));
    expect(second.id).toBe(first.id);
    expect(second.state.triggerId).not.toBe(first.state.triggerId);
  });

  test.concurrent("is not due while failOnError is false, and is due once it is true", async () => {
    await using on = await syncStage(failing);
    const recording = { ...on.inputs, failOnError: false };
    const { id, state } = await operation(on).create(recording);
    expect((await operation(on).diff(id, state, recording)).isUnfinished).toBe(false);
    expect((await operation(on).diff(id, state, on.inputs)).isUnfinished).toBe(true);
    expect((await keptOf(operation(on).update(id, state, on.inputs))).state.outcome).toBe("failed");
  });

  test.concurrent("requests nothing if failOnError becomes false", async () => {
    await using on = await syncStage(failing);
    const { id, state } = await keptOf(operation(on).create(on.inputs));
    await operation(on).update(id, state, { ...on.inputs, failOnError: false });
    expect(asked(on)).toHaveLength(1);
  });
});

describe("a sync whose outcome is unknown", () => {
  const refusing = { kind: "status", status: 403, match: { path: "/status$" } } as const;
  const silent = { kind: "status", status: 404, times: 1000, match: { path: "/status$" } } as const;

  test.concurrent("because the wait was interrupted is waited for, and not requested again", async () => {
    await using on = await syncStage();
    on.emulator.fault(refusing);
    const { id, state } = await keptOf(operation(on).create(on.inputs));
    expect(await operation(on).diff(id, state, on.inputs)).toEqual({ isChanged: false, isUnfinished: true });
    const updated = await operation(on).update(id, state, on.inputs);
    expect(updated).toEqual({
      ...on.inputs,
      triggerId: id,
      status: "succeeded",
      outcome: "succeeded",
      secondsWaited: expect.any(Number),
    });
    expect(asked(on)).toHaveLength(1);
    expect((await operation(on).diff(id, updated, on.inputs)).isUnfinished).toBe(false);
  });

  test.concurrent("is waited for again if this wait is interrupted too", async () => {
    await using on = await syncStage();
    on.emulator.fault({ ...refusing, times: 2 });
    const { id, state } = await keptOf(operation(on).create({ ...on.inputs, timeoutSeconds: 100 }));
    const again = await keptOf(operation(on).update(id, state, on.inputs));
    expect(again).toMatchObject({ id, state: { ...on.inputs, triggerId: id, outcome: "unknown" } });
    expect(again.state).not.toHaveProperty("timeoutSeconds");
    expect((await operation(on).update(id, again.state, on.inputs)).triggerId).toBe(id);
    expect(asked(on)).toHaveLength(1);
  });

  test.concurrent("and whose run then fails fails the up, and the next one requests it again", async () => {
    await using on = await syncStage(failing);
    on.emulator.fault(refusing);
    const { id, state } = await keptOf(operation(on).create(on.inputs));
    const { state: failed, message } = await keptOf(operation(on).update(id, state, on.inputs));
    expect(failed).toMatchObject({ triggerId: id, outcome: "failed" });
    expect(message).toMatch(/failed with status "Failed \(Integration Issue\)".*The next up tries again/);
    await keptOf(operation(on).update(id, failed, on.inputs));
    expect(asked(on)).toHaveLength(2);
  });

  test.concurrent("is requested again if its target, mode or payload changes", async () => {
    await using on = await syncStage();
    on.emulator.fault(refusing);
    const { id, state } = await keptOf(operation(on).create(on.inputs));
    expect((await operation(on).update(id, state, { ...on.inputs, mode: "normal" })).triggerId).not.toBe(id);
    expect(asked(on)).toHaveLength(2);
  });

  test.concurrent("stays requested without a wait if wait becomes false", async () => {
    await using on = await syncStage();
    on.emulator.fault(refusing);
    const { id, state } = await keptOf(operation(on).create(on.inputs));
    const now = { ...on.inputs, wait: false };
    expect(await operation(on).update(id, state, now)).toEqual({ ...now, triggerId: id, outcome: "requested" });
    expect(asked(on)).toHaveLength(1);
  });

  test.concurrent("after the timeout is due, and is not requested again if its run has succeeded by then", async () => {
    await using on = await syncStage();
    const inputs = { ...on.inputs, timeoutSeconds: 0.1 };
    on.emulator.fault(silent);
    const { id, state } = await keptOf(operation(on).create(inputs));
    expect(await operation(on).diff(id, state, inputs)).toEqual({ isChanged: false, isUnfinished: true });
    on.emulator.clearFaults();
    await on.emulator.advance({ seconds: 60 });
    expect(await operation(on).update(id, state, inputs)).toMatchObject({ triggerId: id, outcome: "succeeded" });
    expect(asked(on)).toHaveLength(1);
  });

  test.concurrent("after the timeout is requested again if it still has no outcome", async () => {
    await using on = await syncStage();
    on.emulator.fault(silent);
    const { id, state } = await keptOf(operation(on).create({ ...on.inputs, timeoutSeconds: 0.1 }));
    on.emulator.clearFaults();
    on.emulator.fault({ ...silent, times: 1 });
    const updated = await operation(on).update(id, state, on.inputs);
    expect(updated).toMatchObject({ outcome: "succeeded" });
    expect(updated.triggerId).not.toBe(id);
    expect(asked(on)).toHaveLength(2);
  });

  test.concurrent("gets its outcome while failOnError is false, without another request", async () => {
    await using on = await syncStage(failing);
    const recording = { ...on.inputs, failOnError: false, timeoutSeconds: 0.1 };
    on.emulator.fault(silent);
    const { id, state } = await operation(on).create(recording);
    expect(state.outcome).toBe("unknown");
    expect((await operation(on).diff(id, state, recording)).isUnfinished).toBe(true);
    const unknown = await operation(on).update(id, state, recording);
    expect(unknown).toMatchObject({ triggerId: id, outcome: "unknown" });
    on.emulator.clearFaults();
    await on.emulator.advance({ seconds: 60 });
    const known = await operation(on).update(id, unknown, recording);
    expect(known).toMatchObject({ triggerId: id, outcome: "failed" });
    expect((await operation(on).diff(id, known, recording)).isUnfinished).toBe(false);
    expect(asked(on)).toHaveLength(1);
  });

  test.concurrent("of a trigger that the platform has forgotten is not asked for again", async () => {
    await using on = await syncStage(failing);
    const recording = { ...on.inputs, failOnError: false, timeoutSeconds: 0.1 };
    on.emulator.fault({ ...silent, times: 9 });
    const { id, state } = await operation(on).create(recording);
    on.emulator.clearFaults();
    on.emulator.fault({ kind: "status", status: 410, match: { path: "/status$" }, times: 99 });
    const forgotten = await operation(on).update(id, state, recording);
    expect(forgotten).toEqual({ ...recording, outcome: "unknown" });
    expect((await operation(on).diff(id, forgotten, recording)).isUnfinished).toBe(false);
    expect(asked(on)).toHaveLength(1);
  });
});

describe("a sync that was skipped", () => {
  test.concurrent("is not due while the tenant is not connected", async () => {
    await using on = await syncStage(unconnected);
    const { id, state } = await operation(on).create(on.inputs);
    expect(await operation(on).diff(id, state, on.inputs)).toEqual({ isChanged: false, isUnfinished: false });
  });

  test.concurrent("is due once the tenant is connected", async () => {
    await using on = await syncStage(unconnected);
    const { id, state } = await operation(on).create(on.inputs);
    await connect(on);
    expect(await operation(on).diff(id, state, on.inputs)).toEqual({ isChanged: false, isUnfinished: true });
    expect(await operation(on).update(id, state, on.inputs)).toMatchObject({
      outcome: "succeeded",
      status: "succeeded",
    });
    expect(asked(on)).toHaveLength(1);
  });

  test.concurrent("fails if whenUnconnected becomes fail", async () => {
    await using on = await syncStage(unconnected);
    const { id, state } = await operation(on).create(on.inputs);
    const now = { ...on.inputs, whenUnconnected: "fail" as const };
    await expect(operation(on).update(id, state, now)).rejects.toThrow('tenant "acme" is not connected');
  });
});

test.concurrent("delete sends no request and no warning", async () => {
  await using on = await syncStage();
  await operation(on).delete("id", { ...on.inputs, ...done });
  expect(on.emulator.requests()).toEqual([]);
  expect(on.warnings).toEqual([]);
});

describe("check", () => {
  test("refuses a payload with a number that JSON cannot hold", async () => {
    await using on = await syncStage();
    const payload = { since: Date.parse("no date") };
    expect(await operation(on).check({ mode: "init", tenantId: 1, payload }, undefined)).toEqual([
      {
        property: "payload.since",
        reason: "is a number that JSON cannot hold (NaN or infinite): null would be sent in its place",
      },
    ]);
  });

  test.each<[string, object, string, RegExp]>([
    ["no tenant to sync", { mode: "init" }, "tenantId", /either tenantId, or integrationId and userName/],
    [
      "a user without an integration",
      { mode: "init", userName: "x" },
      "tenantId",
      /either tenantId, or integrationId and userName/,
    ],
    [
      "two ways at once",
      { mode: "init", tenantId: 1, integrationId: 2, userName: "x" },
      "tenantId",
      /either tenantId, or integrationId and userName/,
    ],
    [
      "half of another way",
      { mode: "init", tenantId: 1, integrationId: 2 },
      "tenantId",
      /either tenantId, or integrationId and userName/,
    ],
    ["another mode", { mode: "full", tenantId: 1 }, "mode", /"init" or "normal"/],
    ["a misspelt input", { mode: "init", tenantId: 1, trigers: {} }, "trigers", /did you mean "triggers"/],
    [
      "status words that are no list",
      { mode: "init", tenantId: 1, failedStatuses: "bad" },
      "failedStatuses",
      /list of status/,
    ],
  ])("tells of %s", async (_, wrong, property, reason) => {
    await using on = await syncStage();
    expect(await operation(on).check(wrong, undefined)).toEqual([{ property, reason: expect.stringMatching(reason) }]);
  });

  test.each<[string, object]>([
    ["a tenant", { mode: "init", tenantId: 1 }],
    ["a tenant that is not known yet", { mode: "init", tenantId: unknownValue }],
    ["a user", { mode: "normal", integrationId: 101, userName: "x" }],
    ["triggers that are not known yet", { mode: "init", tenantId: 1, triggers: unknownValue }],
  ])("lets %s pass", async (_, right) => {
    await using on = await syncStage();
    expect(await operation(on).check(right, undefined)).toEqual([]);
  });
});
