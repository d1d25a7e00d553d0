import { describe, expect, test } from "vitest";
import { unknownValue } from "../../../src/json-schema/index.ts";
import { tenantFleetLifecycle } from "../../../src/resources/tenant-fleet/lifecycle.ts";
import { tenantFleetStateSchema } from "../../../src/resources/tenant-fleet/schema.ts";
import { failureOf, stage } from "../stage.ts";
import { brought, fleet, idIn, keptOf, kindsOfWrites, liveNames, operation } from "./fleet-stage.ts";

test("a tenant's state tells which of its values the platform hides, and its inputs do not", async () => {
  await using on = await stage({ variants: { maskedConfigs: "digest" } });
  const tenants = { acme: { configs: { region: "eu", api_token: "s3cret-token" } }, bluebird: {} };
  const { id, state } = await brought(on, { ...fleet, tenants });
  expect(state.tenants.acme?.unreadablePaths).toEqual([["configs", "api_token"]]);
  expect(state.tenants.bluebird).not.toHaveProperty("unreadablePaths");
  expect(await operation(on).read(id, state)).toEqual({ inputs: { ...fleet, tenants }, state });
  expect(await operation(on).diff(id, state, { ...fleet, tenants })).toEqual({ isChanged: false });
});

describe("check", () => {
  test("names what is wrong by the tenant's path", async () => {
    await using on = await stage();
    const tenants = { acme: { configs: { region: "mars" } }, Bad_: {}, cedar: { shedule: "x" } };
    expect(await operation(on).check({ ...fleet, tenants: { ...tenants, cedar: {} } }, undefined)).toMatchObject([
      { property: "tenants.acme.configs.region", reason: expect.stringContaining("must be one of") },
      { property: "tenants.Bad_.name", reason: expect.stringContaining("lowercase") },
    ]);
    expect(await operation(on).check({ ...fleet, tenants }, undefined)).toMatchObject([
      { property: "tenants.cedar.shedule", reason: expect.stringContaining('did you mean "schedule"') },
    ]);
  });

  test("refuses two keys for one tenant, and tells the fleet's own failures once", async () => {
    await using on = await stage();
    const twice = { ...fleet, tenants: { a: { name: "acme" }, acme: {} } };
    expect(await operation(on).check(twice, undefined)).toMatchObject([
      { property: "tenants.acme.name", reason: expect.stringMatching(/two resources, TenantFleet billing\/a and/) },
    ]);
    const unknown = await operation(on).check({ ...fleet, integration: "crm" }, undefined);
    expect(unknown).toMatchObject([{ property: "integration" }]);
  });

  test("lets tenants share a name where the ids of those to take over tell them apart, and not an id", async () => {
    await using on = await stage();
    const ids = [await on.add({ integration: 101, name: "twin" }), await on.add({ integration: 101, name: "twin" })];
    const twins = (...adopt: unknown[]) => ({
      ...fleet,
      tenants: { one: { name: "twin", adopt: adopt[0] }, two: { name: "twin", adopt: adopt[1] } },
    });
    expect(await operation(on).check(twins(...ids), undefined)).toEqual([]);
    expect(await operation(on).check(twins(ids[0], ids[0]), undefined)).toMatchObject([
      { property: "tenants.two.name", reason: expect.stringContaining("declared by TenantFleet billing/one already") },
    ]);
  });

  test("passes over what is not known yet", async () => {
    await using on = await stage();
    const tenants = {
      acme: unknownValue,
      bluebird: { release: { id: unknownValue }, configs: { region: unknownValue } },
    };
    expect(await operation(on).check({ ...fleet, tenants }, undefined)).toEqual([]);
    expect(await operation(on).check({ ...fleet, tenants: unknownValue }, undefined)).toEqual([]);
    expect(await operation(on).check({ ...fleet, integration: unknownValue }, undefined)).toEqual([]);
  });
});

