import { describe, expect, test } from "vitest";
import type { Variants } from "../../../src/emulator/index.ts";
import type { TenantInputs } from "../../../src/resources/tenant/schema.ts";
import { acme, brought, complete, failureOf, stage } from "../stage.ts";

describe.concurrent("drift is reported in the form of the declaration", () => {
  const channel: TenantInputs = { ...complete, release: { channel: "Latest" } };
  const byId: TenantInputs = { ...complete, release: { id: 901 } };
  test.each<[string, TenantInputs, object, Partial<TenantInputs>]>([
    ["another name", complete, { name: "Acme Inc." }, { name: "Acme Inc." }],
    ["another schedule", complete, { user_schedule: "0 1 * * *" }, { schedule: "0 1 * * *" }],
    ["an odd schedule", complete, { user_schedule: "@daily" }, { schedule: "@daily" }],
    ["no schedule", complete, { user_schedule: null }, { schedule: "none" }],
    [
      "a schedule where none was declared to be",
      { ...complete, schedule: "none" },
      { user_schedule: "0 1 * * *" },
      { schedule: "0 1 * * *" },
    ],
    ["another release, by tag", complete, { integration_release_id: 902 }, { release: { tag: "v1.1.0" } }],
    ["another release, by id", byId, { integration_release_id: 902 }, { release: { id: 902 } }],
    [
      "a channel in place of a release",
      complete,
      { integration_release_id: null, integration_release_channel: "Default" },
      { release: { channel: "Default" } },
    ],
    [
      "a release in place of a channel",
      channel,
      { integration_release_id: 901, integration_release_channel: null },
      { release: { id: 901 } },
    ],
    ["another channel", channel, { integration_release_channel: "Default" }, { release: { channel: "Default" } }],
    ["paused", complete, { paused: true }, { paused: true }],
    ["resumed", { ...complete, paused: true }, { paused: false }, { paused: false }],
    [
      "another config",
      complete,
      { configs: { ...complete.configs, region: "us" } },
      { configs: { ...complete.configs, region: "us" } },
    ],
    ["a config less", complete, { configs: { region: "eu" } }, { configs: { region: "eu" } }],
    ["no configs at all", complete, { configs: null }, { configs: {} }],
    ["other metadata", complete, { metadata: { plan: "silver" } }, { metadata: { plan: "silver" } }],
    ["no metadata", complete, { metadata: {} }, { metadata: {} }],
  ])("%s", async (_, declared, change, drift) => {
    await using on = await stage();
    const { id, state } = await brought(on, declared);
    await on.changeByHand(id, change);
    const inputs = { ...declared, ...drift };
    const observed = { ...state, ...drift, ...(drift.name === undefined ? {} : { declaredName: declared.name }) };
    const operation = on.operation();
    expect(await operation.tenant.read(id, state)).toEqual({ inputs, state: observed });
    expect(await operation.tenant.diff(id, observed, declared)).toEqual({ isChanged: true });
    const repaired = await on.operation().tenant.update(id, observed, declared);
    expect(repaired).toEqual(state);
    expect(await on.operation().tenant.read(id, repaired)).toEqual({ inputs: declared, state });
  });

  test("a name that was changed by hand and then back is no drift", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, acme);
    await on.changeByHand(id, { name: "other" });
    const renamed = await on.operation().tenant.read(id, state);
    await on.changeByHand(id, { name: "acme" });
    const operation = on.operation();
    const back = await operation.tenant.read(id, renamed?.state ?? state);
    expect(await operation.tenant.diff(id, back?.state ?? state, acme)).toEqual({ isChanged: false });
  });

  test("a missing release is a removed release", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    await on.changeByHand(id, { integration_release_id: null });
    const { release: _, ...inputs } = complete;
    expect((await on.operation().tenant.read(id, state))?.inputs).toEqual(inputs);
  });

  test("a release that lost its tag is reported by its id", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    const withTagOfYore = { ...state, release: { tag: "v0.9.0" } };
    expect((await on.operation().tenant.read(id, withTagOfYore))?.inputs.release).toEqual({ tag: "v1.0.0" });
  });
});

describe.concurrent("an undeclared setting never drifts", () => {
  const everything = {
    user_schedule: "0 1 * * *",
    integration_release_id: 902,
    paused: false,
    configs: { region: "us", more: [1] },
    metadata: { plan: "silver" },
    source: "marketplace",
    status: { last_run: { id: 7 }, auth: { connected: true } },
    schedule: "5 5 * * *",
  };

  test("of a tenant with only a name", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, acme);
    await on.changeByHand(id, everything);
    expect(await on.operation().tenant.read(id, state)).toEqual({ inputs: acme, state });
  });

  test("beside keys that are declared", async () => {
    await using on = await stage();
    const inputs = { ...acme, configs: { region: "us" }, metadata: { plan: "silver" } };
    const { id, state } = await brought(on, inputs);
    await on.changeByHand(id, { ...everything, metadata: { plan: "silver", runs: 3 } });
    expect(await on.operation().tenant.read(id, state)).toEqual({ inputs, state });
  });

  test("of a channel's current release id", async () => {
    await using on = await stage();
    const inputs: TenantInputs = { ...complete, release: { channel: "Latest" } };
    const { id, state } = await brought(on, inputs);
    await on.changeByHand(id, { integration_release_id: 901 });
    expect(await on.operation().tenant.read(id, state)).toEqual({ inputs, state });
  });
});

