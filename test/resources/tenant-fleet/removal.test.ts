import { describe, expect, test } from "vitest";
import { stage } from "../stage.ts";
import { brought, fleet, idIn, keptOf, kindsOfWrites, liveNames, operation } from "./fleet-stage.ts";

const forget = { onRemove: "forget" } as const;
const archive = { onRemove: "archive" } as const;

describe("a tenant that is no longer declared", () => {
  test("is archived, unless onRemove says to forget it: the tenant's own, else the fleet's", async () => {
    await using on = await stage();
    const tenants = { acme: {}, bluebird: archive, cedar: forget };
    const { id, state } = await brought(on, { ...fleet, ...forget, tenants });
    const updated = await operation(on).update(id, state, { ...fleet, tenants: {} });
    expect(await liveNames(on)).toEqual(["acme", "cedar"]);
    expect(kindsOfWrites(on)).toEqual(["DELETE /v2/tenants/N"]);
    expect(updated.tenants).toEqual({});
  });

  test("is removed as the last up said, not as this one does", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, { ...fleet, tenants: { acme: {} } });
    await operation(on).update(id, state, { ...fleet, ...forget, tenants: {} });
    expect(await liveNames(on)).toEqual([]);
  });

  test("is counted in the summary as what it is", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, { ...fleet, tenants: { acme: forget, bluebird: {} } });
    expect(await operation(on).diff(id, state, { ...fleet, tenants: {} })).toEqual({ isChanged: true });
    expect(on.warnings).toEqual(['fleet "billing": 1 to archive, 1 to forget']);
  });

  test("is kept where it is connected, and archives the others", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    await on.changeByHand(idIn(state, "acme"), { status: { auth: { connected: true } } });
    const left = await keptOf(operation(on).update(id, state, { ...fleet, tenants: {} }));
    expect(left.message).toContain("acme: tenant");
    expect(await liveNames(on)).toEqual(["acme"]);
    expect(Object.keys(left.state.tenants)).toEqual(["acme"]);
  });

  test("is forgotten where it is connected, without a request for it", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, { ...fleet, ...forget });
    await on.changeByHand(idIn(state, "acme"), { status: { auth: { connected: true } } });
    expect((await operation(on).update(id, state, { ...fleet, tenants: {} })).tenants).toEqual({});
    expect(on.writes()).toEqual([]);
  });
});

describe("a fleet that is deleted", () => {
  test("archives its tenants but for those to forget", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, { ...fleet, ...forget, tenants: { acme: {}, bluebird: archive } });
    await operation(on).delete(id, state);
    expect(await liveNames(on)).toEqual(["acme"]);
  });

  test("names those that it must not archive, and archives the rest", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    await on.changeByHand(idIn(state, "acme"), { status: { auth: { connected: true } } });
    await expect(operation(on).delete(id, state)).rejects.toThrow(/fleet "billing".*\n {2}acme: .*is connected/);
    expect(await liveNames(on)).toEqual(["acme"]);
    await operation(on).delete(id, { ...state, forceArchive: true });
    expect(await liveNames(on)).toEqual([]);
  });
});

describe("what is only stored touches nothing when it changes", () => {
  const declared = { ...fleet, tenants: { acme: { configs: { region: "eu" } }, bluebird: {} } };

  test.each<[string, object, object]>([
    ["onRemove of the fleet", forget, {}],
    ["forceArchive of the fleet", { forceArchive: true }, {}],
    ["adopt of the fleet", { adopt: true }, {}],
    ["limits", { limits: { change: 0 } }, {}],
    ["onRemove of a tenant", {}, forget],
    ["forceArchive of a tenant", {}, { forceArchive: true }],
    ["adopt of a tenant", {}, { adopt: "never" }],
    ["which leaves of a tenant are secret", {}, { secretPaths: [["configs", "region"]] }],
    ["former keys of a tenant", {}, { formerly: ["a", "b"] }],
  ])("%s", async (_, more, moreOfAcme) => {
    await using on = await stage();
    const { id, state } = await brought(on, declared);
    const acme = { ...declared.tenants.acme, ...moreOfAcme };
    const now = { ...declared, ...more, tenants: { ...declared.tenants, acme } };
    expect(await operation(on).diff(id, state, now)).toEqual({ isChanged: true });
    expect(on.warnings).toEqual([]);
    const updated = await operation(on).update(id, state, now);
    expect(on.writes()).toEqual([]);
    expect(updated).toEqual({
      ...state,
      ...more,
      tenants: { ...state.tenants, acme: { ...state.tenants.acme, ...moreOfAcme } },
    });
    expect(await operation(on).diff(id, updated, now)).toEqual({ isChanged: false });
    expect((await operation(on).read(id, updated))?.inputs).toEqual(now);
  });
});

test("tenants move to another fleet, within one operation, and archive nothing", async () => {
  await using on = await stage();
  const { id, state } = await brought(on, { ...fleet, ...forget });
  await on.changeByHand(idIn(state, "acme"), { status: { auth: { connected: true }, last_run: { id: 1 } } });
  const here = operation(on);
  const read = await here.read(id, state); // refreshed first, as Pulumi.yaml says
  const { acme: _, ...rest } = fleet.tenants;
  expect(await here.diff(id, state, { ...fleet, ...forget, tenants: rest })).toEqual({ isChanged: true });
  const other = await here.create({ ...fleet, name: "other", adopt: true, tenants: { acme: fleet.tenants.acme } });
  await here.update(id, read?.state ?? state, { ...fleet, ...forget, tenants: rest });
  expect(idIn(other.state, "acme")).toBe(idIn(state, "acme"));
  expect(on.writes()).toEqual([]);
  expect(await liveNames(on)).toEqual(["acme", "bluebird", "cedar-2"]);
});

test("a tenant that is still declared is not taken over by another fleet", async () => {
  await using on = await stage();
  const { id, state } = await brought(on);
  const here = operation(on);
  await here.read(id, state);
  await here.check(fleet, fleet);
  const { message } = await keptOf(here.create({ ...fleet, name: "other", adopt: true }));
  expect(message).toMatch(/\n {2}acme: tenant "acme" \(id \d+\) is declared by two resources/);
  expect(on.writes()).toEqual([]);
});
