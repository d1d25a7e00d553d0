import { describe, expect, test } from "vitest";
import type { Variants } from "../../src/emulator/index.ts";
import { seedOf, snapshotOf } from "./scripted-client.ts";

const platforms: Partial<Variants>[] = [
  {},
  { sorting: "refuse" },
  { sorting: "ignore" },
  { pageSize: "capped" },
  { pageSize: "capped", sorting: "refuse" },
  { pageSize: "capped", sorting: "ignore" },
];

describe.each(platforms)("pages that shift while they are read, on a platform with %o", (variants) => {
  test.each([
    ["one before the edge", 1, [3]],
    ["many before the edge", 1, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ["the one at the edge itself", 1, [499]],
    ["those at both sides of the edge", 1, [498, 499, 500, 501]],
    ["one after the edge", 1, [700]],
    ["one of the first page while the second is read", 2, [3]],
    ["the last of all", 2, [1199]],
    ["the one at the edge of a capped page", 1, [36]],
    ["those at both sides of that edge", 1, [35, 36, 37, 38]],
    ["those at both sides of that edge, from the end", 1, [1161, 1162, 1163, 1164]],
  ])("miss nobody when %s is archived after page %d", async (_, when, indices) => {
    await using on = await snapshotOf({ seed: seedOf(1200), variants }, async (page, archive) => {
      if (page === when) for (const index of indices) await archive(index);
    });
    const all = await on.snapshot.tenantsOf(1).all();
    for (let index = 0; index < 1200; index += 1) {
      if (!indices.includes(index)) expect(all.has(on.idOf(index)), `t${index}`).toBe(true);
    }
  });

  test("miss no tenant if one is archived after every page", async () => {
    await using on = await snapshotOf({ seed: seedOf(1200), variants }, async (page, archive) => {
      if (page <= 5) await archive(page);
    });
    const all = await on.snapshot.tenantsOf(1).all();
    for (let index = 6; index < 1200; index += 1) expect(all.has(on.idOf(index)), `t${index}`).toBe(true);
  });

  test("come to an end when they never stop shifting", async () => {
    await using on = await snapshotOf({ seed: seedOf(1200), variants }, (page, archive) => archive(page));
    expect((await on.snapshot.tenantsOf(1).all()).size).toBeGreaterThan(1100);
  });
});

test("a tenant that moves to the front of an unsorted list while it is read is not missed", async () => {
  const options = { seed: seedOf(1200), variants: { sorting: "ignore" } } as const;
  await using on = await snapshotOf(options, async (page, _, change) => {
    if (page === 1) await change(3, { paused: false });
  });
  expect((await on.snapshot.tenantsOf(1).all()).size).toBe(1200);
});

test("no tenant is read twice, even if pages overlap", async () => {
  await using on = await snapshotOf({ seed: seedOf(1200) });
  const all = await on.snapshot.tenantsOf(1).all();
  expect([...all.keys()]).toEqual(Array.from({ length: 1200 }, (_, index) => on.idOf(index)));
  expect(on.lists()).toBe(3);
});

describe.each(["asked", "capped"] as const)("with pages that are: %s", (pageSize) => {
  test.each([0, 1, 36, 37, 38, 73, 74, 499, 500, 501, 999])("%d tenants are all there", async (count) => {
    await using on = await snapshotOf({ seed: seedOf(count), variants: { pageSize } });
    expect((await on.snapshot.tenantsOf(1).all()).size).toBe(count);
  });
});

test("a platform that refuses to sort is asked without sorting from then on", async () => {
  await using on = await snapshotOf({ seed: seedOf(1200), variants: { sorting: "refuse" } });
  expect((await on.snapshot.tenantsOf(1).all()).size).toBe(1200);
  const asked = on.emulator.requests().filter(({ query }) => query.sort_by !== undefined);
  expect(asked).toHaveLength(1);
});

test("a list at a wrong address never counts as empty", async () => {
  await using on = await snapshotOf({ seed: seedOf(3) });
  on.emulator.fault({ kind: "status", status: 404, times: 99 });
  await expect(on.snapshot.tenantsOf(1).all()).rejects.toThrow(/404/);
});

test("a failed list is requested again by the next reader", async () => {
  await using on = await snapshotOf({ seed: seedOf(3) });
  on.emulator.fault({ kind: "status", status: 403 });
  const directory = on.snapshot.tenantsOf(1);
  await expect(directory.all()).rejects.toThrow(/403/);
  expect((await directory.all()).size).toBe(3);
});
