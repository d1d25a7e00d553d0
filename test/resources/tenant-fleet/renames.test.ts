import { describe, expect, test } from "vitest";
import { stage } from "../stage.ts";
import { brought, fleet, idIn, keptOf, kindsOfWrites, liveNames, operation } from "./fleet-stage.ts";

const { acme } = fleet.tenants;

/** A fleet of these tenants. */
function of(tenants: typeof fleet.tenants | Record<string, object>) {
  return { ...fleet, tenants: Object.fromEntries(Object.entries(tenants)) };
}

describe("a key with a former one", () => {
  test("takes its tenant along, whose name changes in place, and does so once", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, of({ acme }));
    const now = of({ "acme-group": { ...acme, formerly: "acme" } });
    expect(await operation(on).check(now, of({ acme }))).toEqual([]);
    expect(await operation(on).diff(id, state, now)).toEqual({ isChanged: true });
    expect(on.warnings).toEqual(['fleet "billing": 1 to change']);
    const updated = await operation(on).update(id, state, now);
    expect(on.writes()).toEqual([
      { request: `PATCH /v2/tenants/${idIn(state, "acme")}`, body: { name: "acme-group" } },
    ]);
    expect(updated.tenants).toEqual({ "acme-group": { ...acme, formerly: "acme", tenantId: idIn(state, "acme") } });
    expect(await operation(on).diff(id, updated, now)).toEqual({ isChanged: false });
    expect(await operation(on).read(id, updated)).toEqual({ inputs: now, state: updated });
  });

  test("leaves its name to a new tenant", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, of({ first: { ...acme, name: "acme" } }));
    const now = of({ first: { ...acme, name: "acme-old" }, acme: { configs: { region: "uk" } } });
    const updated = await operation(on).update(id, state, now);
    expect(await liveNames(on)).toEqual(["acme", "acme-old"]);
    expect(idIn(updated, "first")).toBe(idIn(state, "first"));
  });

  test("keeps the tenant's name where that is declared: nothing is written", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, of({ acme }));
    const now = of({ first: { ...acme, name: "acme", formerly: ["older", "acme"] } });
    expect(await operation(on).diff(id, state, now)).toEqual({ isChanged: true });
    const updated = await operation(on).update(id, state, now);
    expect(on.writes()).toEqual([]);
    expect(idIn(updated, "first")).toBe(idIn(state, "acme"));
    expect(await operation(on).diff(id, updated, now)).toEqual({ isChanged: false });
  });

  test("is tried again under its new key where the rename was refused", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, of({ acme }));
    on.emulator.fault({ kind: "status", status: 422, match: { method: "PATCH" } });
    const now = of({ "acme-group": { ...acme, formerly: "acme" } });
    const kept = await keptOf(operation(on).update(id, state, now));
    expect(kept.state.tenants["acme-group"]).toMatchObject({ name: "acme", tenantId: idIn(state, "acme") });
    await operation(on).update(id, kept.state, now);
    expect(await liveNames(on)).toEqual(["acme-group"]);
  });

  test("makes a tenant of its own where the former key is still declared", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, of({ acme }));
    const now = of({ acme, "acme-group": { formerly: "acme" } });
    const updated = await operation(on).update(id, state, now);
    expect(kindsOfWrites(on)).toEqual(["POST /v2/tenants"]);
    expect(idIn(updated, "acme")).toBe(idIn(state, "acme"));
    expect(await liveNames(on)).toEqual(["acme", "acme-group"]);
  });

  test("makes a tenant of its own where nobody had that key", async () => {
    await using on = await stage();
    const { state } = await brought(on, of({ dune: { formerly: "nobody" } }));
    expect(Object.keys(state.tenants)).toEqual(["dune"]);
  });

  test("keeps the tenant that it has, so that two keys do not swap at every up", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, of({ acme: {}, bluebird: {} }));
    const now = of({ acme: { formerly: "bluebird" }, bluebird: { formerly: "acme" } });
    const updated = await operation(on).update(id, state, now);
    expect(on.writes()).toEqual([]);
    expect(idIn(updated, "acme")).toBe(idIn(state, "acme"));
    expect(await operation(on).diff(id, updated, now)).toEqual({ isChanged: false });
  });

  test("swaps two tenants where their names are swapped: settings move, tenants stay", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, of({ a: { name: "acme" }, b: { name: "bluebird" } }));
    const updated = await operation(on).update(
      id,
      state,
      of({ c: { name: "acme", formerly: "a" }, d: { name: "bluebird", formerly: "b" } }),
    );
    expect(on.writes()).toEqual([]);
    expect([idIn(updated, "c"), idIn(updated, "d")]).toEqual([idIn(state, "a"), idIn(state, "b")]);
  });
});

describe("of several", () => {
  test("former keys that are all there, the first is renamed and the others are no longer declared: none is lost", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, of({ one: {}, two: {} }));
    const now = of({ both: { formerly: ["one", "two"] } });
    await operation(on).diff(id, state, now);
    expect(on.warnings).toEqual(['fleet "billing": 1 to change, 1 to archive']);
    const updated = await operation(on).update(id, state, now);
    expect(updated.tenants).toEqual({ both: { formerly: ["one", "two"], tenantId: idIn(state, "one") } });
    expect(await liveNames(on)).toEqual(["both"]);
  });

  test("keys that had the same one, the first has its tenant and the others make theirs", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, of({ acme: {} }));
    const updated = await operation(on).update(id, state, of({ x: { formerly: "acme" }, y: { formerly: "acme" } }));
    expect(idIn(updated, "x")).toBe(idIn(state, "acme"));
    expect(await liveNames(on)).toEqual(["x", "y"]);
  });
});
