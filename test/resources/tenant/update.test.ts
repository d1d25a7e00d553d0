import { describe, expect, test } from "vitest";
import type { TenantInputs } from "../../../src/resources/tenant/schema.ts";
import { eventually } from "../../eventually.ts";
import { acme, brought, complete, failureOf, stage } from "../stage.ts";

describe("a PATCH contains only changes", () => {
  const channel: TenantInputs = { ...complete, release: { channel: "Latest" } };
  test.each<[string, TenantInputs, TenantInputs, object]>([
    ["the name", complete, { ...complete, name: "globex" }, { name: "globex" }],
    ["the schedule", complete, { ...complete, schedule: "0 1 * * *" }, { user_schedule: "0 1 * * *" }],
    ["no schedule any more", complete, { ...complete, schedule: "none" }, { user_schedule: null }],
    ["a pause", complete, { ...complete, paused: true }, { paused: true }],
    ["a resume", { ...complete, paused: true }, complete, { paused: false }],
    [
      "a release by tag",
      complete,
      { ...complete, release: { tag: "v1.1.0" } },
      { integration_release_id: 902, integration_release_channel: null },
    ],
    [
      "a release by id",
      complete,
      { ...complete, release: { id: 902 } },
      { integration_release_id: 902, integration_release_channel: null },
    ],
    ["a channel for an id", complete, channel, { integration_release_id: null, integration_release_channel: "Latest" }],
    ["an id for a channel", channel, complete, { integration_release_id: 901, integration_release_channel: null }],
    [
      "one channel for another",
      channel,
      { ...complete, release: { channel: "Default" } },
      { integration_release_id: null, integration_release_channel: "Default" },
    ],
    [
      "one config, with the others as they are",
      complete,
      { ...complete, configs: { ...complete.configs, region: "us" } },
      { configs: { ...complete.configs, region: "us" } },
    ],
  ])("%s", async (_, before, after, patch) => {
    await using on = await stage();
    const { id, state } = await brought(on, before);
    const updated = await on.operation().tenant.update(id, state, after);
    expect(on.writes()).toEqual([{ request: `PATCH /v2/tenants/${id}`, body: patch }]);
    expect({ ...updated, latest: undefined }).toEqual({ ...after, tenantId: Number(id), integrationId: 101 });
    expect(await on.tenant(id)).toMatchObject(patch);
  });

  test("metadata go to their own endpoint", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    await on.operation().tenant.update(id, state, { ...complete, metadata: { plan: "silver", seats: 3 } });
    expect(on.writes()).toEqual([{ request: `PATCH /v2/tenants/${id}/metadata`, body: { plan: "silver", seats: 3 } }]);
  });

  test("without a change, no request is sent", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    await on.operation().tenant.update(id, state, complete);
    expect(on.writes()).toEqual([]);
  });

  test("a change by hand is repaired even if the declaration did not change", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    await on.changeByHand(id, { user_schedule: null, configs: { ...complete.configs, region: "us" } });
    await on.operation().tenant.update(id, state, complete);
    expect(on.writes()).toEqual([
      { request: `PATCH /v2/tenants/${id}`, body: { user_schedule: complete.schedule, configs: complete.configs } },
    ]);
  });

  test("a setting that is no longer declared stays unchanged", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    const { configs, metadata } = complete;
    const updated = await on.operation().tenant.update(id, state, { ...acme, configs, metadata });
    expect(on.writes()).toEqual([]);
    expect(updated).toEqual({ ...acme, configs, metadata, tenantId: Number(id), integrationId: 101 });
    expect(await on.tenant(id)).toMatchObject({ paused: false, user_schedule: complete.schedule });
  });

  test("a change of an input that is not a tenant's setting is stored without a request", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    const updated = await on.operation().tenant.update(id, state, { ...complete, forceArchive: true, adopt: true });
    expect(updated).toMatchObject({ forceArchive: true, adopt: true });
    expect(on.writes()).toEqual([]);
  });
});

