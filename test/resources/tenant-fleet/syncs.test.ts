import { describe, expect, test, vi } from "vitest";
import type { SyncTriggerInputs } from "../../../src/resources/sync-trigger/schema.ts";
import type { TenantFleetInputs } from "../../../src/resources/tenant-fleet/schema.ts";
import { call } from "../../emulator/running-emulator.ts";
import { fastStage, requestsOf } from "../passing-time.ts";
import { type Stage, stage } from "../stage.ts";
import { idIn, keptOf, operation } from "./fleet-stage.ts";

const sync = { mode: "init", triggers: { version: 1 } } satisfies Partial<SyncTriggerInputs>;
const names = ["acme", "bluebird", "cedar"];

/** A fleet that takes over and syncs these tenants. */
function fleetOf(tenants: Record<string, object> | readonly string[] = names): TenantFleetInputs {
  const entries = Array.isArray(tenants) ? tenants.map((name) => [name, {}]) : Object.entries(tenants);
  return { integration: "crm-to-billing", name: "billing", adopt: true, sync, tenants: Object.fromEntries(entries) };
}

/** Installed and connected tenants. */
async function install(on: Stage, more: object = {}, installed: readonly string[] = names) {
  for (const name of installed)
    await on.add({ integration: "crm-to-billing", name, user_name: `user-${name}`, ...more });
  on.emulator.clearRequests();
}

/** A fleet whose tenants have been synced. The request log is empty. */
async function synced(on: Stage, inputs = fleetOf()) {
  await install(on);
  const made = await operation(on).create(inputs);
  on.emulator.clearRequests();
  on.warnings.length = 0;
  return made;
}

/** The names of the tenants whose syncs were requested, each with its mode. */
async function asked(on: Stage): Promise<string[]> {
  const requests = requestsOf(on, "POST", /\/sync$/);
  const found = await Promise.all(
    requests.map(async ({ path, query }) => {
      const { name } = await on.tenant(/\d+/.exec(path.slice("/v2".length))?.[0] ?? 0);
      return `${name} ${new URLSearchParams(query).get("mode")}`;
    }),
  );
  return found.sort();
}

async function runsOf(on: Stage, id: number, runs: object) {
  await on.changeByHand(id, { runs });
}

async function connect(on: Stage, id: number) {
  for (const connector of ["crm", "billing"]) {
    await call(on.emulator, "POST", `/_emulator/tenants/${id}/connectors/${connector}`, { status: "connected" });
  }
}

const changed = { isChanged: true };
const unchanged = { isChanged: false };
const due = { isChanged: false, isUnfinished: true };

