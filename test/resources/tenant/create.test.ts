import { describe, expect, test } from "vitest";
import { IncompleteError } from "../../../src/resources/lifecycle.ts";
import { tenantLifecycle } from "../../../src/resources/tenant/lifecycle.ts";
import type { TenantInputs } from "../../../src/resources/tenant/schema.ts";
import { eventually } from "../../eventually.ts";
import { acme, complete, failureOf, stage } from "../stage.ts";

test("creates the tenant, writes its metadata, then resumes it", async () => {
  await using on = await stage();
  const { id, state } = await on.operation().tenant.create(complete);
  expect(on.writes()).toEqual([
    {
      request: "POST /v2/tenants",
      body: {
        name: "acme",
        integration_id: 101,
        user_schedule: complete.schedule,
        integration_release_id: 901,
        configs: complete.configs,
      },
    },
    { request: `PATCH /v2/tenants/${id}/metadata`, body: { plan: "gold" } },
    { request: `PATCH /v2/tenants/${id}`, body: { paused: false } },
  ]);
  expect(state).toEqual({ ...complete, tenantId: Number(id), integrationId: 101 });
  expect(await on.tenant(id)).toMatchObject({ paused: false, configs: complete.configs, metadata: { plan: "gold" } });
});

test("keeps the tenant in the state if what it has cannot be read any more", async () => {
  await using on = await stage();
  const { context } = on.operation();
  const releasesOf = (id: number) => {
    const releases = context.snapshot.releasesOf(id);
    const byTag = (tag: string) => (on.writes().length > 1 ? Promise.reject(new Error("down")) : releases.byTag(tag));
    return { ...releases, byTag };
  };
  const tenant = tenantLifecycle({ ...context, snapshot: { ...context.snapshot, releasesOf } });
  on.emulator.fault({ kind: "status", status: 403, match: { path: "/metadata$" }, times: 9 });
  const failure = await failureOf(tenant.create({ ...complete, release: { tag: "v1.0.0" } }));
  const [made] = await on.live();
  expect(failure).toBeInstanceOf(IncompleteError);
  expect(failure).toMatchObject({ id: String(made?.id), state: { name: "acme", tenantId: made?.id } });
});

test("succeeds only after a read shows the result", async () => {
  await using on = await stage();
  await on.operation().tenant.create(complete);
  const requests = on.emulator.requests().map(({ method, path }) => `${method} ${path}`);
  const lastOf = (request: RegExp) => requests.findLastIndex((text) => request.test(text));
  expect(lastOf(/^GET .*metadata$/)).toBeGreaterThan(lastOf(/^PATCH .*metadata$/));
  expect(lastOf(/^GET \/v2\/tenants$/)).toBeGreaterThan(lastOf(/^PATCH \/v2\/tenants\/\d+$/));
});

test("reads the metadata once after it was written, and not again after the tenant was resumed", async () => {
  await using on = await stage();
  await on.operation().tenant.create(complete);
  const reads = on.emulator.requests().filter(({ method, path }) => method === "GET" && path.endsWith("/metadata"));
  expect(reads).toHaveLength(1);
});

describe("sends only declared settings", () => {
  test.each<[string, Partial<TenantInputs>, object]>([
    ["only a name", {}, {}],
    ["a channel", { release: { channel: "Latest" } }, { integration_release_channel: "Latest" }],
    ["a release by id", { release: { id: 902 } }, { integration_release_id: 902 }],
    ["a release by tag", { release: { tag: "v1.1.0" } }, { integration_release_id: 902 }],
    ["paused: true, which a new tenant is", { paused: true }, {}],
    ["empty configs", { configs: {} }, { configs: {} }],
    ["no metadata where they are empty", { metadata: {} }, {}],
  ])("%s", async (_, declared, sent) => {
    await using on = await stage();
    await on.operation().tenant.create({ ...acme, ...declared });
    expect(on.writes()).toEqual([
      { request: "POST /v2/tenants", body: { name: "acme", integration_id: 101, ...sent } },
    ]);
  });
});

test("schedule: none needs only a POST if the integration has no schedule", async () => {
  await using on = await stage();
  const { id, state } = await on.operation().tenant.create({ ...acme, schedule: "none" });
  expect(state.schedule).toBe("none");
  expect(await on.tenant(id)).toMatchObject({ user_schedule: null });
});

