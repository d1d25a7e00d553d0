import { describe, expect, test } from "vitest";
import { seedOf, snapshotOf } from "./scripted-client.ts";

describe("all readers share one list", () => {
  test("at once and later", async () => {
    await using on = await snapshotOf({ seed: seedOf(1000) });
    const directory = on.snapshot.tenantsOf(1);
    const indices = Array.from({ length: 1000 }, (_, index) => index);
    const found = await Promise.all(indices.map((index) => directory.get(on.idOf(index))));
    expect(found.map((tenant) => tenant?.name)).toEqual(indices.map((index) => `t${index}`));
    expect((await directory.named("t7")).map(({ id }) => id)).toEqual([on.idOf(7)]);
    expect(on.lists()).toBeLessThanOrEqual(3);
  });

  test("for missing tenants, which cost two more lists in total", async () => {
    await using on = await snapshotOf({ seed: seedOf(10) });
    const directory = on.snapshot.tenantsOf(1);
    const missing = Array.from({ length: 50 }, (_, index) => directory.get(on.idOf(100 + index)));
    expect((await Promise.all(missing)).every((tenant) => tenant === undefined)).toBe(true);
    expect(on.lists()).toBeLessThanOrEqual(5); // two of them show that a short page was the last
  });
});

describe("the directory of all integrations", () => {
  test("has what is written to the tenants of one", async () => {
    await using on = await snapshotOf({ seed: seedOf(3) });
    const [all, own] = [on.snapshot.tenantsOf(), on.snapshot.tenantsOf(1)];
    const tenant = await all.get(on.idOf(0));
    if (tenant === undefined) throw new Error("the tenant is not listed");
    own.set({ ...tenant, paused: !tenant.paused });
    expect(await all.get(tenant.id)).toEqual({ ...tenant, paused: !tenant.paused });
    own.delete(on.idOf(1));
    expect([...(await all.all()).keys()]).toEqual([on.idOf(0), on.idOf(2)]);
  });
});

describe("the tenants with a name", () => {
  test("come from another list if the first is older than allowed", async () => {
    await using on = await snapshotOf({ seed: seedOf(3) });
    const directory = on.snapshot.tenantsOf(1);
    expect(await directory.named("acme")).toEqual([]);
    await on.change(1, { name: "acme" });
    expect(await directory.named("acme")).toEqual([]);
    expect(await directory.named("acme", 60)).toEqual([]);
    expect(await directory.named("acme", 0)).toMatchObject([{ id: on.idOf(1) }]);
  });
});

describe("a fresh read", () => {
  test("shows changes after the list", async () => {
    await using on = await snapshotOf({ seed: seedOf(1000) });
    const directory = on.snapshot.tenantsOf(1);
    await directory.all();
    await on.change(700, { name: "globex" });
    expect((await directory.fetchFresh(on.idOf(700)))?.name).toBe("globex");
    expect((await directory.get(on.idOf(700)))?.name).toBe("t700");
  });

  test("reads only the part of the list that contains the tenant", async () => {
    await using on = await snapshotOf({ seed: seedOf(1000) });
    const directory = on.snapshot.tenantsOf(1);
    await directory.all();
    on.emulator.clearRequests();
    await directory.fetchFresh(on.idOf(700));
    expect(on.emulator.requests()).toHaveLength(1);
    expect(Number(on.emulator.requests()[0]?.query.limit)).toBeLessThan(100);
  });

  test("of tenants far from each other reads a part of the list for each", async () => {
    await using on = await snapshotOf({ seed: seedOf(2000) });
    const directory = on.snapshot.tenantsOf(1);
    await directory.all();
    on.emulator.clearRequests();
    const indices = [1990, 3, 1005, 800, 400, 1010];
    const found = await Promise.all(indices.map((index) => directory.fetchFresh(on.idOf(index))));
    expect(found.map((tenant) => tenant?.name)).toEqual(indices.map((index) => `t${index}`));
    expect(on.lists()).toBe(5);
    const read = on.emulator.requests().reduce((sum, { query }) => sum + Number(query.limit), 0);
    expect(read).toBeLessThan(5 * 70);
  });

  test("finds a tenant in its part of the list while this program archives many below it", async () => {
    await using on = await snapshotOf({ seed: seedOf(1000) });
    const directory = on.snapshot.tenantsOf(1);
    await directory.all();
    for (let index = 0; index < 64; index += 2) {
      directory.willArchive(on.idOf(index));
      await on.change(index, { archived: true });
    }
    on.emulator.clearRequests();
    expect((await directory.fetchFresh(on.idOf(700)))?.name).toBe("t700");
    expect(await directory.isAbsent(on.idOf(20))).toBe(true);
    expect(on.emulator.requests().map(({ query }) => Number(query.limit) < 100)).toEqual([true, true]);
  });

  test("of tenants that have moved far reads the whole list once, and then parts again", async () => {
    await using on = await snapshotOf({ seed: seedOf(1000) });
    const directory = on.snapshot.tenantsOf(1);
    await directory.all();
    for (let index = 0; index < 300; index += 1) await on.change(index, { archived: true });
    await directory.fetchFresh(on.idOf(700));
    on.emulator.clearRequests();
    expect((await directory.fetchFresh(on.idOf(701)))?.name).toBe("t701");
    expect(await directory.isAbsent(on.idOf(299))).toBe(true);
    expect(on.lists()).toBe(2);
    for (const { query } of on.emulator.requests()) expect(Number(query.limit)).toBeLessThan(100);
  });

  test("finds a tenant that has moved far within the list", async () => {
    await using on = await snapshotOf({ seed: seedOf(1000) });
    const directory = on.snapshot.tenantsOf(1);
    await directory.all();
    for (let index = 0; index < 300; index += 1) await on.change(index, { archived: true });
    expect((await directory.fetchFresh(on.idOf(700)))?.name).toBe("t700");
  });

  test("is shared by callers in the meantime and is never older than their call", async () => {
    await using on = await snapshotOf({ seed: seedOf(1000) });
    const directory = on.snapshot.tenantsOf(1);
    await directory.all();
    on.emulator.clearRequests();
    const indices = Array.from({ length: 60 }, (_, index) => index * 10);
    const looks = await Promise.all(
      indices.map(async (index) => {
        await on.change(index, { name: `new${index}` });
        return directory.fetchFresh(on.idOf(index));
      }),
    );
    expect(looks.map((tenant) => tenant?.name)).toEqual(indices.map((index) => `new${index}`));
    expect(on.lists()).toBeLessThan(60);
  });

  test("does not find archived tenants", async () => {
    await using on = await snapshotOf({ seed: seedOf(30) });
    const directory = on.snapshot.tenantsOf(1);
    expect(await directory.isAbsent(on.idOf(7))).toBe(false);
    await on.change(7, { archived: true });
    expect(await directory.isAbsent(on.idOf(7))).toBe(true);
    expect(await directory.fetchFresh(on.idOf(7))).toBeUndefined();
  });

  test.each(["alone", "along"] as const)("finds archived tenants if they are listed %s", async (archivedList) => {
    await using on = await snapshotOf({ seed: seedOf(30), variants: { archivedList } });
    await on.change(7, { archived: true });
    const directory = on.snapshot.tenantsOf(1);
    expect(await directory.get(on.idOf(7))).toBeUndefined();
    expect((await directory.get(on.idOf(8)))?.name).toBe("t8");
    expect((await directory.all()).size).toBe(29);
  });
});