describe("order", () => {
  test("a pause is sent first, in its own request", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    const after = { ...complete, paused: true, schedule: "0 1 * * *", metadata: { plan: "silver" } };
    await on.operation().tenant.update(id, state, after);
    expect(on.writes()).toEqual([
      { request: `PATCH /v2/tenants/${id}`, body: { paused: true } },
      { request: `PATCH /v2/tenants/${id}`, body: { user_schedule: "0 1 * * *" } },
      { request: `PATCH /v2/tenants/${id}/metadata`, body: { plan: "silver" } },
    ]);
  });

  test("a resume is sent last, in its own request", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, { ...complete, paused: true });
    const after = { ...complete, schedule: "0 1 * * *", metadata: { plan: "silver" } };
    await on.operation().tenant.update(id, state, after);
    expect(on.writes()).toEqual([
      { request: `PATCH /v2/tenants/${id}`, body: { user_schedule: "0 1 * * *" } },
      { request: `PATCH /v2/tenants/${id}/metadata`, body: { plan: "silver" } },
      { request: `PATCH /v2/tenants/${id}`, body: { paused: false } },
    ]);
  });

  test("a tenant is not resumed until its settings are applied", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, { ...complete, paused: true });
    on.emulator.fault({ kind: "ignore-fields", fields: ["user_schedule"], match: { method: "PATCH" }, times: 9 });
    await failureOf(on.operation().tenant.update(id, state, { ...complete, schedule: "0 1 * * *" }));
    expect(await on.tenant(id)).toMatchObject({ paused: true });
  });
});

describe("a platform that refuses a release id and a channel in one PATCH gets only one of them", () => {
  test.each<[string, TenantInputs["release"], TenantInputs["release"], object]>([
    ["a channel for an id", { id: 901 }, { channel: "Latest" }, { integration_release_channel: "Latest" }],
    ["an id for a channel", { channel: "Latest" }, { id: 901 }, { integration_release_id: 901 }],
  ])("%s", async (_, before, after, taken) => {
    await using on = await stage({ variants: { releaseAndChannel: "refuse" } });
    const { id, state } = await brought(on, { ...complete, release: before });
    const now = { ...complete, release: after, schedule: "0 1 * * *" };
    expect(await on.operation().tenant.update(id, state, now)).toMatchObject({ release: after });
    expect(await on.tenant(id)).toMatchObject({ ...taken, user_schedule: "0 1 * * *" });
  });
});

describe.each([["nothing"], ["empty"]] as const)("a PATCH whose response is %s", (patchAnswer) => {
  test("is confirmed by a read", async () => {
    await using on = await stage({ variants: { patchAnswer } });
    const { id, state } = await brought(on);
    const after: TenantInputs = {
      ...complete,
      schedule: "none",
      release: { channel: "Latest" },
      configs: { region: "us" },
      metadata: { plan: "silver" },
    };
    expect(await on.operation().tenant.update(id, state, after)).toMatchObject(after);
    expect(await on.tenant(id)).toMatchObject({ user_schedule: null, metadata: { plan: "silver" } });
  });
});

test("an archived tenant is an error that says what to do", async () => {
  await using on = await stage();
  const { id, state } = await brought(on);
  await on.changeByHand(id, { archived: true });
  const failure = await failureOf(on.operation().tenant.update(id, state, { ...complete, paused: true }));
  expect(failure.message).toMatch(/"acme" \(id \d+\) has been archived.*refresh/);
  expect(on.writes()).toEqual([]);
});

test("a tenant that is archived during an update stays in the state, with an error", async () => {
  await using on = await stage();
  const { id, state } = await brought(on);
  on.emulator.fault({
    kind: "delay",
    ms: 60_000,
    applied: true,
    match: { method: "PATCH", path: "/v2/tenants/\\d+$" },
  });
  const updating = failureOf(on.operation().tenant.update(id, state, { ...complete, schedule: "0 1 * * *" }));
  await eventually(() => expect(on.writes()).toHaveLength(1));
  await on.changeByHand(id, { archived: true });
  on.emulator.clearFaults();
  expect(await updating).toMatchObject({
    name: "IncompleteError",
    message: expect.stringMatching(/archived|vanished/),
  });
});

test("a hundred concurrent updates share their reads", async () => {
  await using on = await stage();
  const { tenant } = on.operation({ consistencyTimeoutSeconds: 10 });
  const names = Array.from({ length: 100 }, (_, index) => `t${index}`);
  const made = await Promise.all(names.map((name) => tenant.create({ ...acme, name })));
  on.emulator.clearRequests();
  const later = on.operation({ consistencyTimeoutSeconds: 10 }).tenant;
  await Promise.all(made.map(({ id, state }) => later.update(id, state, { ...acme, name: state.name, paused: false })));
  expect((await on.live()).every(({ paused }) => !paused)).toBe(true);
  expect(on.listCount()).toBeLessThan(30);
});

test("a release replaces a channel even if the platform does not send the channel", async () => {
  await using on = await stage({ variants: { absentField: "integration_release_channel" } });
  const onChannel = { ...complete, release: { channel: "Latest" } } satisfies TenantInputs;
  const { id, state } = await brought(on, onChannel);
  const { integration_release_id: release } = (await on.live())[0] ?? {};
  await on.operation().tenant.update(id, state, { ...complete, release: { id: Number(release) } });
  expect(await on.tenant(id)).toMatchObject({ integration_release_id: release, integration_release_channel: null });
});
