import { describe, expect, test } from "vitest";
import { unknownValue } from "../../../src/json/unknown.ts";
import { tenantFleetLifecycle } from "../../../src/resources/tenant-fleet/lifecycle.ts";
import { tenantFleetStateSchema } from "../../../src/resources/tenant-fleet/schema.ts";
import { failureOf, stage } from "../stage.ts";
import { brought, fleet, idIn, keptOf, kindsOfWrites, liveNames, operation } from "./fleet-stage.ts";

test.concurrent("a tenant's state lists the values that the platform hides, and its inputs do not", async () => {
  await using on = await stage({ variants: { maskedConfigs: "other" } });
  const tenants = { acme: { configs: { region: "eu", api_token: "s3cret-token" } }, bluebird: {} };
  const { id, state } = await brought(on, { ...fleet, tenants });
  expect(state.tenants.acme?.unreadablePaths).toEqual([["configs", "api_token"]]);
  expect(state.tenants.bluebird).not.toHaveProperty("unreadablePaths");
  expect(await operation(on).read(id, state)).toEqual({ inputs: { ...fleet, tenants }, state });
  expect(await operation(on).diff(id, state, { ...fleet, tenants })).toEqual({ isChanged: false });
});

describe.concurrent("check", () => {
  test("reports each mistake with the tenant's path", async () => {
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

  test("refuses two keys for one tenant, and reports the fleet's own failures once", async () => {
    await using on = await stage();
    const twice = { ...fleet, tenants: { a: { name: "acme" }, acme: {} } };
    expect(await operation(on).check(twice, undefined)).toMatchObject([
      { property: "tenants.acme.name", reason: expect.stringMatching(/two resources, TenantFleet billing\/a and/) },
    ]);
    const unknown = await operation(on).check({ ...fleet, integration: "crm" }, undefined);
    expect(unknown).toMatchObject([{ property: "integration" }]);
  });

  test("accepts tenants that share a name if they adopt different ids, and refuses a shared id", async () => {
    await using on = await stage();
    const ids = [await on.add({ integration: 101, name: "twin" }), await on.add({ integration: 101, name: "twin" })];
    const twins = (...adopt: unknown[]) => ({
      ...fleet,
      tenants: { one: { name: "twin", adopt: adopt[0] }, two: { name: "twin", adopt: adopt[1] } },
    });
    expect(await operation(on).check(twins(...ids), undefined)).toEqual([]);
    expect(await operation(on).check(twins(ids[0], ids[0]), undefined)).toMatchObject([
      { property: "tenants.two.adopt", reason: expect.stringContaining("declared by TenantFleet billing/one too") },
    ]);
  });

  test("skips unknown values", async () => {
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

describe.concurrent("from create to delete", () => {
  test("creates, reads, changes each tenant, and archives", async () => {
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
    expect(on.notes.slice(-2)).toEqual([
      'fleet "billing": creates 1 tenant, changes 1, archives 1; 1 unchanged',
      'fleet "billing": acme: paused false -> true',
    ]);
    on.emulator.clearRequests();
    const updated = await operation(on).update(id, state, now);
    expect(await liveNames(on)).toEqual(["acme", "cedar-2", "dune"]);
    expect(kindsOfWrites(on)).toEqual(["DELETE /v2/tenants/N", "PATCH /v2/tenants/N", "POST /v2/tenants"]);
    expect(tenantFleetStateSchema.parse(updated)).toEqual(updated);

    await operation(on).delete(id, updated);
    expect(await liveNames(on)).toEqual([]);
  });

  test("accepts a key with the name of a member of every object", async () => {
    await using on = await stage();
    const odd = { paused: true, sync: { mode: "normal", triggers: { version: 1 } } } as const;
    const { id, state } = await operation(on).create({ ...fleet, tenants: { constructor: odd } });
    const updated = await operation(on).update(id, state, { ...fleet, tenants: { constructor: odd, value: {} } });
    expect(await liveNames(on)).toEqual(["constructor", "value"]);
    await operation(on).update(id, updated, { ...fleet, tenants: {} });
    expect(await liveNames(on)).toEqual([]);
  });

  test("shows drift of each tenant, and creates a tenant again that was archived by hand", async () => {
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

  test("reports a tenant that cannot be read, and keeps it in the state", async () => {
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

describe.concurrent("a fleet with failing tenants", () => {
  const metadata = { plan: "gold" };
  const golden = { ...fleet, tenants: { acme: { metadata }, bluebird: { metadata }, cedar: { metadata } } };

  test("applies the other tenants, reports each failure, and finishes in the next up", async () => {
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

  test("writes more than twenty failures to a file", async () => {
    await using on = await stage();
    on.emulator.fault({ kind: "status", status: 422, times: 100, match: { method: "POST", path: "/v2/tenants$" } });
    const kept: string[] = [];
    const keep = (_: string, text: string) => {
      kept.push(text);
      return "/somewhere/failures.txt";
    };
    const tenants = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`t-${index}`, {}]));
    const error = await failureOf(operation(on, { writeReport: keep }).create({ ...fleet, tenants }));
    expect(error.message).toContain("and 5 more; all of them are in /somewhere/failures.txt");
    expect(kept[0]?.trim().split("\n")).toHaveLength(25);
  });

  test("keeps what has been done if the file of the failures cannot be written", async () => {
    await using on = await stage();
    on.emulator.fault({ kind: "status", status: 422, times: 25, match: { method: "POST", path: "/v2/tenants$" } });
    const writeReport = () => {
      throw new Error("EROFS: read-only file system");
    };
    const tenants = Object.fromEntries(Array.from({ length: 26 }, (_, index) => [`t-${index}`, {}]));
    const { state, message } = await keptOf(operation(on, { writeReport }).create({ ...fleet, tenants }));
    expect(message).toContain("and 5 more, of which no report can be written: EROFS: read-only file system");
    expect(Object.keys(state.tenants)).toHaveLength(1);
  });

  test("takes over the tenants of a killed create, and creates none twice", async () => {
    await using on = await stage();
    await operation(on).create({ ...fleet, tenants: { acme: fleet.tenants.acme } });
    on.emulator.clearRequests();
    await operation(on).create(fleet);
    expect(await liveNames(on)).toEqual(["acme", "bluebird", "cedar-2"]);
    expect(on.writes().filter(({ request }) => request.startsWith("POST"))).toHaveLength(2);
  });
});

describe.concurrent("one tenant has one declaration", () => {
  test("tenants with the same name are taken over by their ids at once", async () => {
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
    "a fleet and a Tenant that create or take over the same tenant at once are an error, and none is created twice: %s",
    async (_, more) => {
      await using on = await stage();
      const id = await on.add({ integration: 101, name: "beta" });
      const name = Object.keys(more(id)).length > 0 ? "beta" : "acme";
      const { context, tenant } = on.operation();
      const results = await Promise.allSettled([
        tenant.create({ integration: 101, name, ...more(id) }),
        tenantFleetLifecycle(context).create({ ...fleet, tenants: { [name]: more(id) } }),
      ]);
      expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect((await liveNames(on)).filter((live) => live === name)).toHaveLength(1);
    },
  );

  test("a new key with the name of a removed one keeps its tenant, and nothing is archived", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, { ...fleet, tenants: { acme: {} } });
    const updated = await operation(on).update(id, state, { ...fleet, tenants: { other: { name: "acme" } } });
    expect(on.writes()).toEqual([]);
    expect(idIn(updated, "other")).toBe(idIn(state, "acme"));
  });
});
