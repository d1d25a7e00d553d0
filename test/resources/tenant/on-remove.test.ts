import { expect, test } from "vitest";
import { acme, brought, complete, stage } from "../stage.ts";

const forget = { onRemove: "forget" } as const;

test("a tenant to forget is left as it is, also where it is connected, without a request", async () => {
  await using on = await stage();
  const { id, state } = await brought(on, { ...complete, ...forget });
  await on.changeByHand(id, { status: { auth: { connected: true } } });
  await on.operation().tenant.delete(id, state);
  expect(on.emulator.requests()).toEqual([]);
  expect(await on.tenant(id)).toMatchObject({ archived: false, paused: false, configs: complete.configs });
});

test.each([{}, { onRemove: "archive" as const }])("a tenant is archived where onRemove is %o", async (more) => {
  await using on = await stage();
  const { id, state } = await brought(on, { ...acme, ...more });
  await on.operation().tenant.delete(id, state);
  expect(await on.live()).toEqual([]);
});

test("a change of onRemove is stored, and writes nothing", async () => {
  await using on = await stage();
  const { id, state } = await brought(on);
  const now = { ...complete, ...forget };
  expect(await on.operation().tenant.check(now, complete)).toEqual([]);
  expect(await on.operation().tenant.diff(id, state, now)).toEqual({ isChanged: true });
  expect(await on.operation().tenant.update(id, state, now)).toEqual({ ...state, ...forget });
  expect(on.writes()).toEqual([]);
  expect((await on.operation().tenant.read(id, { ...state, ...forget }))?.inputs).toEqual(now);
});

test("a tenant to forget may be taken over by another resource in the operation that removes it", async () => {
  await using on = await stage();
  const { id, state } = await brought(on, { ...complete, ...forget });
  const { tenant } = on.operation();
  await tenant.read(id, state);
  const other = await tenant.create({ ...complete, adopt: true, logicalName: "other" });
  await tenant.delete(id, state);
  expect(other.id).toBe(id);
  expect(on.writes()).toEqual([]);
  expect(await on.live()).toHaveLength(1);
});

test("a tenant that is still declared may not", async () => {
  await using on = await stage();
  const { id, state } = await brought(on, { ...complete, ...forget });
  const declared = on.operation().tenant;
  await declared.check({ ...complete, ...forget }, complete);
  await declared.diff(id, state, { ...complete, ...forget });
  const other = { ...complete, adopt: true, logicalName: "other" } as const;
  await expect(declared.create(other)).rejects.toThrow("is declared by two resources, Tenant acme and Tenant other");
  expect(on.writes()).toEqual([]);
});

test("check refuses another word", async () => {
  await using on = await stage();
  expect(await on.operation().tenant.check({ ...acme, onRemove: "keep" }, undefined)).toEqual([
    { property: "onRemove", reason: 'must be "archive" or "forget"' },
  ]);
});
