import { describe, expect, test } from "vitest";
import { providerUnderTest } from "../engine/harness/provider-under-test.ts";
import { complete } from "../resources/stage.ts";
import { changedInputs } from "./host-kinds.ts";
import { stagedHost, unknownList, unknownObject, unknownText } from "./staged-host.ts";

test.concurrent("a tenant from create to delete", async () => {
  await using staged = await stagedHost();
  const { on, host } = staged;

  expect(await host.check(complete)).toEqual({ inputs: complete, failures: [] });
  const { id, properties } = await host.create(complete);
  // a native provider's address is in the state of the provider resource
  const ofDynamic = providerUnderTest === "dynamic" && { platform: expect.stringMatching(/^[\w-]{8}$/) };
  expect(properties).toEqual({ ...complete, tenantId: Number(id), integrationId: 101, ...ofDynamic });
  expect(await on.tenant(id)).toMatchObject({ paused: false, configs: complete.configs, metadata: { plan: "gold" } });

  await using preview = await staged.nextHost();
  expect(await preview.check(complete, complete)).toEqual({ inputs: complete, failures: [] });
  expect(await preview.diff(id, properties, complete)).toEqual({ changes: 1, replaces: [], isDeletedFirst: true });

  await on.changeByHand(id, { user_schedule: "0 1 * * *" });
  await using refresh = await staged.nextHost();
  const drifted = { ...complete, schedule: "0 1 * * *" };
  const read = await refresh.read(id, properties);
  expect(read).toEqual({ id, inputs: drifted, properties: { ...properties, schedule: "0 1 * * *" } });
  expect(await refresh.diff(id, read.properties, complete)).toMatchObject({ changes: changedInputs, replaces: [] });
  expect(await refresh.update(id, read.properties, complete)).toEqual(properties);
  expect(await on.tenant(id)).toMatchObject({ user_schedule: complete.schedule });

  const elsewhere = { ...complete, integration: "shop-to-erp" };
  expect(await refresh.diff(id, properties, elsewhere)).toMatchObject({
    replaces: ["integration"],
    isDeletedFirst: true,
  });

  await using destroy = await staged.nextHost();
  await destroy.delete(id, properties);
  expect(await on.tenant(id)).toMatchObject({ archived: true });
  await destroy.delete(id, properties);
});

test.concurrent("a config of -0 is the platform's 0", async () => {
  await using staged = await stagedHost();
  const inputs = { ...complete, configs: { ...complete.configs, offsets: [-0, { of: -0 }] } };
  const { id, properties } = await staged.host.create(inputs);
  expect(await staged.on.tenant(id)).toMatchObject({ configs: { offsets: [0, { of: 0 }] } });
  expect(await staged.host.diff(id, properties, inputs)).toMatchObject({ changes: 1, replaces: [] });
});

test.concurrent("a failed check names each property", async () => {
  await using staged = await stagedHost();
  const inputs = { ...complete, name: "-acme", schedule: "x", configs: { region: "mars" }, paused: "yes" };
  // For a failure with a property, the engine prints the property's value, or {<nil>} for a path.
  const { failures: wrongType } = await staged.host.check(inputs);
  expect(wrongType).toEqual([{ property: "", reason: expect.stringMatching(/^paused: must be true or false/) }]);
  const { failures } = await staged.host.check({ ...inputs, paused: true });
  expect(failures.map(({ property }) => property)).toEqual(["", "", ""]);
  expect(failures.map(({ reason }) => reason.split(":")[0]).sort()).toEqual(["configs.region", "name", "schedule"]);
});

