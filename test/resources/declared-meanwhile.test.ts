import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { TenantInputs, TenantState } from "../../src/resources/tenant/schema.ts";
import { brought, failureOf, stage } from "./stage.ts";
import { idIn } from "./tenant-fleet/fleet-stage.ts";

const acme: TenantInputs = { integration: "crm-to-billing", name: "acme", configs: { region: "eu" } };

function inputsOf({ tenantId: _, integrationId: __, ...inputs }: TenantState): TenantInputs {
  return inputs;
}

describe("a key that an earlier up failed to create", () => {
  test.each<Pick<TenantInputs, "adopt">>([{}, { adopt: true }])(
    "keeps the tenant that another fleet no longer declares (%o)",
    async (more) => {
      await using on = await stage();
      const entry = { configs: { region: "eu" } };
      const first = { integration: "crm-to-billing", name: "first", tenants: { acme: entry } };
      const second = { integration: "crm-to-billing", name: "second", tenants: {} };
      const op0 = on.operation();
      const a = await op0.fleet.create(first);
      const b = await op0.fleet.create(second);
      on.emulator.clearRequests();
      // an earlier up failed to create second/acme while first had it, so the inputs have the key and the state does not
      const wanted = { ...second, tenants: { acme: { ...entry, ...more } } };
      const now = { ...first, tenants: {} };
      const here = on.operation();
      await here.fleet.check(now, first);
      await here.fleet.diff(a.id, a.state, now);
      const giving = here.fleet.update(a.id, a.state, now); // waits until all resources are declared
      expect(await here.fleet.check(wanted, wanted)).toEqual([]);
      await here.fleet.diff(b.id, b.state, wanted);
      await giving; // the engine starts the other fleet's update later
      const after = await here.fleet.update(b.id, b.state, wanted);
      expect(after.tenants.acme?.tenantId).toBe(a.state.tenants.acme?.tenantId);
      expect(on.writes()).toEqual([]);
    },
  );
});

describe("a replaced tenant whose old tenant another new resource adopts", () => {
  test.each([
    ["by its id", (id: string): TenantInputs => ({ ...acme, name: "acme", logicalName: "kept", adopt: Number(id) })],
    ["by its name", (): TenantInputs => ({ ...acme, logicalName: "kept", adopt: true })],
  ])("%s", async (_, keptOf) => {
    await using on = await stage();
    const made = await brought(on, { ...acme, logicalName: "moving" });
    const moved: TenantInputs = {
      integration: "shop-to-erp",
      name: "acme",
      logicalName: "moving",
      configs: { currency: "EUR" },
    };
    const here = on.operation();
    expect(await here.tenant.check(moved, inputsOf(made.state))).toEqual([]);
    expect(await here.tenant.diff(made.id, made.state, moved)).toMatchObject({ replaces: ["integration"] });
    expect(await here.tenant.check(moved, undefined)).toEqual([]);
    const replacing = here.tenant.delete(made.id, made.state).then(() => here.tenant.create(moved));
    expect(await here.tenant.check(keptOf(made.id), undefined)).toEqual([]); // the engine continues in the meantime
    const kept = await here.tenant.create(keptOf(made.id));
    await replacing;
    expect((await on.tenant(made.id)).archived).toBe(false);
    expect(kept.id).toBe(made.id);
  });
});

describe("adopt with the id of a tenant whose owner is declared later", () => {
  test("writes nothing, even without a preview", async () => {
    await using on = await stage();
    const made = await brought(on, acme);
    const here = on.operation();
    const mistaken: TenantInputs = { ...acme, name: "other", configs: { region: "us" }, adopt: Number(made.id) };
    expect(await here.tenant.check(mistaken, undefined)).toEqual([]);
    const creating = failureOf(here.tenant.create(mistaken));
    await here.tenant.check(inputsOf(made.state), inputsOf(made.state));
    await here.tenant.diff(made.id, made.state, inputsOf(made.state)).catch(() => {});
    expect((await creating).message).toContain("is declared by");
    expect(on.writes()).toEqual([]);
  });
});

describe("a slow diff of another fleet counts as work in progress", () => {
  test("a tenant that a fleet no longer declares is not archived while the program is still declaring resources", async () => {
    await using on = await stage();
    const entry = { configs: { region: "eu" } };
    const first = { integration: "crm-to-billing", name: "first", tenants: { acme: entry } };
    const big = { integration: "crm-to-billing", name: "big", tenants: { bluebird: entry } };
    const op0 = on.operation();
    const a = await op0.fleet.create(first);
    const b = await op0.fleet.create(big);
    const here = on.operation();
    const now = { ...first, tenants: {} };
    await here.fleet.check(now, first);
    await here.fleet.diff(a.id, a.state, now);
    const giving = here.fleet.update(a.id, a.state, now);
    // a long diff, as for a fleet of thousands or one that must first list its tenants
    const changed = { ...big, tenants: { bluebird: { ...entry, sync: { mode: "normal" as const } } } };
    await here.fleet.check(changed, big);
    const skipped = {
      ...b.state,
      tenants: {
        bluebird: {
          tenantId: idIn(b.state, "bluebird"),
          ...entry,
          sync: { mode: "normal" as const, outcome: "skipped" as const },
        },
      },
    };
    on.emulator.fault({ kind: "delay", ms: 800, match: { method: "GET", path: "/v2/tenants" } });
    await here.fleet.diff(b.id, skipped, changed);
    await sleep(30); // time that the engine itself needs
    const moved = { ...acme, adopt: true as const };
    await here.tenant.check(moved, undefined);
    const taken = await here.tenant.create(moved);
    await giving;
    expect(Number(taken.id)).toBe(a.state.tenants.acme?.tenantId);
  });
});