describe("a whole life", () => {
  test("makes, reads, changes tenant by tenant, and archives", async () => {
    await using on = await stage();
    const { id, state } = await operation(on).create(fleet);
    expect(await liveNames(on)).toEqual(["acme", "bluebird", "cedar-2"]);
    expect((await on.tenant(idIn(state, "acme"))).metadata).toEqual({ plan: "gold" });

    const later = operation(on);
    expect(await later.check(fleet, fleet)).toEqual([]);
    expect(await later.read(id, state)).toEqual({ inputs: fleet, state });
    expect(await later.diff(id, state, fleet)).toEqual({ isChanged: false });

    const now = {
      ...fleet,
      tenants: { acme: { ...fleet.tenants.acme, paused: true }, cedar: fleet.tenants.cedar, dune: {} },
    };
    expect(await later.diff(id, state, now)).toEqual({ isChanged: true });
    expect(on.warnings.at(-1)).toBe('fleet "billing": 1 to create, 1 to change, 1 to archive, 1 unchanged');
    on.emulator.clearRequests();
    const updated = await operation(on).update(id, state, now);
    expect(await liveNames(on)).toEqual(["acme", "cedar-2", "dune"]);
    expect(kindsOfWrites(on)).toEqual(["DELETE /v2/tenants/N", "PATCH /v2/tenants/N", "POST /v2/tenants"]);
    expect(tenantFleetStateSchema.parse(updated)).toEqual(updated);

    await operation(on).delete(id, updated);
    expect(await liveNames(on)).toEqual([]);
  });

  test("takes a key that objects have of themselves for a key", async () => {
    await using on = await stage();
    const odd = { paused: true, sync: { mode: "normal", triggers: { version: 1 } } } as const;
    const { id, state } = await operation(on).create({ ...fleet, tenants: { constructor: odd } });
    const updated = await operation(on).update(id, state, { ...fleet, tenants: { constructor: odd, value: {} } });
    expect(await liveNames(on)).toEqual(["constructor", "value"]);
    await operation(on).update(id, updated, { ...fleet, tenants: {} });
    expect(await liveNames(on)).toEqual([]);
  });

  test("shows drift tenant by tenant, and makes anew what was archived behind its back", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    await on.changeByHand(idIn(state, "acme"), { paused: true });
    await on.changeByHand(idIn(state, "cedar"), { archived: true });
    const read = await operation(on).read(id, state);
    expect(read?.inputs.tenants).toEqual({
      acme: { ...fleet.tenants.acme, paused: true },
      bluebird: fleet.tenants.bluebird,
    });
    const repaired = await operation(on).update(id, read?.state ?? state, fleet);
    expect(await liveNames(on)).toEqual(["acme", "bluebird", "cedar-2"]);
    expect((await on.tenant(idIn(repaired, "acme"))).paused).toBe(false);
  });

  test("says so where one tenant cannot be read: what is not known is not taken for gone", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    const path = `/v2/tenants/${idIn(state, "acme")}/metadata$`;
    on.emulator.fault({ kind: "status", status: 403, match: { method: "GET", path }, times: 99 });
    const { message } = await failureOf(operation(on).read(id, state));
    expect(message).toMatch(/metadata.*403/);
    expect(await liveNames(on)).toEqual(["acme", "bluebird", "cedar-2"]);
  });

  test("a change of integration replaces", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, { ...fleet, tenants: {} });
    const moved = { ...fleet, integration: "shop-to-erp", tenants: {} };
    expect(await operation(on).diff(id, state, moved)).toEqual({ isChanged: true, replaces: ["integration"] });
    expect(await operation(on).diff(id, state, { ...fleet, integration: 101, tenants: {} })).toEqual({
      isChanged: true,
    });
  });
});

