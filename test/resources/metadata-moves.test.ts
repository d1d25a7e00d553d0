import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { TenantInputs } from "../../src/resources/tenant/schema.ts";
import { brought, stage } from "./stage.ts";

const acme: TenantInputs = { integration: "crm-to-billing", name: "acme", configs: { region: "eu" } };

describe("metadata that move from a Tenant to a TenantMetadata", () => {
  test("stay if the TenantMetadata is written first", async () => {
    await using on = await stage({ variants: { metadata: "replace" } });
    const before = { ...acme, metadata: { plan: "gold" } };
    const made = await brought(on, before);
    const meta = { tenantId: Number(made.id), data: { plan: "gold" }, logicalName: "plan" };
    const here = on.operation();
    await here.metadata.check(meta, undefined);
    const created = here.metadata.create(meta);
    await here.tenant.check(acme, before);
    await here.tenant.diff(made.id, made.state, acme);
    await created;
    await here.tenant.update(made.id, made.state, acme);
    expect((await on.tenant(made.id)).metadata).toEqual({ plan: "gold" });
  });
  test("stay if other keys of a TenantMetadata change at the same time", async () => {
    await using on = await stage({ variants: { metadata: "replace" } });
    const before = { ...acme, metadata: { plan: "gold" } };
    const made = await brought(on, before);
    const meta = { tenantId: Number(made.id), data: { seats: 3 }, logicalName: "seats" };
    for (let lag = 0; lag < 8; lag += 1) {
      const here = on.operation({ consistencyTimeoutSeconds: 1 });
      await here.metadata.check(meta, undefined);
      await here.tenant.check(acme, before);
      await here.tenant.diff(made.id, made.state, acme);
      const updated = here.tenant.update(made.id, made.state, acme);
      await sleep(lag * 2);
      await Promise.all([updated, here.metadata.create(meta)]);
      expect((await on.tenant(made.id)).metadata).toEqual({ seats: 3 });
      await on.changeByHand(made.id, { metadata: { plan: "gold" } });
    }
  });
});

describe("a TenantMetadata that moves to another tenant", () => {
  const pair = async (on: Awaited<ReturnType<typeof stage>>) => [
    await brought(on, acme),
    await brought(on, { ...acme, name: "bluebird" }),
  ];

  test("leaves its keys to the first tenant's resource, which declares them now", async () => {
    await using on = await stage();
    const [first, second] = await pair(on);
    const meta = { tenantId: Number(first?.id), data: { plan: "gold" }, logicalName: "plan" };
    const made = await on.operation().metadata.create(meta);
    const here = on.operation();
    const now = { ...acme, metadata: { plan: "gold" } };
    await here.tenant.check(now, acme);
    await here.tenant.diff(String(first?.id), Object(first?.state), now);
    const moved = { ...meta, tenantId: Number(second?.id) };
    await here.metadata.check(moved, meta);
    expect(await here.metadata.diff(made.id, made.state, moved)).toEqual({ isChanged: true, replaces: ["tenantId"] });
    await here.tenant.update(String(first?.id), Object(first?.state), now);
    await here.metadata.delete(made.id, made.state);
    await here.metadata.create(moved);
    expect((await on.tenant(Number(first?.id))).metadata).toEqual({ plan: "gold" });
    expect((await on.tenant(Number(second?.id))).metadata).toEqual({ plan: "gold" });
  });

  test("swaps with another one", async () => {
    await using on = await stage({ variants: { metadata: "replace" } });
    const [first, second] = await pair(on);
    const gold = { tenantId: Number(first?.id), data: { plan: "gold" }, logicalName: "gold" };
    const free = { tenantId: Number(second?.id), data: { plan: "free" }, logicalName: "free" };
    const before = on.operation().metadata;
    const [ofFirst, ofSecond] = [await before.create(gold), await before.create(free)];
    const { metadata } = on.operation();
    const swapped = [
      { ...gold, tenantId: free.tenantId },
      { ...free, tenantId: gold.tenantId },
    ] as const;
    await metadata.check(swapped[0], gold);
    await metadata.diff(ofFirst.id, ofFirst.state, swapped[0]);
    await metadata.check(swapped[1], free);
    await metadata.diff(ofSecond.id, ofSecond.state, swapped[1]);
    await metadata.delete(ofFirst.id, ofFirst.state);
    await metadata.create(swapped[0]);
    await metadata.delete(ofSecond.id, ofSecond.state);
    await metadata.create(swapped[1]);
    expect((await on.tenant(gold.tenantId)).metadata).toEqual({ plan: "free" });
    expect((await on.tenant(free.tenantId)).metadata).toEqual({ plan: "gold" });
  });
});
