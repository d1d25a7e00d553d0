import { describe, expect, test } from "vitest";
import { unknownValue } from "../../../src/json-schema/index.ts";
import { IncompleteError } from "../../../src/resources/lifecycle.ts";
import { createPlatform } from "../../../src/resources/platform.ts";
import { tenantFleetLifecycle } from "../../../src/resources/tenant-fleet/lifecycle.ts";
import { tenantFleetStateSchema } from "../../../src/resources/tenant-fleet/schema.ts";
import { failureOf, type Stage, stage } from "../stage.ts";

const fleet = {
  integration: "crm-to-billing",
  name: "billing",
  tenants: {
    acme: { paused: false, configs: { region: "eu" }, metadata: { plan: "gold" } },
    bluebird: { schedule: "0 * * * *", release: { tag: "v1.0.0" } },
    cedar: { name: "cedar-2", configs: { region: "uk" } },
  },
};

/** The fleet's lifecycle in a new operation of the engine. */
function operation(
  on: Stage,
  options: { areLimitsLifted?: boolean; keep?: (name: string, text: string) => string } = {},
) {
  const { platform } = on.operation();
  const { client, settleSeconds } = platform;
  return tenantFleetLifecycle(
    createPlatform({ client, settleSeconds, warn: (message) => on.warnings.push(message), ...options }),
  );
}

async function brought(on: Stage, inputs: Parameters<ReturnType<typeof operation>["create"]>[0] = fleet) {
  const made = await operation(on).create(inputs);
  on.emulator.clearRequests();
  return made;
}

async function liveNames(on: Stage) {
  return (await on.live()).map(({ name }) => name).sort();
}

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
    expect(await operation(on).check(twice, undefined)).toMatchObject([{ property: "tenants.acme" }]);
    const unknown = await operation(on).check({ ...fleet, integration: "crm" }, undefined);
    expect(unknown).toMatchObject([{ property: "integration" }]);
  });

  test("tells tenants of one name apart by the ids that they are taken over by", async () => {
    await using on = await stage();
    const add = () => on.add({ integration: "crm-to-billing", name: "twin" });
    const tenants = { one: { name: "twin", adopt: await add() }, other: { name: "twin", adopt: await add() } };
    expect(await operation(on).check({ ...fleet, tenants }, undefined)).toEqual([]);
    const twice = { ...tenants, other: { ...tenants.one, name: "twin-2" } };
    expect(await operation(on).check({ ...fleet, tenants: twice }, undefined)).toMatchObject([
      { property: "tenants.other", reason: expect.stringContaining("one does already") },
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
    expect((await on.tenant(state.tenants.acme?.tenantId ?? 0)).metadata).toEqual({ plan: "gold" });

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
    expect(
      on
        .writes()
        .map(({ request }) => request.replace(/\d+$/, "N"))
        .sort(),
    ).toEqual(["DELETE /v2/tenants/N", "PATCH /v2/tenants/N", "POST /v2/tenants"]);
    expect(tenantFleetStateSchema.parse(updated)).toEqual(updated);

    await operation(on).delete(id, updated);
    expect(await liveNames(on)).toEqual([]);
  });

  test("shows drift tenant by tenant, and makes anew what was archived behind its back", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    await on.changeByHand(state.tenants.acme?.tenantId ?? 0, { paused: true });
    await on.changeByHand(state.tenants.cedar?.tenantId ?? 0, { archived: true });
    const read = await operation(on).read(id, state);
    expect(read?.inputs.tenants).toEqual({
      acme: { ...fleet.tenants.acme, paused: true },
      bluebird: fleet.tenants.bluebird,
    });
    const repaired = await operation(on).update(id, read?.state ?? state, fleet);
    expect(await liveNames(on)).toEqual(["acme", "bluebird", "cedar-2"]);
    expect((await on.tenant(repaired.tenants.acme?.tenantId ?? 0)).paused).toBe(false);
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
    const error = await failureOf(operation(on).create(golden));
    expect(error).toBeInstanceOf(IncompleteError);
    expect(error.message).toContain("2 tenants are not as declared");
    expect(error.message).toMatch(/\n {2}\w+: POST \/v2\/tenants: refused/);
    expect(error.message).toMatch(/\n {2}\w+: PATCH \/v2\/tenants\/\d+\/metadata: refused/);
    expect(await on.live()).toHaveLength(2);

    const state = tenantFleetStateSchema.parse(error instanceof IncompleteError ? error.state : undefined);
    expect(Object.keys(state.tenants)).toHaveLength(2);
    on.emulator.clearRequests();
    const { id } = error instanceof IncompleteError ? error : { id: "" };
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

describe("limits", () => {
  const limited = { ...fleet, limits: { archive: 1, change: "50%" } };

  test("refuse an update that would archive too many, before any request", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, limited);
    const emptied = { ...limited, tenants: {} };
    await expect(operation(on).diff(id, state, emptied)).rejects.toThrow(
      /would archive 3 tenants of 3.*acme, bluebird, cedar/,
    );
    await expect(operation(on).update(id, state, emptied)).rejects.toThrow(/INTEGRATION_PLATFORM_ALLOW_LIMITS=1/);
    expect(on.writes()).toEqual([]);
  });

  test("refuse an update that would change too many", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, limited);
    const paused = Object.entries(fleet.tenants).map(([key, entry]) => [key, { ...entry, schedule: "1 1 * * *" }]);
    const changed = { ...limited, tenants: Object.fromEntries(paused) };
    await expect(operation(on).update(id, state, changed)).rejects.toThrow(
      /would change 3 tenants of 3, and its limits.change is 50%/,
    );
  });

  test("are lifted for one run, and allow what is within them", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, limited);
    const { acme: _, ...rest } = fleet.tenants;
    const updated = await operation(on).update(id, state, { ...limited, tenants: rest });
    expect(await liveNames(on)).toEqual(["bluebird", "cedar-2"]);
    await operation(on, { areLimitsLifted: true }).update(id, updated, { ...limited, tenants: {} });
    expect(await liveNames(on)).toEqual([]);
  });
});