describe("failure of some", () => {
  const metadata = { plan: "gold" };
  const golden = { ...fleet, tenants: { acme: { metadata }, bluebird: { metadata }, cedar: { metadata } } };

  test("stops no other, is named tenant by tenant, and is finished by the next up", async () => {
    await using on = await stage();
    const failing = { kind: "status", status: 422, body: { detail: [] }, times: 1 } as const;
    on.emulator.fault({ ...failing, match: { method: "POST", path: "/v2/tenants$" } });
    on.emulator.fault({ ...failing, match: { method: "PATCH", path: "/metadata$" } });
    const { id, state, message } = await keptOf(operation(on).create(golden));
    expect(message).toContain("2 tenants are not as declared");
    expect(message).toMatch(/\n {2}\w+: POST \/v2\/tenants: refused/);
    expect(message).toMatch(/\n {2}\w+: PATCH \/v2\/tenants\/\d+\/metadata: refused/);
    expect(await on.live()).toHaveLength(2);

    expect(Object.keys(state.tenants)).toHaveLength(2);
    on.emulator.clearRequests();
    const finished = await operation(on).update(id, state, golden);
    expect(await liveNames(on)).toEqual(["acme", "bluebird", "cedar"]);
    expect(on.writes().filter(({ request }) => request.startsWith("POST"))).toHaveLength(1);
    expect(await operation(on).diff(id, finished, golden)).toEqual({ isChanged: false });
  });

  test("more than twenty go to a file", async () => {
    await using on = await stage();
    on.emulator.fault({ kind: "status", status: 422, times: 100, match: { method: "POST", path: "/v2/tenants$" } });
    const kept: string[] = [];
    const keep = (_: string, text: string) => {
      kept.push(text);
      return "/somewhere/failures.txt";
    };
    const tenants = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`t-${index}`, {}]));
    const error = await failureOf(operation(on, { keep }).create({ ...fleet, tenants }));
    expect(error.message).toContain("and 5 more; all of them are in /somewhere/failures.txt");
    expect(kept[0]?.trim().split("\n")).toHaveLength(25);
  });

  test("a killed create leaves tenants that the next one takes over, and makes none twice", async () => {
    await using on = await stage();
    await operation(on).create({ ...fleet, tenants: { acme: fleet.tenants.acme } });
    on.emulator.clearRequests();
    await operation(on).create(fleet);
    expect(await liveNames(on)).toEqual(["acme", "bluebird", "cedar-2"]);
    expect(on.writes().filter(({ request }) => request.startsWith("POST"))).toHaveLength(2);
  });
});

describe("one tenant has one declaration", () => {
  test("tenants of one name are taken over by their ids at once", async () => {
    await using on = await stage();
    const one = await on.add({ integration: 101, name: "twin" });
    const two = await on.add({ integration: 101, name: "twin" });
    const tenants = { one: { name: "twin", adopt: one }, two: { name: "twin", adopt: two } };
    const { state } = await operation(on).create({ ...fleet, tenants });
    expect([idIn(state, "one"), idIn(state, "two")]).toEqual([one, two]);
  });

  test.each([
    ["by their name", () => ({})],
    ["by an id", (id: number) => ({ adopt: id })],
  ])(
    "a fleet and a Tenant that make or take over the same one at once are told, and none is made twice: %s",
    async (_, more) => {
      await using on = await stage();
      const id = await on.add({ integration: 101, name: "beta" });
      const name = Object.keys(more(id)).length > 0 ? "beta" : "acme";
      const { platform, tenant } = on.operation();
      const results = await Promise.allSettled([
        tenant.create({ integration: 101, name, ...more(id) }),
        tenantFleetLifecycle(platform).create({ ...fleet, tenants: { [name]: more(id) } }),
      ]);
      expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect((await liveNames(on)).filter((live) => live === name)).toHaveLength(1);
    },
  );

  test("a new key that bears the name of one that goes has its tenant: nothing is archived", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, { ...fleet, tenants: { acme: {} } });
    const updated = await operation(on).update(id, state, { ...fleet, tenants: { other: { name: "acme" } } });
    expect(on.writes()).toEqual([]);
    expect(idIn(updated, "other")).toBe(idIn(state, "acme"));
  });
});
