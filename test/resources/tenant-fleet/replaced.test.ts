import { describe, expect, test } from "vitest";
import { IncompleteError } from "../../../src/resources/lifecycle.ts";
import type { TenantFleetInputs } from "../../../src/resources/tenant-fleet/schema.ts";
import { failureOf, stage } from "../stage.ts";

describe("a fleet that is replaced and retains its tenants", () => {
  test("takes its tenants over again if the integration is the same (--replace)", async () => {
    await using on = await stage();
    const inputs = {
      integration: "crm-to-billing",
      name: "billing",
      retainOnDelete: true,
      tenants: { acme: { configs: { region: "eu" } } },
    };
    const made = await on.operation().fleet.create(inputs);
    const here = on.operation();
    expect(await here.fleet.check(inputs, inputs)).toEqual([]);
    expect(await here.fleet.check(inputs, undefined)).toEqual([]);
    await here.fleet.delete(made.id, made.state);
    const again = await here.fleet.create(inputs);
    expect(again.state.tenants.acme?.tenantId).toBe(made.state.tenants.acme?.tenantId);
  });
});

describe("two tenants renamed to one name at once", () => {
  test("are not both renamed", async () => {
    await using on = await stage();
    const inputs = {
      integration: "crm-to-billing",
      name: "billing",
      tenants: { a: { name: "acme" }, b: { name: "bluebird" } },
    };
    const made = await on.operation().fleet.create(inputs);
    const now = { ...inputs, tenants: { a: { name: "cedar" }, b: { name: "cedar" } } };
    const here = on.operation();
    const failures = await here.fleet.check(now, inputs);
    if (failures.length === 0) await failureOf(here.fleet.update(made.id, made.state, now));
    expect((await on.live()).filter(({ name }) => name === "cedar").length).toBeLessThan(2);
  });
});

describe("a fleet that is replaced by --replace, which checks without the old inputs and asks no diff", () => {
  const inputs = {
    integration: "crm-to-billing",
    name: "billing",
    tenants: { acme: { configs: { region: "eu" } }, bluebird: {}, cedar: { adopt: true as const } },
  };

  test("is refused as a whole, without a state that the next up would continue, if it would create before it deletes", async () => {
    await using on = await stage();
    const made = await on.operation().fleet.create(inputs);
    on.emulator.clearRequests();
    const here = on.operation();
    await here.fleet.read(made.id, made.state);
    await here.fleet.check(inputs, undefined);
    const failure = await failureOf(here.fleet.create(inputs));
    expect(failure).not.toBeInstanceOf(IncompleteError);
    expect(Object(failure).message).toMatch(
      /fleet "billing" cannot be replaced: its tenants acme \(\d+\), bluebird \(\d+\), cedar \(\d+\).*deleteBeforeReplace: true/,
    );
    expect(on.writes()).toEqual([]);
  });

  test("creates other tenants if it deletes first", async () => {
    await using on = await stage();
    const made = await on.operation().fleet.create(inputs);
    const here = on.operation();
    await here.fleet.read(made.id, made.state);
    await here.fleet.check(inputs, undefined);
    await here.fleet.delete(made.id, made.state);
    const again = await here.fleet.create(inputs);
    const ids = Object.values(again.state.tenants).map(({ tenantId }) => tenantId);
    expect((await on.live()).map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(ids).not.toContain(made.state.tenants.acme?.tenantId);
  });

  test("may create before it deletes in another integration, and archives the old tenants then", async () => {
    await using on = await stage();
    const made = await on.operation().fleet.create(inputs);
    const here = on.operation();
    await here.fleet.read(made.id, made.state);
    const moved = { ...inputs, integration: "shop-to-erp", tenants: { acme: {}, bluebird: {} } };
    await here.fleet.check(moved, undefined);
    await here.fleet.create(moved);
    await here.fleet.delete(made.id, made.state);
    expect(await on.live()).toMatchObject([{ integration_id: 102 }, { integration_id: 102 }]);
  });
});

describe("a fleet whose replacement in another integration was killed after it had created a tenant", () => {
  const inputs = { integration: "crm-to-billing", name: "billing", tenants: { acme: {}, bluebird: {} } };
  const moved = { ...inputs, integration: "shop-to-erp" };

  test.each<[string, TenantFleetInputs, TenantFleetInputs]>([
    ["with its name", inputs, moved],
    ["under another logical name", inputs, { ...moved, logicalName: "invoices" }],
    ["under another key", inputs, { ...moved, tenants: { "acme-corp": { name: "acme", aliases: ["acme"] } } }],
    ["if an up before had failed to create it", { ...inputs, tenants: { bluebird: {} } }, moved],
  ])("takes that tenant over in the next up, %s", async (_, before, now) => {
    await using on = await stage();
    const made = await on.operation().fleet.create(before);
    await on.operation().fleet.delete(made.id, made.state);
    const { state } = await on.operation().tenant.create({ integration: "shop-to-erp", name: "acme" });

    // the engine neither reads nor deletes a resource again whose old one it has deleted
    const { fleet } = on.operation();
    expect(await fleet.check(now, inputs)).toEqual([]);
    expect(await fleet.diff(made.id, made.state, now)).toEqual({ isChanged: true, replaces: ["integration"] });
    expect(await fleet.check(now, undefined)).toEqual([]);
    await fleet.create(now);
    const live = await on.live();
    expect(live.filter(({ name }) => name === "acme")).toMatchObject([{ id: state.tenantId }]);
    expect(live).toHaveLength(Object.keys(now.tenants).length);
  });
});

test.each<[string, object]>([
  ["another logical name", { logicalName: "invoices", tenants: { acme: {} } }],
  ["another key for its tenant", { tenants: { "acme-corp": { aliases: ["acme"] } } }],
])("a fleet that is replaced in another integration with %s archives its tenants", async (_, change) => {
  await using on = await stage();
  const inputs = { integration: "crm-to-billing", name: "billing", tenants: { acme: {} } };
  const made = await on.operation().fleet.create(inputs);
  const moved = { ...inputs, integration: "shop-to-erp", ...change };
  const { fleet } = on.operation();
  await fleet.check(moved, inputs);
  await fleet.diff(made.id, made.state, moved);
  await fleet.check(moved, undefined);
  await fleet.delete(made.id, made.state);
  await fleet.create(moved);
  expect(on.warnings).toEqual([]);
  expect(await on.live()).toMatchObject([{ integration_id: 102 }]);
});

test("a fleet is not replaced because its integration's name has become the name of another one", async () => {
  const seed = {
    integrations: [
      { id: 1, name: "crm-of-old" },
      { id: 2, name: "crm" },
    ],
    tenants: [{ id: 5001, integration: 1, name: "acme" }],
  };
  await using on = await stage({ seed });
  const { fleet } = on.operation();
  const made = await fleet.create({ integration: 1, name: "billing", tenants: { acme: { adopt: 5001 } } });
  const inputs = { integration: "crm", name: "billing", tenants: { acme: { adopt: 5001 } } };
  const state = { ...made.state, integration: "crm" };
  expect((await failureOf(on.operation().fleet.diff(made.id, state, inputs))).message).toMatch(
    /fleet "billing" is of integration 1, but "crm" is now the name of integration 2/,
  );
});
