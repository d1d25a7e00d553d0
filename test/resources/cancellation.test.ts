import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { CancelledError, createClient } from "../../src/api/index.ts";
import { createOperationContext } from "../../src/operation/operation-context.ts";
import { buildLifecycle } from "../../src/resources/build/lifecycle.ts";
import { IncompleteError } from "../../src/resources/lifecycle.ts";
import { syncTriggerLifecycle } from "../../src/resources/sync-trigger/lifecycle.ts";
import { tenantLifecycle } from "../../src/resources/tenant/lifecycle.ts";
import { tenantStateSchema } from "../../src/resources/tenant/schema.ts";
import { tenantFleetLifecycle } from "../../src/resources/tenant-fleet/lifecycle.ts";
import { brought, complete, failureOf, type Stage, stage } from "./stage.ts";
import { keptOf, operation } from "./tenant-fleet/fleet-stage.ts";

/** A stage whose operations can be cancelled. */
async function cancellable() {
  const cancelling = new AbortController();
  const on = await stage({}, { signal: cancelling.signal });
  return { on, cancel: () => cancelling.abort(), [Symbol.asyncDispose]: () => on[Symbol.asyncDispose]() };
}

/** The context of a later operation, which nobody cancels. */
function later({ emulator }: Stage) {
  const client = createClient({ baseUrl: emulator.url, apiKey: emulator.apiKey });
  return createOperationContext({ client, warn: () => {}, consistencyTimeoutSeconds: 0.3 });
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(5);
}

const requestsTo = (on: Stage, method: string, path: RegExp) =>
  on.emulator.requests().filter((record) => record.method === method && path.test(record.path));

describe("an operation that is cancelled", () => {
  test("finishes the creation that was sent, and keeps the tenant as it then is", async () => {
    await using stages = await cancellable();
    const { on, cancel } = stages;
    on.emulator.fault({ kind: "delay", ms: 60_000, applied: true, match: { method: "POST", path: "^/v2/tenants$" } });

    const creating = failureOf(on.operation().tenant.create(complete));
    await until(async () => (await on.live()).length > 0);
    cancel();
    on.emulator.clearFaults();
    const failure = await creating;

    if (!(failure instanceof IncompleteError)) throw failure;
    const state = tenantStateSchema.parse(failure.state);
    const [made] = await on.live();
    expect(failure.id).toBe(String(made?.id));
    expect(failure.cause).toBeInstanceOf(CancelledError);
    expect(on.writes().map(({ request }) => request)).toEqual(["POST /v2/tenants"]);
    expect(state.metadata).toEqual({});

    await tenantLifecycle(later(on)).update(failure.id, state, complete);
    expect(await on.live()).toHaveLength(1);
    expect(await on.tenant(failure.id)).toMatchObject({ paused: false, metadata: complete.metadata });
  });

  test("finishes the PATCH that was sent, and keeps its outcome", async () => {
    await using stages = await cancellable();
    const { on, cancel } = stages;
    const { id, state } = await brought(on);
    on.emulator.fault({
      kind: "delay",
      ms: 60_000,
      applied: true,
      match: { method: "PATCH", path: "/v2/tenants/\\d+$" },
    });

    const inputs = { ...complete, schedule: "0 1 * * *", metadata: { plan: "silver" } };
    const updating = failureOf(on.operation().tenant.update(id, state, inputs));
    await until(async () => (await on.tenant(id)).user_schedule === inputs.schedule);
    cancel();
    on.emulator.clearFaults();
    const failure = await updating;

    if (!(failure instanceof IncompleteError)) throw failure;
    expect(failure.state).toMatchObject({ schedule: inputs.schedule, metadata: { plan: "gold" } });
    expect(on.writes()).toHaveLength(1);
  });

  test("writes nothing if it has not begun to, and the error says what to do", async () => {
    await using stages = await cancellable();
    const { on, cancel } = stages;
    const { tenant } = on.operation();
    cancel();

    const failure = await failureOf(tenant.create(complete));

    expect(failure).not.toBeInstanceOf(IncompleteError);
    expect(failure.message).toMatch(/cancelled.*Run the command again/);
    expect(on.emulator.requests()).toEqual([]);
  });

  test("keeps what a fleet has done, and the next up does only the rest", async () => {
    await using stages = await cancellable();
    const { on, cancel } = stages;
    const keys = Array.from({ length: 120 }, (_, number) => `tenant-${number}`);
    const tenants = Object.fromEntries(keys.map((key) => [key, { configs: { region: "eu" }, metadata: { key } }]));
    const inputs = { integration: "crm-to-billing", name: "billing", tenants };

    const creating = keptOf(operation(on).create(inputs));
    await until(() => on.writes().length > 40);
    cancel();
    const sent = on.writes().length;
    const { id, state, message } = await creating;

    const inFlight = 16;
    expect(on.writes().length).toBeLessThanOrEqual(sent + inFlight);
    const live = await on.live();
    expect(live.length).toBeLessThan(keys.length);
    expect(Object.entries(state.tenants).map(([key, { tenantId }]) => [tenantId, key])).toEqual(
      expect.arrayContaining(live.map((tenant) => [tenant.id, tenant.name])),
    );
    expect(Object.keys(state.tenants)).toHaveLength(live.length);
    expect(message).toMatch(/cancelled/);

    await tenantFleetLifecycle(later(on)).update(id, state, inputs);
    const after = await on.live();
    expect(after.map(({ name }) => name).sort()).toEqual([...keys].sort());
    expect(requestsTo(on, "POST", /^\/v2\/tenants$/)).toHaveLength(keys.length);
  });

  test("does not wait any longer for a sync, and keeps its trigger", async () => {
    await using stages = await cancellable();
    const { on, cancel } = stages;
    const tenantId = await on.add({ integration: "crm-to-billing", name: "acme" });
    on.emulator.fault({ kind: "status", status: 404, times: 100, match: { path: "/status$" } });

    const syncing = failureOf(syncTriggerLifecycle(on.operation().context).create({ tenantId, mode: "normal" }));
    await until(() => requestsTo(on, "GET", /\/status$/).length > 0);
    cancel();
    const failure = await syncing;

    if (!(failure instanceof IncompleteError)) throw failure;
    expect(failure.state).toMatchObject({ triggerId: failure.id, outcome: "unknown" });
    expect(requestsTo(on, "POST", /\/sync$/)).toHaveLength(1);
  });

  test("does not wait any longer for a build, and keeps that it was requested", async () => {
    await using stages = await cancellable();
    const { on, cancel } = stages;
    const inputs = { integrationId: 101, tag: "v9.0.0" };

    const building = failureOf(buildLifecycle(on.operation().context).create(inputs));
    await until(() => requestsTo(on, "GET", /releases$/).length > 1);
    cancel();
    const failure = await building;

    if (!(failure instanceof IncompleteError)) throw failure;
    expect(failure.state).toEqual(inputs);
  });

  test("does not wait any longer until the program has declared everything", async () => {
    const cancelling = new AbortController();
    const client = createClient({ baseUrl: "http://127.0.0.1:1", apiKey: "key" });
    const { ownership } = createOperationContext({
      client,
      warn: () => {},
      quietSeconds: 3_600,
      signal: cancelling.signal,
    });
    await ownership.duringCheck(async () => {}); // the quiet begins now

    const waiting = Array.from({ length: 20 }, () => failureOf(ownership.untilQuiet()));
    cancelling.abort();

    for (const failure of await Promise.all(waiting)) expect(failure).toBeInstanceOf(CancelledError);
    expect(await failureOf(ownership.untilQuiet())).toBeInstanceOf(CancelledError);
  });
});