test("schedule: none clears a schedule that the tenant got in the meantime", async () => {
  await using on = await stage();
  const { tenant } = on.operation();
  on.emulator.fault({ kind: "delay", ms: 60_000, match: { method: "POST" }, applied: true });
  const creating = tenant.create({ ...acme, schedule: "none" });
  await eventually(async () => expect(await on.live()).toHaveLength(1));
  const [made] = await on.live();
  await on.changeByHand(made?.id ?? 0, { user_schedule: "0 2 * * *" });
  on.emulator.clearFaults();
  const { id } = await creating;
  expect(await on.tenant(id)).toMatchObject({ user_schedule: null });
});

describe("after a failure that follows the POST, the state keeps the tenant and the next update completes it", () => {
  test("refused metadata", async () => {
    await using on = await stage();
    on.emulator.fault({ kind: "status", status: 422, match: { path: "metadata$" } });
    const failure = await failureOf(on.operation().tenant.create(complete));
    const [made] = await on.live();
    expect(failure).toBeInstanceOf(IncompleteError);
    expect(failure).toMatchObject({
      id: String(made?.id),
      state: { name: "acme", paused: true, configs: complete.configs, metadata: {}, tenantId: made?.id },
    });
    expect(made?.paused).toBe(true);
    await finishes(on, failure);
  });

  test("a refused resume", async () => {
    await using on = await stage();
    on.emulator.fault({ kind: "status", status: 403, match: { method: "PATCH", path: "/v2/tenants/\\d+$" } });
    const failure = await failureOf(on.operation().tenant.create(complete));
    expect(failure).toMatchObject({ name: "IncompleteError", state: { paused: true, metadata: { plan: "gold" } } });
    await finishes(on, failure);
  });

  test("a platform that stays down", async () => {
    await using on = await stage();
    on.emulator.fault({ kind: "status", status: 503, skip: 5, times: 1000 });
    const failure = await failureOf(on.operation().tenant.create(complete));
    expect(failure).toMatchObject({ name: "IncompleteError", state: { configs: complete.configs, metadata: {} } });
    on.emulator.clearFaults();
    await finishes(on, failure);
  });

  test("a field that the platform ignores: the error names it without its value", async () => {
    await using on = await stage();
    on.emulator.fault({ kind: "ignore-fields", fields: ["configs"], match: { method: "POST" } });
    on.emulator.fault({ kind: "ignore-fields", fields: ["configs"], match: { method: "PATCH" } });
    const failure = await failureOf(on.operation().tenant.create({ ...acme, configs: complete.configs }));
    expect(failure).toMatchObject({ name: "IncompleteError", state: { configs: {} } });
    expect(failure.message).toMatch(/not applied configs.region/);
    expect(failure.message).not.toContain("s3cret");
  });

  async function finishes(on: Awaited<ReturnType<typeof stage>>, failure: Error) {
    if (!(failure instanceof IncompleteError)) throw failure;
    const state = await on.operation().tenant.update(failure.id, failure.state, complete);
    expect(state).toMatchObject(complete);
    expect(await on.tenant(failure.id)).toMatchObject({ paused: false, metadata: { plan: "gold" } });
    expect(await on.live()).toHaveLength(1);
  }
});

test("a refused POST stores nothing", async () => {
  await using on = await stage();
  const failure = await failureOf(on.operation().tenant.create({ ...acme, configs: { region: "mars" } }));
  expect(failure).not.toBeInstanceOf(IncompleteError);
  expect(failure.message).toMatch(/POST \/v2\/tenants.*422.*configs.region/);
  expect(await on.live()).toEqual([]);
});

test("two hundred concurrent creates send one POST each and share their reads", async () => {
  await using on = await stage();
  const { tenant } = on.operation({ consistencyTimeoutSeconds: 10 });
  const names = Array.from({ length: 200 }, (_, index) => `t${index}`);
  await Promise.all(names.map((name) => tenant.create({ ...acme, name })));
  expect(await on.live()).toHaveLength(200);
  expect(on.writes()).toHaveLength(200);
  expect(on.listCount()).toBeLessThan(50);
});
