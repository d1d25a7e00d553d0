import { describe, expect, test } from "vitest";
import { type Stage, stage } from "../stage.ts";
import { brought, fleet, idIn, keptOf, kindsOfWrites, liveNames, operation } from "./fleet-stage.ts";

const { acme } = fleet.tenants;

/** A fleet of these tenants. */
function of(tenants: typeof fleet.tenants | Record<string, object>) {
  return { ...fleet, tenants: Object.fromEntries(Object.entries(tenants)) };
}

describe.concurrent("a key with an alias", () => {
  test("keeps its tenant and renames it in place, once", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, of({ acme }));
    const now = of({ "acme-group": { ...acme, aliases: ["acme"] } });
    expect(await operation(on).check(now, of({ acme }))).toEqual([]);
    expect(await operation(on).diff(id, state, now)).toEqual({ isChanged: true });
    expect(on.notes).toEqual([
      'fleet "billing": changes 1 tenant',
      'fleet "billing": acme-group: name "acme" -> "acme-group"',
    ]);
    const updated = await operation(on).update(id, state, now);
    expect(on.writes()).toEqual([
      { request: `PATCH /v2/tenants/${idIn(state, "acme")}`, body: { name: "acme-group" } },
    ]);
    expect(updated.tenants).toEqual({ "acme-group": { ...acme, aliases: ["acme"], tenantId: idIn(state, "acme") } });
    expect(await operation(on).diff(id, updated, now)).toEqual({ isChanged: false });
    expect(await operation(on).read(id, updated)).toEqual({ inputs: now, state: updated });
  });

  test("loses what it no longer declares of its metadata, after a refresh too", async () => {
    await using on = await stage({ variants: { metadata: "replace" } });
    const { id, state } = await brought(on, of({ acme: { metadata: { plan: "gold", seats: 3 } } }));
    const here = operation(on);
    const read = await here.read(id, state);
    const now = of({ "acme-group": { metadata: { plan: "gold" }, aliases: ["acme"] } });
    expect(await here.check(now, read?.inputs)).toEqual([]);
    await here.diff(id, read?.state ?? state, now);
    const updated = await here.update(id, read?.state ?? state, now);
    expect((await on.tenant(idIn(updated, "acme-group"))).metadata).toEqual({ plan: "gold" });
  });

  test.each([
    ["is still a key", { old: { ...acme, aliases: ["acme"] }, acme: { ...acme, aliases: ["other"] } }, "old", "acme"],
    ["two keys have", { one: { ...acme, aliases: ["other"] }, two: { ...acme, aliases: ["other"] } }, "two", "other"],
  ])("is refused if %s", async (_, tenants, key, alias) => {
    await using on = await stage();
    await brought(on, of({ acme, other: acme }));
    const failures = await operation(on).check(of(tenants), of({ acme, other: acme }));
    expect(failures).toEqual([
      { property: `tenants.${key}.aliases[0]`, reason: expect.stringContaining(`"${alias}" is `) },
    ]);
  });

  test("lets a new tenant use its former name", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, of({ first: { ...acme, name: "acme" } }));
    const now = of({ first: { ...acme, name: "acme-old" }, acme: { configs: { region: "uk" } } });
    const updated = await operation(on).update(id, state, now);
    expect(await liveNames(on)).toEqual(["acme", "acme-old"]);
    expect(idIn(updated, "first")).toBe(idIn(state, "first"));
  });

  test("keeps a declared name and writes nothing", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, of({ acme }));
    const now = of({ first: { ...acme, name: "acme", aliases: ["older", "acme"] } });
    expect(await operation(on).diff(id, state, now)).toEqual({ isChanged: true });
    const updated = await operation(on).update(id, state, now);
    expect(on.writes()).toEqual([]);
    expect(idIn(updated, "first")).toBe(idIn(state, "acme"));
    expect(await operation(on).diff(id, updated, now)).toEqual({ isChanged: false });
  });

  test("retries a refused rename under its new key", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, of({ acme }));
    on.emulator.fault({ kind: "status", status: 422, match: { method: "PATCH" } });
    const now = of({ "acme-group": { ...acme, aliases: ["acme"] } });
    const kept = await keptOf(operation(on).update(id, state, now));
    expect(kept.state.tenants["acme-group"]).toMatchObject({ name: "acme", tenantId: idIn(state, "acme") });
    await operation(on).update(id, kept.state, now);
    expect(await liveNames(on)).toEqual(["acme-group"]);
  });

  test("creates a new tenant if the former key is still declared", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, of({ acme }));
    const now = of({ acme, "acme-group": { aliases: ["acme"] } });
    const updated = await operation(on).update(id, state, now);
    expect(kindsOfWrites(on)).toEqual(["POST /v2/tenants"]);
    expect(idIn(updated, "acme")).toBe(idIn(state, "acme"));
    expect(await liveNames(on)).toEqual(["acme", "acme-group"]);
  });

  test("creates a new tenant if no tenant had the former key", async () => {
    await using on = await stage();
    const { state } = await brought(on, of({ dune: { aliases: ["nobody"] } }));
    expect(Object.keys(state.tenants)).toEqual(["dune"]);
  });

  test("keeps its current tenant, so that two keys do not swap at every up", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, of({ acme: {}, bluebird: {} }));
    const now = of({ acme: { aliases: ["bluebird"] }, bluebird: { aliases: ["acme"] } });
    const updated = await operation(on).update(id, state, now);
    expect(on.writes()).toEqual([]);
    expect(idIn(updated, "acme")).toBe(idIn(state, "acme"));
    expect(await operation(on).diff(id, updated, now)).toEqual({ isChanged: false });
  });

  test("with swapped aliases swaps the settings of two tenants and archives none", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, of({ a: { name: "acme" }, b: { name: "bluebird" } }));
    const updated = await operation(on).update(
      id,
      state,
      of({ c: { name: "acme", aliases: ["a"] }, d: { name: "bluebird", aliases: ["b"] } }),
    );
    expect(on.writes()).toEqual([]);
    expect([idIn(updated, "c"), idIn(updated, "d")]).toEqual([idIn(state, "a"), idIn(state, "b")]);
  });
});