describe.concurrent("the sync of a tenant in a fleet", () => {
  test("runs at creation, is reported in one line, and is stored with the tenant without its id", async () => {
    await using on = await fastStage();
    await install(on);
    const { id, state } = await operation(on).create(fleetOf());
    expect(await asked(on)).toEqual(["acme init", "bluebird init", "cedar init"]);
    expect(on.notes.at(-1)).toBe('fleet "billing": syncs: 3 succeeded');
    expect(state.sync).toEqual(sync);
    for (const name of names) {
      expect(state.tenants[name]).toEqual({
        tenantId: idIn(state, name),
        sync: {
          triggerId: expect.any(String),
          status: "succeeded",
          outcome: "succeeded",
          secondsWaited: expect.any(Number),
        },
      });
    }
    expect(await operation(on).diff(id, state, fleetOf())).toEqual(unchanged);
  });

  test("keeps its outcome in a refresh, which does not show it as an input", async () => {
    await using on = await fastStage();
    const inputs = fleetOf({ acme: { sync: { triggers: { version: 7 } } }, bluebird: {}, cedar: {} });
    const { id, state } = await synced(on, inputs);
    expect(await operation(on).read(id, state)).toEqual({ inputs, state });
    expect(requestsOf(on, "POST", /./)).toEqual([]);
  });

  test("runs again if its own triggers change, but not for other tenants", async () => {
    await using on = await fastStage();
    const { id, state } = await synced(on);
    const now = fleetOf({ acme: { sync: { triggers: { version: 2 } } }, bluebird: {}, cedar: {} });
    expect(await operation(on).diff(id, state, now)).toEqual(changed);
    expect(on.notes.at(-1)).toBe('fleet "billing": syncs 1 tenant; 3 unchanged');
    const updated = await operation(on).update(id, state, now);
    expect(await asked(on)).toEqual(["acme init"]);
    expect(updated.tenants.acme?.sync).toMatchObject({ triggers: { version: 2 }, outcome: "succeeded" });
    expect(updated.tenants.bluebird).toEqual(state.tenants.bluebird);
    expect(await operation(on).diff(id, updated, now)).toEqual(unchanged);
  });

  test("does not run if another setting changes, and keeps its outcome", async () => {
    await using on = await fastStage();
    const { id, state } = await synced(on);
    const now = fleetOf({ acme: { schedule: "1 1 * * *" }, bluebird: {}, cedar: {} });
    const updated = await operation(on).update(id, state, now);
    expect(await asked(on)).toEqual([]);
    expect(updated.tenants.acme?.sync).toEqual(state.tenants.acme?.sync);
    expect(on.writes()).toHaveLength(1);
  });

  test("does not run if only the options for waiting change, of one tenant or of all", async () => {
    await using on = await fastStage();
    const { id, state } = await synced(on);
    const now = {
      ...fleetOf({ acme: { sync: { timeoutSeconds: 5 } }, bluebird: {}, cedar: {} }),
      sync: { ...sync, wait: false },
    };
    expect(await operation(on).diff(id, state, now)).toEqual(changed);
    const updated = await operation(on).update(id, state, now);
    expect(on.writes()).toEqual([]);
    expect(updated.tenants.acme?.sync).toEqual({ timeoutSeconds: 5, ...state.tenants.acme?.sync });
    expect(await operation(on).diff(id, updated, now)).toEqual(unchanged);
  });

  test("runs again for every tenant without its own mode if the fleet's mode changes", async () => {
    await using on = await fastStage();
    const inputs = fleetOf({ acme: { sync: { mode: "init" } }, bluebird: {}, cedar: {} });
    const { id, state } = await synced(on, inputs);
    const now = { ...inputs, sync: { ...sync, mode: "normal" as const } };
    expect(await operation(on).diff(id, state, now)).toEqual(changed);
    await operation(on).update(id, state, now);
    expect(await asked(on)).toEqual(["bluebird normal", "cedar normal"]);
  });

  test("runs for a new tenant, and is removed from the state once it is no longer declared", async () => {
    await using on = await fastStage();
    const { id, state } = await synced(on);
    await install(on, {}, ["dune"]);
    const grown = await operation(on).update(id, state, fleetOf([...names, "dune"]));
    expect(await asked(on)).toEqual(["dune init"]);
    const { sync: _, ...without } = fleetOf([...names, "dune"]);
    expect(await operation(on).diff(id, grown, without)).toEqual(changed);
    const { tenants } = await operation(on).update(id, grown, without);
    expect(tenants).toEqual(
      Object.fromEntries(Object.keys(tenants).map((name) => [name, { tenantId: idIn(grown, name) }])),
    );
    expect(await asked(on)).toEqual(["dune init"]);
  });
});

