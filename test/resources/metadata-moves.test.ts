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
