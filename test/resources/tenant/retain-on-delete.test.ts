import { describe, expect, test } from "vitest";
import { acme, brought, complete, stage } from "../stage.ts";

/** With Pulumi's option `retainOnDelete`, the engine does not call delete. A retained resource is only read. */
describe("a tenant whose resource is removed with retainOnDelete", () => {
  test("can be taken over by another resource in the same operation", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    const { tenant } = on.operation();
    await tenant.read(id, state);
    const other = await tenant.create({ ...complete, adopt: true, logicalName: "other" });
    expect(other.id).toBe(id);
    expect(on.writes()).toEqual([]);
    expect(await on.live()).toHaveLength(1);
  });

  test("cannot be taken over while its resource is still declared", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    const { tenant } = on.operation();
    await tenant.check(complete, complete);
    await tenant.diff(id, state, complete);
    const other = { ...complete, adopt: true, logicalName: "other" } as const;
    await expect(tenant.create(other)).rejects.toThrow("is declared by two resources, Tenant acme and Tenant other");
    expect(on.writes()).toEqual([]);
  });

  test("stays when its integration changes, and the replacement takes over the other integration's tenant", async () => {
    await using on = await stage();
    const there = await on.add({ integration: 102, name: "acme", source: "console" });
    const { id, state } = await brought(on, acme);
    const moved = { ...acme, integration: "shop-to-erp", configs: { currency: "EUR" }, adopt: true } as const;
    const { tenant } = on.operation();
    expect(await tenant.check(moved, acme)).toEqual([]);
    expect(await tenant.diff(id, state, moved)).toMatchObject({ replaces: ["integration"] });
    expect(await tenant.check(moved, undefined)).toEqual([]);
    expect((await tenant.create(moved)).id).toBe(String(there));
    expect(await on.tenant(id)).toMatchObject({ archived: false });
  });

  test("keeps its name, so that --replace is refused with advice", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    const { tenant } = on.operation();
    await tenant.read(id, state);
    await tenant.check(complete, complete);
    await tenant.check(complete, undefined);
    await expect(tenant.create(complete)).rejects.toThrow(
      /retainOnDelete, remove that and run up before you replace it/,
    );
    expect(on.writes()).toEqual([]);
  });
});

test("a tenant is archived when its resource is deleted", async () => {
  await using on = await stage();
  const { id, state } = await brought(on, acme);
  await on.operation().tenant.delete(id, state);
  expect(await on.live()).toEqual([]);
});

test.each(["onRemove", "retainOnDelete", "aliases"])("check refuses %s as an input", async (name) => {
  await using on = await stage();
  const [failure] = await on.operation().tenant.check({ ...acme, [name]: true }, undefined);
  expect(failure?.property).toBe(name);
});