describe.concurrent("a sync that fails", () => {
  test("fails only its tenant, and the next up requests it again even though no input has changed", async () => {
    await using on = await fastStage();
    await install(on);
    const { id: bluebird = 0 } = (await on.live()).find(({ name }) => name === "bluebird") ?? {};
    await runsOf(on, bluebird, { outcome: "fail" });
    const { id, state, message } = await keptOf(operation(on).create(fleetOf()));
    expect(message).toMatch(
      /a tenant is not as declared.*\n {2}bluebird: the init sync of tenant \d+ failed with status/,
    );
    expect(on.notes.at(-1)).toBe('fleet "billing": syncs: 2 succeeded, 1 failed');
    expect(state.tenants.bluebird).toMatchObject({ tenantId: bluebird, sync: { outcome: "failed" } });

    await runsOf(on, bluebird, { outcome: "succeed" });
    on.emulator.clearRequests();
    expect(await operation(on).diff(id, state, fleetOf())).toEqual(due);
    const updated = await operation(on).update(id, state, fleetOf());
    expect(await asked(on)).toEqual(["bluebird init"]);
    expect(updated.tenants.bluebird?.sync).toMatchObject({ outcome: "succeeded" });
    expect(await operation(on).diff(id, updated, fleetOf())).toEqual(unchanged);
  });

  test("because the wait is interrupted is waited for by the next up, and not requested again", async () => {
    await using on = await fastStage();
    await install(on);
    on.emulator.fault({ kind: "status", status: 403, match: { path: "/status$" } });
    const { id, state } = await keptOf(operation(on).create({ ...fleetOf(), syncConcurrency: 1 }));
    expect(state.tenants.acme?.sync).toMatchObject({ triggerId: expect.any(String), outcome: "unknown" });
    on.emulator.clearRequests();
    const updated = await operation(on).update(id, state, { ...fleetOf(), syncConcurrency: 1 });
    expect(await asked(on)).toEqual([]);
    expect(updated.tenants.acme?.sync).toMatchObject({
      triggerId: state.tenants.acme?.sync?.triggerId,
      outcome: "succeeded",
    });
    expect(on.notes.at(-1)).toBe('fleet "billing": syncs: 1 succeeded');
  });

  test.each(["an override begins and ends", "its tenant's work fails"])(
    "because the wait is interrupted is not requested again either if first %s",
    async (first) => {
      await using on = await fastStage();
      await install(on);
      on.emulator.fault({ kind: "status", status: 403, match: { path: "/status$" } });
      const inputs = { ...fleetOf(), syncConcurrency: 1 };
      const { id, state } = await keptOf(operation(on).create(inputs));
      const { triggerId } = state.tenants.acme?.sync ?? {};
      on.emulator.clearRequests();
      let between = state;
      if (first === "its tenant's work fails") {
        const acme = `^/v2/tenants/${state.tenants.acme?.tenantId}$`;
        on.emulator.fault({ kind: "status", status: 422, match: { method: "PATCH", path: acme } });
        const now = { ...inputs, tenants: { ...inputs.tenants, acme: { schedule: "1 1 * * *" } } };
        between = (await keptOf(operation(on).update(id, state, now))).state;
      } else {
        between = await operation(on).update(id, state, { ...inputs, override: { paused: true, reason: "INC-42" } });
      }
      const after = await operation(on).update(id, between, inputs);
      expect(await asked(on)).toEqual([]);
      expect(after.tenants.acme?.sync).toMatchObject({ triggerId, outcome: "succeeded" });
    },
  );

  test("shows no difference under an override if a tenant's options for waiting change", async () => {
    await using on = await fastStage();
    const { id, state } = await synced(on);
    const entry = { sync: { timeoutSeconds: 77 } };
    const tenants = { ...fleetOf().tenants, acme: entry };
    const declared = { ...fleetOf(), tenants, override: { paused: true, reason: "INC-42" } };
    const overridden = await operation(on).update(id, state, declared);
    expect(await operation(on).diff(id, overridden, declared)).toEqual(unchanged);
    expect(overridden.tenants.acme?.sync).toMatchObject({ timeoutSeconds: 77, outcome: "succeeded" });
  });

  test.each(["under an override", "beside a change that fails"])(
    "is not requested again if only the options for waiting change, %s",
    async (how) => {
      await using on = await fastStage();
      const { id, state } = await synced(on);
      const waiting = { ...fleetOf(), sync: { ...sync, timeoutSeconds: 77 } };
      if (how === "under an override") {
        const override = { paused: true, reason: "INC-42" };
        const overridden = await operation(on).update(id, state, { ...waiting, override });
        await operation(on).update(id, overridden, waiting);
      } else {
        on.emulator.fault({ kind: "status", status: 422, match: { method: "PATCH", path: "/v2/tenants/\\d+$" } });
        const now = { ...waiting, tenants: { ...waiting.tenants, acme: { schedule: "1 1 * * *" } } };
        const kept = await keptOf(operation(on).update(id, state, now));
        await operation(on).update(id, kept.state, waiting);
      }
      expect(await asked(on)).toEqual([]);
    },
  );

  test("because its request is refused is requested again by the next up", async () => {
    await using on = await fastStage();
    await install(on);
    on.emulator.fault({ kind: "status", status: 422, match: { method: "POST", path: "/sync$" } });
    const { id, state, message } = await keptOf(operation(on).create({ ...fleetOf(), syncConcurrency: 1 }));
    expect(message).toMatch(/\n {2}acme: POST \/v2\/tenants\/\d+\/sync/);
    expect(on.notes.at(-1)).toBe('fleet "billing": syncs: 2 succeeded, 1 refused');
    on.emulator.clearRequests();
    await operation(on).update(id, state, { ...fleetOf(), syncConcurrency: 1 });
    expect(await asked(on)).toEqual(["acme init"]);
  });

  test("is only recorded if failOnError is false", async () => {
    await using on = await fastStage();
    await install(on, { runs: { outcome: "fail" } });
    const inputs = { ...fleetOf(), sync: { ...sync, failOnError: false } };
    const { id, state } = await operation(on).create(inputs);
    expect(on.notes.at(-1)).toBe('fleet "billing": syncs: 3 failed');
    expect(await operation(on).diff(id, state, inputs)).toEqual(unchanged);
  });
});

