import { describe, expect, test } from "vitest";
import type { Variants } from "../../../src/emulator/index.ts";
import type { TenantState } from "../../../src/resources/tenant/schema.ts";
import { type Stage, stage } from "../stage.ts";

const count = 1000;
const firstId = 20_000;
const seed = {
  integrations: [{ id: 1, name: "crm", releases: [{ id: 11, name: "one", tag: "v1" }], default_release_id: 11 }],
  tenants: Array.from({ length: count }, (_, index) => ({
    id: firstId + index,
    integration: 1,
    name: `t${index}`,
    configs: { region: "eu", index },
  })),
};

function states(): TenantState[] {
  return seed.tenants.map(({ id, name, configs }) => ({
    integration: "crm",
    name,
    release: { tag: "v1" },
    paused: true,
    configs,
    tenantId: id,
    integrationId: 1,
  }));
}

async function readAll(on: Stage) {
  const { tenant } = on.operation({ consistencyTimeoutSeconds: 10 });
  return Promise.all(states().map((state) => tenant.read(String(state.tenantId), state)));
}

describe("a refresh of 1,000 tenants of one integration costs at most 6 lists", () => {
  test.each<Partial<Variants>>([{}, { sorting: "refuse" }, { archivedList: "along" }, { limitOver500: "clamp" }])(
    "without drift, under %o",
    async (variants) => {
      await using on = await stage({ seed, variants });
      const read = await readAll(on);
      expect(read.map((found) => found?.state)).toEqual(states());
      expect(on.listCount()).toBeLessThanOrEqual(6);
      expect(on.emulator.requests().length).toBeLessThanOrEqual(10);
    },
  );

  test("with drift in every tenth", async () => {
    await using on = await stage({ seed });
    for (let index = 0; index < count; index += 10) await on.changeByHand(firstId + index, { paused: false });
    const read = await readAll(on);
    expect(read.filter((found) => found?.inputs.paused === false)).toHaveLength(count / 10);
    expect(on.listCount()).toBeLessThanOrEqual(6);
  });

  test("with archived tenants, which cost one more list in total", async () => {
    await using on = await stage({ seed });
    for (let index = 0; index < count; index += 100) await on.changeByHand(firstId + index, { archived: true });
    const read = await readAll(on);
    expect(read.filter((found) => found === undefined)).toHaveLength(count / 100);
    expect(on.listCount()).toBeLessThanOrEqual(8);
  });
});

test("a preview of 1,000 tenants, checks and diffs, costs no more", async () => {
  await using on = await stage({ seed });
  const { tenant } = on.operation();
  for (const state of states()) {
    const { tenantId, integrationId: _, ...inputs } = state;
    expect(await tenant.check(inputs, inputs)).toEqual([]);
    expect(await tenant.diff(String(tenantId), state, inputs)).toEqual({ isChanged: false });
  }
  expect(on.listCount()).toBeLessThanOrEqual(6);
});

test("a destroy of 200 tenants shares its reads", async () => {
  await using on = await stage({ seed });
  const { tenant } = on.operation({ consistencyTimeoutSeconds: 10 });
  await Promise.all(
    states()
      .slice(0, 200)
      .map((state) => tenant.delete(String(state.tenantId), state)),
  );
  expect(await on.live()).toHaveLength(500); // the first page of 800 tenants
  expect(on.writes()).toHaveLength(200);
  expect(on.listCount()).toBeLessThan(60);
});
