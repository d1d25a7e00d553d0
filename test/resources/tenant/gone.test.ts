import { expect, test } from "vitest";
import type { TenantInputs } from "../../../src/resources/tenant/schema.ts";
import { acme, brought, type Stage, stage } from "../stage.ts";

/** Its integration no longer exists, neither in lists nor by its id. */
function hideIntegration({ emulator }: Stage) {
  emulator.fault({ kind: "wrong-shape", body: [], times: 99, match: { path: "^/v2/integrations$" } });
  emulator.fault({ kind: "status", status: 404, times: 99, match: { path: "^/v2/integrations/101$" } });
}

test("a tenant that was deleted with its integration leaves the state in a refresh or a destroy", async () => {
  await using on = await stage();
  const { id, state } = await brought(on, acme);
  await on.changeByHand(id, { archived: true });
  hideIntegration(on);
  expect(await on.operation().tenant.read(id, state)).toBeUndefined();
  await on.operation().tenant.delete(id, state);
  expect(on.writes()).toEqual([]);
});

test("a tenant of an integration that an API key of another account does not show stays in the state", async () => {
  await using on = await stage();
  const { id, state } = await brought(on, acme);
  hideIntegration(on);
  on.emulator.fault({ kind: "wrong-shape", body: [], times: 99, match: { path: "^/v2/tenants$" } });
  const problem =
    /no list shows its tenant \d+, neither as live nor as archived: the API key is probably of another account/;
  await expect(on.operation().tenant.read(id, state)).rejects.toThrow(problem);
  await expect(on.operation().tenant.delete(id, state)).rejects.toThrow(problem);
  expect(on.writes()).toEqual([]);
});

test("a tenant in no list leaves the state if the user says that such tenants are gone", async () => {
  await using on = await stage();
  const { state } = await brought(on, acme);
  const { tenant } = on.operation({ areUnlistedGone: true });
  expect(await tenant.read("4711", { ...state, tenantId: 4711 })).toBeUndefined();
  await tenant.delete("4711", { ...state, tenantId: 4711 });
  expect(on.writes()).toEqual([]);
});

test("a tenant that the lists show neither as live nor as archived for a moment is not an error", async () => {
  await using on = await stage();
  const { id, state } = await brought(on, acme);
  await on.changeByHand(id, { archived: true });
  const match = { path: "^/v2/tenants$", query: "archived=true" };
  on.emulator.fault({ kind: "status", status: 200, body: [], match });
  expect(await on.operation().tenant.read(id, state)).toBeUndefined();
});

test("tenants in no list cost the same lists, however many there are", async () => {
  await using on = await stage();
  const { state } = await brought(on, acme);
  const { tenant } = on.operation();
  const ids = Array.from({ length: 50 }, (_, index) => 4000 + index);
  const reads = ids.map((tenantId) => tenant.read(String(tenantId), { ...state, tenantId }));
  expect((await Promise.allSettled(reads)).every(({ status }) => status === "rejected")).toBe(true);
  expect(on.listCount()).toBeLessThan(15);
});

test("a listed tenant stays in the state even if its integration is not visible", async () => {
  await using on = await stage();
  const { id, state } = await brought(on, acme);
  hideIntegration(on);
  await expect(on.operation().tenant.read(id, state)).rejects.toThrow("there is no integration with id 101");
  await expect(on.operation().tenant.delete(id, state)).rejects.toThrow("there is no integration with id 101");
  expect(on.writes()).toEqual([]);
});

test.each(["alone", "along"] as const)(
  "a tenant that is replaced is not adopted again by its id, if archived tenants are listed %s",
  async (archivedList) => {
    await using on = await stage({ variants: { archivedList } });
    const adopt = await on.add({ integration: 101, name: "acme-ltd" });
    const inputs: TenantInputs = { ...acme, adopt, forceArchive: true };
    const made = await brought(on, inputs);
    const { context, tenant } = on.operation();
    await context.snapshot.tenantsOf(101).get(4711); // reads the list of archived tenants
    await tenant.delete(made.id, made.state);
    expect((await tenant.create(inputs)).id).not.toBe(made.id);
    expect(await on.live()).toHaveLength(1);
  },
);

test("a tenant that was found gone is not adopted by its id, even if an older list of archived tenants shows it as live", async () => {
  await using on = await stage({ variants: { archivedList: "along" } });
  const adopt = await on.add({ integration: 101, name: "acme-ltd" });
  const { context, tenant } = on.operation();
  await context.snapshot.tenantsOf(101).get(4711); // reads the list of archived tenants
  await on.changeByHand(adopt, { archived: true });
  context.ownership.findGone(adopt);
  expect((await tenant.create({ ...acme, adopt })).id).not.toBe(String(adopt));
});

test("a tenant that is archived between the list and the read of its metadata is created again, even if it was adopted by its id", async () => {
  await using on = await stage();
  const adopt = await on.add({ integration: 101, name: "acme-ltd" });
  const inputs: TenantInputs = { ...acme, adopt, metadata: { plan: "gold" } };
  const made = await brought(on, inputs);
  const { context, tenant } = on.operation();
  await context.snapshot.tenantsOf(101).all();
  await on.changeByHand(made.id, { archived: true, name: "acme-archived" });
  expect(await tenant.read(made.id, made.state)).toBeUndefined();
  expect(await tenant.check(inputs, undefined)).toEqual([]);
  expect((await tenant.create(inputs)).id).not.toBe(made.id);
});

test("a tenant that was moved to another integration is adopted there by its id, even after a refresh has missed it", async () => {
  await using on = await stage();
  const { id, state } = await brought(on, acme);
  await on.changeByHand(id, { integration_id: 102 });
  const { tenant } = on.operation();
  expect(await tenant.read(id, state)).toBeUndefined();
  const created = await tenant.create({ ...acme, integration: 102, name: "acme-moved", adopt: Number(id) });
  expect(created.id).toBe(id);
  expect(await on.live()).toMatchObject([{ id: Number(id), integration_id: 102, name: "acme-moved" }]);
});