describe.concurrent("a tenant that differs from its declaration is synced only by the up that repairs it", () => {
  const configs = { region: "eu" };
  const refused = { kind: "status", status: 422 } as const;

  test("at creation", async () => {
    await using on = await fastStage();
    await install(on);
    on.emulator.fault({ ...refused, match: { method: "PATCH" } });
    const inputs = fleetOf({ acme: { configs }, bluebird: {}, cedar: {} });
    const { id, state } = await keptOf(operation(on).create(inputs));
    expect(await asked(on)).toEqual(["bluebird init", "cedar init"]);
    expect(state.tenants.acme).toEqual({ tenantId: idIn(state, "acme"), configs: {} });
    await operation(on).update(id, state, inputs);
    expect(await asked(on)).toEqual(["acme init", "bluebird init", "cedar init"]);
    expect((await on.tenant(idIn(state, "acme"))).configs).toEqual(configs);
  });

  test("in an update that also changes its triggers, even if it was synced before", async () => {
    await using on = await fastStage();
    const { id, state } = await synced(on);
    on.emulator.fault({ ...refused, match: { method: "PATCH" } });
    const now = fleetOf({ acme: { configs, sync: { triggers: { version: 2 } } }, bluebird: {}, cedar: {} });
    const kept = await keptOf(operation(on).update(id, state, now));
    expect(await asked(on)).toEqual([]);
    expect(kept.state.tenants.acme?.sync).toEqual({ triggers: { version: 2 } });
    expect(await operation(on).diff(id, kept.state, now)).toEqual(changed);
    await operation(on).update(id, kept.state, now);
    expect(await asked(on)).toEqual(["acme init"]);
  });
});

describe.concurrent("a tenant that is not connected", () => {
  const unconnected = { status: { auth: { connected: false, connectors: [] } } };

  test("is skipped, and its sync is due once it is connected even though no input has changed", async () => {
    await using on = await fastStage();
    await install(on, unconnected);
    const { id, state } = await operation(on).create(fleetOf());
    expect(on.notes.at(-1)).toBe('fleet "billing": syncs: 3 skipped');
    expect(state.tenants.acme?.sync).toEqual({ outcome: "skipped" });
    expect(await operation(on).diff(id, state, fleetOf())).toEqual(unchanged);
    expect(requestsOf(on, "POST", /sync/)).toEqual([]);

    await connect(on, idIn(state, "bluebird"));
    expect(await operation(on).diff(id, state, fleetOf())).toEqual(due);
    const updated = await operation(on).update(id, state, fleetOf());
    expect(await asked(on)).toEqual(["bluebird init"]);
    expect(updated.tenants.acme).toEqual(state.tenants.acme);
    expect(await operation(on).diff(id, updated, fleetOf())).toEqual(unchanged);
  });

  test("fails if whenUnconnected is fail", async () => {
    await using on = await fastStage();
    await install(on, unconnected, ["acme"]);
    const inputs = { ...fleetOf(["acme"]), sync: { ...sync, whenUnconnected: "fail" as const } };
    const { message } = await keptOf(operation(on).create(inputs));
    expect(message).toMatch(/\n {2}acme: .*tenant "acme" is not connected/);
  });
});

test.concurrent.each([
  [2, 2],
  [undefined, 10],
])("of many syncs %s at once are asked for and waited on: %d", async (syncConcurrency, atOnce) => {
  await using on = await stage({ clock: "manual" });
  const many = Array.from({ length: 23 }, (_, index) => `t-${index}`);
  await install(on, {}, many);
  const syncs = () => requestsOf(on, "POST", /\/sync$/).length;
  const statuses = () => requestsOf(on, "GET", /\/status$/).length;
  const done = operation(on).create({
    ...fleetOf(many),
    ...(syncConcurrency === undefined ? {} : { syncConcurrency }),
  });
  for (const started of [atOnce, 2 * atOnce]) {
    const before = statuses();
    // time stands still: each running sync polls twice more, and no other sync starts
    await vi.waitFor(() => expect(statuses()).toBeGreaterThanOrEqual(before + 2 * atOnce), { timeout: 15_000 });
    expect(syncs()).toBe(started);
    await on.emulator.advance({ seconds: 30 });
  }
  const timer = setInterval(() => void on.emulator.advance({ seconds: 30 }), 20);
  await done.finally(() => clearInterval(timer));
  expect(syncs()).toBe(many.length);
});

describe.concurrent("check", () => {
  test("reports a mistake in a sync with the tenant's path", async () => {
    await using on = await stage();
    const inputs = (tenants: object) => ({ integration: "crm-to-billing", name: "billing", tenants });
    expect(await operation(on).check(inputs({ acme: { sync: { triggers: {} } } }), undefined)).toEqual([
      { property: "tenants.acme.sync.mode", reason: 'is required; it must be "init" or "normal"' },
    ]);
    expect(
      await operation(on).check(inputs({ acme: { sync: { mode: "init", tenantId: 7 } } }), undefined),
    ).toMatchObject([{ property: "tenants.acme.sync.tenantId" }]);
  });
});