test("a tenant that this operation has archived is never live again, even in an older list of archived tenants", async () => {
  await using on = await snapshotOf({ seed: seedOf(30), variants: { archivedList: "along" } });
  const directories = [on.snapshot.tenantsOf(), on.snapshot.tenantsOf(1)];
  for (const directory of directories) expect(await directory.get(on.idOf(100))).toBeUndefined(); // reads that list
  await on.change(7, { archived: true });
  directories.at(-1)?.delete(on.idOf(7));
  for (const directory of directories) {
    expect(await directory.get(on.idOf(7))).toBeUndefined();
    expect(await directory.fetchFresh(on.idOf(7))).toBeUndefined();
  }
});

describe.each([{ sorting: "ignore" }, { pageSize: "capped" }, { sorting: "ignore", pageSize: "capped" }] as const)(
  "a fresh look at a platform with %o",
  (variants) => {
    test.each([0, 30, 36, 37, 199])("finds the tenant at place %d, wherever it has moved", async (place) => {
      await using on = await snapshotOf({ seed: seedOf(200), variants });
      const directory = on.snapshot.tenantsOf(1);
      await directory.all();
      await on.change(place, { name: "globex" });
      expect((await directory.fetchFresh(on.idOf(place)))?.name).toBe("globex");
      expect(await directory.isAbsent(on.idOf(place))).toBe(false);
      expect((await directory.fetchFreshNamed("globex")).map(({ id }) => id)).toEqual([on.idOf(place)]);
      await on.change(place, { archived: true });
      expect(await directory.isAbsent(on.idOf(place))).toBe(true);
      expect(await directory.fetchFresh(on.idOf(place))).toBeUndefined();
    });
  },
);

describe("a write is stored", () => {
  test("and a list that began before does not undo it", async () => {
    await using on = await snapshotOf({ seed: seedOf(30) });
    const directory = on.snapshot.tenantsOf(1);
    const tenant = await directory.get(on.idOf(3));
    if (tenant === undefined) throw new Error("t3 is not there");
    on.emulator.fault({ kind: "delay", ms: 60_000, applied: true });
    const slow = directory.fetchFreshNamed("t3");
    await expect.poll(() => on.lists()).toBe(3);
    directory.set({ ...tenant, name: "globex" });
    directory.delete(on.idOf(4));
    on.emulator.clearFaults();
    await slow;
    expect((await directory.get(on.idOf(3)))?.name).toBe("globex");
    expect((await directory.all()).has(on.idOf(4))).toBe(false);
  });
});

test("tenants of other integrations are not among them, unless all are asked for", async () => {
  await using on = await snapshotOf({ seed: seedOf(3) });
  await on.change(1, { integration_id: 2 });
  expect([...(await on.snapshot.tenantsOf(1).all()).keys()]).toEqual([on.idOf(0), on.idOf(2)]);
  expect((await on.snapshot.tenantsOf().all()).size).toBe(3);
});