describe.concurrent("without drift, the state does not change", () => {
  test.each<Partial<Variants>>([
    { defaults: "absent" },
    { sorting: "refuse" },
    { sorting: "ignore" },
    { pageSize: "capped" },
    { archivedList: "along" },
    { maskedConfigs: "yes" },
    { metadataWhenNone: "missing" },
    { limitOver500: "clamp" },
    { schemaDefaults: "leave" },
    { patchAnswer: "empty", visibility: "delayed" },
  ])("under %o", async (variants) => {
    await using on = await stage({ variants });
    const inputs: TenantInputs = { ...complete, schedule: "none", release: { tag: "v1.1.0" }, metadata: {} };
    for (const declared of [complete, { ...inputs, name: "globex" }, { ...acme, name: "initech" }]) {
      const { id, state } = await brought(on, declared, 3);
      const { tenant } = on.operation();
      expect(await tenant.read(id, state)).toEqual({ inputs: declared, state });
      expect(await tenant.diff(id, state, declared)).toEqual({ isChanged: false });
    }
  });
});

describe.concurrent("a tenant that is gone", () => {
  test.each<Partial<Variants>>([{}, { archivedList: "along" }, { defaults: "absent" }, { sorting: "refuse" }])(
    "leaves the state when it was archived (%o)",
    async (variants) => {
      await using on = await stage({ variants });
      const { id, state } = await brought(on);
      await on.changeByHand(id, { archived: true });
      expect(await on.operation().tenant.read(id, state)).toBeUndefined();
    },
  );

  test("stays in the state when no list shows it, live or archived: the API key may be of another account", async () => {
    await using on = await stage();
    const { state } = await brought(on);
    const reading = on.operation().tenant.read("4711", { ...state, tenantId: 4711 });
    await expect(reading).rejects.toThrow(/no list shows tenant 4711, neither as live nor as archived/);
  });

  test("leaves the state when it moved to another integration", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    await on.changeByHand(id, { integration_id: 102 });
    expect(await on.operation().tenant.read(id, state)).toBeUndefined();
  });

  test("stays in the state when only a single list is without it", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    on.emulator.fault({ kind: "status", status: 200, body: [], match: { path: "/v2/tenants$" } });
    expect(await on.operation().tenant.read(id, state)).toEqual({ inputs: complete, state });
  });
});

test.concurrent("a tenant that only the archived list shows, and as live, stays in the state", async () => {
  await using on = await stage({ variants: { archivedList: "along" } });
  const { id, state } = await brought(on);
  const match = { path: "/v2/tenants$", query: "archived=false" };
  on.emulator.fault({ kind: "status", status: 200, body: [], match, times: 99 });
  expect(await on.operation().tenant.read(id, state)).toEqual({ inputs: complete, state });
});

describe.concurrent("a failed read never removes a tenant from the state", () => {
  test.each([
    ["401", { kind: "status", status: 401 }],
    ["403", { kind: "status", status: 403 }],
    ["404", { kind: "status", status: 404 }],
    ["422", { kind: "status", status: 422 }],
    ["429", { kind: "status", status: 429 }],
    ["500", { kind: "status", status: 500 }],
    ["a body of the wrong shape", { kind: "wrong-shape" }],
    ["a page of HTML", { kind: "html" }],
    ["JSON that is cut short", { kind: "truncated-json" }],
    ["a cut connection", { kind: "cut-before" }],
  ] as const)("%s on the list", async (_, fault) => {
    await using on = await stage();
    const { id, state } = await brought(on);
    on.emulator.fault({ ...fault, times: 100, match: { path: "/v2/tenants$" } });
    expect((await failureOf(on.operation().tenant.read(id, state))).message).toContain("GET /v2/tenants");
  });

  test.each([403, 500])("%d on the metadata", async (status) => {
    await using on = await stage();
    const { id, state } = await brought(on);
    on.emulator.fault({ kind: "status", status, times: 100, match: { path: "metadata$" } });
    expect((await failureOf(on.operation().tenant.read(id, state))).message).toContain("/metadata");
  });

  test("404 on the metadata of an existing tenant means that it has no metadata", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    on.emulator.fault({ kind: "status", status: 404, match: { path: "metadata$" } });
    expect((await on.operation().tenant.read(id, state))?.inputs.metadata).toEqual({});
  });
});
