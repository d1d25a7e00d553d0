import { describe, expect, test } from "vitest";
import type { FaultSpec } from "../../../src/emulator/index.ts";
import { syncTriggerLifecycle } from "../../../src/resources/sync-trigger/lifecycle.ts";
import { call } from "../../emulator/running-emulator.ts";
import { requestsOf } from "../passing-time.ts";
import { acme, brought, failureOf } from "../stage.ts";
import { asked, connect, failing, keptOf, operation, syncStage, unconnected } from "./sync-stage.ts";

test.concurrent("requests the sync once and waits until its run succeeds", async () => {
  await using on = await syncStage();
  const { id, state } = await operation(on).create(on.inputs);
  expect(asked(on)).toMatchObject([{ path: `/v2/tenants/${on.tenantId}/sync`, query: { mode: "init" } }]);
  expect(state).toEqual({
    ...on.inputs,
    triggerId: id,
    status: "succeeded",
    outcome: "succeeded",
    secondsWaited: expect.any(Number),
  });
  const { body } = await call(on.emulator, "GET", `/v2/runs/triggers/${id}/status`);
  expect(body).toEqual({ status: "succeeded" });
});

test.concurrent.each([409, 423])(
  "is requested again while the platform is busy with the tenant (%i)",
  async (status) => {
    await using on = await syncStage();
    on.emulator.fault({ kind: "status", status, match: { method: "POST", path: "/sync$" } });
    expect((await operation(on).create(on.inputs)).state.outcome).toBe("succeeded");
    expect(asked(on)).toHaveLength(2);
  },
);

test.concurrent("continues to wait after a 404", async () => {
  await using on = await syncStage();
  on.emulator.fault({ kind: "status", status: 404, times: 2, match: { path: "/status$" } });
  expect((await operation(on).create(on.inputs)).state.outcome).toBe("succeeded");
  expect(requestsOf(on, "GET", /\/status$/)).toHaveLength(3);
});

test.concurrent.each<[string, FaultSpec]>([
  ["a 503", { kind: "status", status: 503 }],
  ["a 429", { kind: "status", status: 429 }],
  ["a 404 of a server in front of the platform", { kind: "html", status: 404 }],
  ["a lost connection", { kind: "cut-before" }],
])("continues to wait after %s of the status", async (_, fault) => {
  await using on = await syncStage();
  // the client itself repeats a request up to five times
  on.emulator.fault({ ...fault, times: 7, match: { path: "/status$" } });
  expect((await operation(on).create(on.inputs)).state.outcome).toBe("succeeded");
  expect(asked(on)).toHaveLength(1);
});

test.concurrent("tells the last error if the platform fails until the time is over", async () => {
  await using on = await syncStage();
  on.emulator.fault({ kind: "status", status: 503, times: 1_000, match: { path: "/status$" } });
  const { id, state, message } = await keptOf(operation(on).create({ ...on.inputs, timeoutSeconds: 0.7 }));
  expect(state).toEqual({ ...on.inputs, timeoutSeconds: 0.7, triggerId: id, outcome: "unknown" });
  expect(message).toMatch(/GET .*status.*503/);
});

test.concurrent("does not wait for the run of a paused tenant that does not begin, and does not request it again", async () => {
  await using on = await syncStage();
  await on.changeByHand(on.tenantId, { paused: true });
  on.emulator.fault({ kind: "status", status: 404, times: 1_000, match: { path: "/status$" } });
  const { id, state } = await operation(on).create({ ...on.inputs, timeoutSeconds: 1 });
  expect(state).toMatchObject({ outcome: "requested", triggerId: id });
  expect(on.warnings).toEqual([
    expect.stringMatching(/is requested, but its run did not begin .* the tenant is paused/),
  ]);
  expect(await operation(on).diff(id, state, { ...on.inputs, timeoutSeconds: 1 })).toMatchObject({
    isUnfinished: false,
  });
});

test.concurrent("waits for the run of a tenant that the same operation has resumed", async () => {
  await using on = await syncStage();
  const paused = { ...acme, name: "globex", paused: true };
  const { id, state } = await brought(on, paused);
  const inputs = { tenantId: Number(id), mode: "init", timeoutSeconds: 1 } as const;
  await connect({ ...on, ...inputs, inputs });
  on.emulator.fault({ kind: "status", status: 404, times: 1_000, match: { path: "/status$" } });
  const { context, tenant } = on.operation();
  await context.snapshot.tenantsOf().all(); // as another sync of the program does
  await tenant.update(id, state, { ...paused, paused: false });
  const { state: kept } = await keptOf(syncTriggerLifecycle(context).create(inputs));
  expect(kept.outcome).toBe("unknown");
});

test.concurrent("sends the payload as the body, and no body without a payload", async () => {
  await using on = await syncStage();
  const { create } = operation(on);
  await create({ ...on.inputs, payload: { since: "2026-01-01", deep: { list: [1] } } });
  await create(on.inputs);
  expect(asked(on).map(({ body }) => body)).toEqual([{ since: "2026-01-01", deep: { list: [1] } }, undefined]);
});

test.concurrent("is not requested of an archived tenant, which a platform may sync nevertheless", async () => {
  await using on = await syncStage();
  await on.changeByHand(on.tenantId, { archived: true });
  const { message } = await failureOf(operation(on).create(on.inputs));
  expect(message).toContain(`tenant ${on.tenantId} is archived`);
  expect(asked(on)).toEqual([]);
});

test.concurrent("finds the tenant by userName", async () => {
  await using on = await syncStage();
  const { state } = await operation(on).create({ integrationId: 101, userName: "user-1", mode: "normal" });
  expect(state).toMatchObject({ outcome: "succeeded", userName: "user-1" });
  expect(asked(on)).toMatchObject([
    { path: "/v2/integrations/101/sync", query: { mode: "normal", user_name: "user-1" } },
  ]);
  expect((await on.tenant(on.tenantId)).metadata).toEqual({ invoices_written: 2 });
});

