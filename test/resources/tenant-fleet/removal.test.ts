import { describe, expect, test } from "vitest";
import { stage } from "../stage.ts";
import { brought, fleet, idIn, keptOf, kindsOfWrites, liveNames, operation } from "./fleet-stage.ts";

const retain = { retainOnDelete: true } as const;
const archive = { retainOnDelete: false } as const;

describe("a tenant that is no longer declared", () => {
  test("is archived unless the tenant or, by default, the fleet sets retainOnDelete", async () => {
    await using on = await stage();
    const tenants = { acme: {}, bluebird: archive, cedar: retain };
    const { id, state } = await brought(on, { ...fleet, ...retain, tenants });
    const updated = await operation(on).update(id, state, { ...fleet, tenants: {} });
    expect(await liveNames(on)).toEqual(["acme", "cedar"]);
    expect(kindsOfWrites(on)).toEqual(["DELETE /v2/tenants/N"]);
    expect(updated.tenants).toEqual({});
  });

  test("is removed with the settings of the last up, not of this one", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, { ...fleet, tenants: { acme: {} } });
    await operation(on).update(id, state, { ...fleet, ...retain, tenants: {} });
    expect(await liveNames(on)).toEqual([]);
  });

  test("is counted in the summary as archived or retained", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, { ...fleet, tenants: { acme: retain, bluebird: {} } });
    expect(await operation(on).diff(id, state, { ...fleet, tenants: {} })).toEqual({ isChanged: true });
    expect(on.notes).toEqual(['fleet "billing": archives 1 tenant, retains 1']);
  });

  test("is kept if it is connected, while the others are archived", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    await on.changeByHand(idIn(state, "acme"), { status: { auth: { connected: true } } });
    await operation(on).diff(id, state, { ...fleet, tenants: {} });
    expect(on.warnings).toEqual([expect.stringContaining("up will refuse to archive")]);
    expect(on.warnings[0]).toContain(`\n  acme (${idIn(state, "acme")}): the platform reports`);
    expect(on.warnings[0]).not.toContain("bluebird");
    const left = await keptOf(operation(on).update(id, state, { ...fleet, tenants: {} }));
    expect(left.message).toContain("acme: tenant");
    expect(await liveNames(on)).toEqual(["acme"]);
    expect(Object.keys(left.state.tenants)).toEqual(["acme"]);
  });

  test("is no warning of a preview if it is connected and may be archived anyway", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, { ...fleet, forceArchive: true });
    await on.changeByHand(idIn(state, "acme"), { status: { auth: { connected: true } } });
    await operation(on).diff(id, state, { ...fleet, tenants: {} });
    expect(on.warnings).toEqual([]);
  });

  test("is retained unchanged without a request, even if it is connected", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, { ...fleet, ...retain });
    await on.changeByHand(idIn(state, "acme"), { status: { auth: { connected: true } } });
    expect((await operation(on).update(id, state, { ...fleet, tenants: {} })).tenants).toEqual({});
    expect(on.emulator.requests()).toEqual([]);
    expect(await on.tenant(idIn(state, "acme"))).toMatchObject({
      archived: false,
      configs: fleet.tenants.acme.configs,
    });
  });
});

describe("a fleet that is deleted", () => {
  test("archives all tenants that it does not retain", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, { ...fleet, ...retain, tenants: { acme: {}, bluebird: archive } });
    await operation(on).delete(id, state);
    expect(await liveNames(on)).toEqual(["acme"]);
  });

  test("names the tenants that it must not archive, and archives the rest", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    await on.changeByHand(idIn(state, "acme"), { status: { auth: { connected: true } } });
    await expect(operation(on).delete(id, state)).rejects.toThrow(/fleet "billing".*\n {2}acme: .*is connected/);
    expect(await liveNames(on)).toEqual(["acme"]);
    await operation(on).delete(id, { ...state, forceArchive: true });
    expect(await liveNames(on)).toEqual([]);
  });
});

describe("a change of an input that is only stored sends no request", () => {
  const declared = { ...fleet, tenants: { acme: { configs: { region: "eu" } }, bluebird: {} } };

  test.each<[string, object, object]>([
    ["retainOnDelete of the fleet", retain, {}],
    ["forceArchive of the fleet", { forceArchive: true }, {}],
    ["adopt of the fleet", { adopt: true }, {}],
    ["limits", { limits: { change: 0 } }, {}],
    ["retainOnDelete of a tenant", {}, retain],
    ["forceArchive of a tenant", {}, { forceArchive: true }],
    ["adopt of a tenant", {}, { adopt: "never" }],
    ["the secret paths of a tenant", {}, { secretPaths: [["configs", "region"]] }],
    ["aliases of a tenant", {}, { aliases: ["a", "b"] }],
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

test("tenants move to another fleet in one operation without being archived", async () => {
  await using on = await stage();
  const { id, state } = await brought(on, { ...fleet, ...retain });
  await on.changeByHand(idIn(state, "acme"), { status: { auth: { connected: true }, last_run: { id: 1 } } });
  const here = operation(on);
  const read = await here.read(id, state); // Pulumi.yaml asks for a refresh first
  const { acme: _, ...rest } = fleet.tenants;
  expect(await here.diff(id, state, { ...fleet, ...retain, tenants: rest })).toEqual({ isChanged: true });
  const other = await here.create({ ...fleet, name: "other", adopt: true, tenants: { acme: fleet.tenants.acme } });
  await here.update(id, read?.state ?? state, { ...fleet, ...retain, tenants: rest });
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