describe("removal", () => {
  test("forgets instead of archiving where that was brought up before", async () => {
    await using on = await stage();
    const tenants = { ...fleet.tenants, cedar: { ...fleet.tenants.cedar, onRemove: "forget" as const } };
    const { id, state } = await brought(on, { ...fleet, tenants });
    const updated = await operation(on).update(id, state, { ...fleet, tenants: {} });
    expect(await liveNames(on)).toEqual(["cedar-2"]);
    expect(updated.tenants).toEqual({});
  });

  test("refuses a connected tenant, and archives the others", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    await on.changeByHand(state.tenants.acme?.tenantId ?? 0, { status: { auth: { connected: true } } });
    const error = await failureOf(operation(on).update(id, state, { ...fleet, tenants: {} }));
    expect(error.message).toContain("acme: tenant");
    expect(await liveNames(on)).toEqual(["acme"]);
    const left = tenantFleetStateSchema.parse(error instanceof IncompleteError ? error.state : undefined);
    expect(Object.keys(left.tenants)).toEqual(["acme"]);
  });
});

test("a refresh of 1,000 tenants without metadata costs at most four lists", async () => {
  await using on = await stage();
  const tenants = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`t-${index}`, { paused: true }]));
  const seeded = await Promise.all(
    Object.keys(tenants).map(async (name) => [name, await on.add({ integration: 101, name, paused: true })] as const),
  );
  const state = {
    integration: "crm-to-billing",
    name: "billing",
    integrationId: 101,
    tenants: Object.fromEntries(seeded.map(([name, tenantId]) => [name, { paused: true, tenantId }])),
  };
  on.emulator.clearRequests();
  const read = await operation(on).read("101", state);
  expect(read?.state).toEqual(state);
  expect(on.emulator.requests().length).toBeLessThanOrEqual(5); // three lists, the integrations and the releases
  expect(on.listCount()).toBeLessThanOrEqual(4);
});