describe.concurrent("several", () => {
  test("aliases that all exist: the first tenant is renamed, the others count as no longer declared, and none is lost", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, of({ one: {}, two: {} }));
    const now = of({ both: { aliases: ["one", "two"] } });
    await operation(on).diff(id, state, now);
    expect(on.notes).toEqual([
      'fleet "billing": changes 1 tenant, archives 1',
      'fleet "billing": both: name "one" -> "both"',
    ]);
    const updated = await operation(on).update(id, state, now);
    expect(updated.tenants).toEqual({ both: { aliases: ["one", "two"], tenantId: idIn(state, "one") } });
    expect(await liveNames(on)).toEqual(["both"]);
  });

  test("keys with the same alias: the first gets the tenant and the others create their own", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, of({ acme: {} }));
    const updated = await operation(on).update(id, state, of({ x: { aliases: ["acme"] }, y: { aliases: ["acme"] } }));
    expect(idIn(updated, "x")).toBe(idIn(state, "acme"));
    expect(await liveNames(on)).toEqual(["x", "y"]);
  });
});

describe.concurrent("a key that was renamed in an update that failed, so that the engine still has the inputs with the earlier key", () => {
  const before = of({ k2: { ...acme, name: "acme" } });

  test("is archived by a destroy after a refresh", async () => {
    await using on = await stage();
    const { id, state, here } = await refreshedAfterRename(on);
    await here.delete(id, state);
    expect(await liveNames(on)).toEqual([]);
    expect(on.warnings).toEqual([]);
  });

  test("is archived by an update after a refresh that declares it no longer", async () => {
    await using on = await stage();
    const { id, state, here } = await refreshedAfterRename(on);
    expect(await here.check(of({}), before)).toEqual([]);
    await here.diff(id, state, of({}));
    await here.update(id, state, of({}));
    expect(await liveNames(on)).toEqual([]);
    expect(on.warnings).toEqual([]);
  });

  test("keeps its tenant after a refresh, while the earlier key is declared for another tenant", async () => {
    await using on = await stage();
    const { id, state, here } = await refreshedAfterRename(on);
    const now = of({ acme, k2: acme });
    expect(await here.check(now, before)).toEqual([]);
    expect(await here.diff(id, state, now)).toEqual({ isChanged: true });
    const updated = await here.update(id, state, now);
    expect(await liveNames(on)).toEqual(["acme", "k2"]);
    expect(idIn(updated, "acme")).toBe(idIn(state, "acme"));
  });

  /** The fleet after the update, and an operation that has refreshed it. */
  async function refreshedAfterRename(on: Stage) {
    const { id, state: earlier } = await brought(on, before);
    const state = await operation(on).update(id, earlier, of({ acme }));
    const here = operation(on);
    await here.read(id, state);
    await here.diff(id, state, before);
    return { id, state, here };
  }
});