test.concurrent("does not wait if wait is false", async () => {
  await using on = await syncStage();
  const { id, state } = await operation(on).create({ ...on.inputs, wait: false });
  expect(state).toEqual({ ...on.inputs, wait: false, triggerId: id, outcome: "requested" });
  expect(requestsOf(on, "GET", /\/status$/)).toEqual([]);
});

test.concurrent("waits for triggers that share one run", async () => {
  await using on = await syncStage();
  const { create } = operation(on);
  const made = await Promise.all([1, 2, 3].map((number) => create({ ...on.inputs, triggers: { number } })));
  expect(made.map(({ state }) => state.outcome)).toEqual(["succeeded", "succeeded", "succeeded"]);
  expect(new Set(made.map(({ id }) => id)).size).toBe(3);
  const { body } = await call(on.emulator, "GET", `/_emulator/runs?tenant_id=${on.tenantId}`);
  expect(Array.isArray(body) && body.length).toBeLessThan(3);
});

describe("a run that fails", () => {
  test.concurrent("fails the up with its status and the log's place, and stores the trigger", async () => {
    await using on = await syncStage(failing);
    const { id, state, message } = await keptOf(operation(on).create(on.inputs));
    expect(state).toMatchObject({
      ...on.inputs,
      triggerId: id,
      status: "Failed (Integration Issue)",
      outcome: "failed",
    });
    expect(message).toMatch(
      /^the init sync of tenant \d+ failed with status "Failed \(Integration Issue\)" \(the integration's code failed: see the run's log\) after \d+ s \(trigger .*status\)/,
    );
    const [, runId] = /GET \/v2\/runs\/(\d+)\/log/.exec(message) ?? [];
    const { body } = await call(on.emulator, "GET", `/_emulator/runs/${runId}`);
    expect(JSON.stringify(body)).toContain("no such customer");
  });

  test.concurrent("for a tenant found by userName has no known log, and the error says so", async () => {
    await using on = await syncStage(failing);
    const { message } = await keptOf(operation(on).create({ integrationId: 101, userName: "user-1", mode: "normal" }));
    expect(message).toMatch(/sync of user "user-1" of integration 101 failed.*cannot be known from the API/);
  });

  test.concurrent("is stored even if the platform fails while the log is searched for", async () => {
    await using on = await syncStage(failing, { variants: { runsList: "missing" } });
    on.emulator.fault({ kind: "status", status: 403, skip: 2, times: 100, match: { path: "^/v2/tenants$" } });
    const { state, message } = await keptOf(operation(on).create(on.inputs));
    expect(state.outcome).toBe("failed");
    expect(message).toMatch(/failed with status "failed".*cannot be known from the API/);
  });

  test.concurrent("is only recorded if failOnError is false", async () => {
    await using on = await syncStage(failing);
    const { state } = await operation(on).create({ ...on.inputs, failOnError: false });
    expect(state).toMatchObject({ status: "Failed (Integration Issue)", outcome: "failed" });
  });
});

describe("a tenant that is not connected", () => {
  test.concurrent("is not synced, and the sync is recorded as skipped", async () => {
    await using on = await syncStage(unconnected);
    const { id, state } = await operation(on).create(on.inputs);
    expect(id).toBe(`skipped-${on.tenantId}`);
    expect(state).toEqual({ ...on.inputs, outcome: "skipped" });
    expect(asked(on)).toEqual([]);
  });

  test.concurrent("is also not synced if its customer has disconnected one of its connectors", async () => {
    await using on = await syncStage(unconnected, { variants: { unconnectedSync: "fail-run" } });
    await connect(on);
    expect((await operation(on).create(on.inputs)).state.outcome).toBe("succeeded");
    await call(on.emulator, "PATCH", `/v2/tenants/${on.tenantId}/connectors/crm/disconnect`);
    expect((await operation(on).create(on.inputs)).state.outcome).toBe("skipped");
    expect(asked(on)).toHaveLength(1);
  });

  test.concurrent("is an error if whenUnconnected is fail", async () => {
    await using on = await syncStage(unconnected);
    const failure = await failureOf(operation(on).create({ ...on.inputs, whenUnconnected: "fail" }));
    expect(failure.message).toMatch(/init sync of tenant \d+: tenant "acme" is not connected/);
    expect(asked(on)).toEqual([]);
  });

  test.concurrent("is synced if the integration has no connectors for a customer to connect", async () => {
    const seed = { integrations: [{ id: 1, name: "rates", connectors: [{ name: "bank", isGlobal: true }] }] };
    await using on = await syncStage({ ...unconnected, integration: "rates" }, { seed });
    expect((await operation(on).create(on.inputs)).state.outcome).toBe("succeeded");
  });
});

test.concurrent("stores nothing if the response is lost, so that the next up requests the sync again", async () => {
  await using on = await syncStage();
  on.emulator.fault({ kind: "cut-after", match: { method: "POST", path: "/sync$" } });
  const failure = await failureOf(operation(on).create(on.inputs));
  expect(failure.name).not.toBe("IncompleteError");
  expect(failure.message).toMatch(/POST .*\/sync/);
  expect(asked(on)).toHaveLength(1);
});

test.concurrent("stores the trigger if the platform fails while it waits for the run", async () => {
  await using on = await syncStage();
  on.emulator.fault({ kind: "status", status: 403, match: { path: "/status$" } });
  const { id, state, message } = await keptOf(operation(on).create(on.inputs));
  expect(state).toEqual({ ...on.inputs, triggerId: id, outcome: "unknown" });
  expect(message).toContain("403");
});