describe.concurrent("values that a preview does not know", () => {
  test("are skipped by check at any depth and returned unchanged", async () => {
    await using staged = await stagedHost();
    const inputs = {
      ...complete,
      name: unknownText,
      release: unknownObject,
      configs: { region: unknownText, list: unknownList, deep: [{ er: unknownText }] },
      metadata: unknownObject,
    };
    expect(await staged.host.check(inputs)).toEqual({ inputs, failures: [] });
    expect(staged.on.writes()).toEqual([]);
  });

  test("are a difference, and replace nothing", async () => {
    await using staged = await stagedHost();
    const { id, properties } = await staged.host.create(complete);
    for (const name of ["integration", "name", "schedule", "release", "paused", "configs", "metadata"]) {
      const news = { ...complete, [name]: unknownText };
      expect(await staged.host.diff(id, properties, news)).toMatchObject({ changes: changedInputs, replaces: [] });
    }
    const inputs = { ...complete, integration: unknownText };
    expect((await staged.host.check(inputs, complete)).failures).toEqual([]);
  });
});

describe.concurrent("a tenant that is gone", () => {
  test("is read as an empty id once it is archived", async () => {
    await using staged = await stagedHost();
    const { id, properties } = await staged.host.create(complete);
    await staged.on.changeByHand(id, { archived: true });
    await using refresh = await staged.nextHost();
    expect(await refresh.read(id, properties)).toMatchObject({ id: "", inputs: undefined });
  });

  test("is not assumed if no list shows it, unless INTEGRATION_PLATFORM_FORGET_UNLISTED=1 says so", async () => {
    await using staged = await stagedHost();
    const { properties } = await staged.host.create(complete);
    const unlisted = { ...properties, tenantId: 4711 };
    await expect(staged.host.read("4711", unlisted)).rejects.toThrow(
      "once with INTEGRATION_PLATFORM_FORGET_UNLISTED=1",
    );
    await using forgetting = await staged.nextHost({ INTEGRATION_PLATFORM_FORGET_UNLISTED: "1" });
    expect(await forgetting.read("4711", unlisted)).toMatchObject({ id: "" });
  });

  test("is not assumed after a 401, 403, 404 or 500", async () => {
    await using staged = await stagedHost();
    const { id, properties } = await staged.host.create(complete);
    await using refresh = await staged.nextHost();
    for (const status of [401, 403, 404, 500]) {
      staged.on.emulator.fault({ kind: "status", status, times: 5, match: { path: "/v2/tenants$" } });
      await expect(refresh.read(id, properties)).rejects.toThrow(new RegExp(`GET /v2/tenants.*${status}`));
      staged.on.emulator.clearFaults();
    }
  });
});

test.concurrent("many tenants in parallel, as in the engine's parallel steps", async () => {
  await using staged = await stagedHost();
  const names = Array.from({ length: 40 }, (_, index) => `t${index}`);
  const made = await Promise.all(names.map((name) => staged.host.create({ ...complete, name })));
  expect(await staged.on.live()).toHaveLength(40);

  await using refresh = await staged.nextHost();
  staged.on.emulator.clearRequests();
  const read = await Promise.all(made.map(({ id, properties }) => refresh.read(id, properties)));
  expect(read.map(({ properties }) => properties)).toEqual(made.map(({ properties }) => properties));
  expect(staged.on.listCount()).toBe(2); // the second one shows that the first, a short page, was the last
});

test.concurrent("metadata of a tenant that is managed elsewhere", async () => {
  await using staged = await stagedHost({ member: "tenantMetadata" }, { variants: { metadata: "replace" } });
  const { on, host } = staged;
  const tenantId = await on.add({ integration: 101, name: "theirs", metadata: { theirs: true } });
  const inputs = { tenantId, data: { plan: "gold" } };
  expect(await host.check({ tenantId: unknownText, data: { plan: unknownText } })).toMatchObject({ failures: [] });
  expect(await host.check(inputs)).toEqual({ inputs, failures: [] });
  const { id, properties } = await host.create(inputs);
  expect(await host.read(id, properties)).toEqual({ id, inputs, properties });
  expect(await host.diff(id, properties, inputs)).toMatchObject({ changes: 1 });
  await host.update(id, properties, { tenantId, data: { plan: "silver" } });
  expect((await on.tenant(id)).metadata).toEqual({ theirs: true, plan: "silver" });
  await using later = await staged.nextHost();
  await later.delete(id, { tenantId, data: { plan: "silver" } });
  expect((await on.tenant(id)).metadata).toEqual({ theirs: true });
});
