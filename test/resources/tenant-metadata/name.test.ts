import { describe, expect, test } from "vitest";
import type { TenantInputs, TenantState } from "../../../src/resources/tenant/schema.ts";
import { brought, stage } from "../stage.ts";

const acme: TenantInputs = { integration: "crm-to-billing", name: "acme", configs: { region: "eu" } };

function inputsOf({ tenantId: _, integrationId: __, ...inputs }: TenantState): TenantInputs {
  return inputs;
}

describe("TenantMetadata and the tenant's name", () => {
  test("a name that changed since the operation began is not changed back", async () => {
    await using on = await stage();
    const tenantId = await on.add({ integration: 101, name: "theirs" });
    const { id, state } = await on
      .operation()
      .metadata.create({ tenantId, data: { plan: "gold" }, logicalName: "plan" });
    const here = on.operation();
    await here.metadata.read(id, state);
    await here.metadata.check({ ...state, data: { plan: "silver" } }, state);
    await on.changeByHand(tenantId, { name: "theirs-renamed" });
    on.emulator.clearRequests();
    await here.metadata.update(id, state, { ...state, data: { plan: "silver" } });
    expect(await on.tenant(tenantId)).toMatchObject({ name: "theirs-renamed", metadata: { plan: "silver" } });
    expect(on.writes().map(({ request }) => request)).toEqual([`PATCH /v2/tenants/${id}/metadata`]);
  });
  test("a name that a Tenant of the same program changed is not changed back either", async () => {
    await using on = await stage();
    const made = await brought(on, { ...acme, logicalName: "acme" });
    const meta = await on
      .operation()
      .metadata.create({ tenantId: Number(made.id), data: { plan: "gold" }, logicalName: "plan" });
    const here = on.operation();
    await here.tenant.read(made.id, made.state);
    await here.metadata.read(meta.id, meta.state);
    const now = { ...acme, name: "acme-2", logicalName: "acme" };
    await here.tenant.check(now, inputsOf(made.state));
    await here.tenant.update(made.id, made.state, now);
    const data = { plan: "silver" };
    await here.metadata.check({ ...meta.state, data }, meta.state);
    await here.metadata.update(meta.id, meta.state, { ...meta.state, data });
    expect(await on.tenant(made.id)).toMatchObject({ name: "acme-2", metadata: data });
  });
});
