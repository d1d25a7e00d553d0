import { describe, expect, test } from "vitest";
import { createOperationContext } from "../../src/operation/operation-context.ts";
import { buildLifecycle } from "../../src/resources/build/lifecycle.ts";
import type { Lifecycle } from "../../src/resources/lifecycle.ts";
import { tenantLifecycle } from "../../src/resources/tenant/lifecycle.ts";
import type { TenantInputs } from "../../src/resources/tenant/schema.ts";
import { tenantFleetLifecycle } from "../../src/resources/tenant-fleet/lifecycle.ts";
import { claimsFolder } from "../operation/claims-folder.ts";
import { brought, failureOf, type Stage, stage } from "./stage.ts";
import { idIn } from "./tenant-fleet/fleet-stage.ts";

// Rows of the engine's calls in which a tenant could be archived that a resource still has or is about to take over.

const integration = "crm-to-billing";
const acme: TenantInputs = { integration, name: "acme", configs: { region: "eu" } };
const moved: TenantInputs = { integration: "shop-to-erp", name: "acme", configs: { currency: "EUR" } };

type Folder = ReturnType<typeof claimsFolder>;

/** One more provider process of the operation whose claims are in the folder. */
function processIn(here: Folder, on: Stage, provider: "dynamic" | "native") {
  const context = createOperationContext({
    client: on.operation().context.client,
    warn: (message) => on.warnings.push(message),
    consistencyTimeoutSeconds: 0.3,
    claims: here.open({ provider }),
  });
  return { context, tenant: tenantLifecycle(context), fleet: tenantFleetLifecycle(context) };
}

/** The calls with which the engine finds that a resource is replaced: the last check is as of a new one. */
async function replaceIn<Inputs extends object, State extends object>(
  lifecycle: Lifecycle<Inputs, State>,
  { id, state }: { id: string; state: State },
  old: Inputs,
  inputs: Inputs,
): Promise<void> {
  await lifecycle.check(inputs, old);
  await lifecycle.diff(id, state, inputs);
  await lifecycle.check(inputs, undefined);
}

test.concurrent("a fleet that waits archives nothing once a Build has failed: the tenant's new resource may wait for it", async () => {
  await using on = await stage();
  const before = { integration, name: "billing", tenants: { acme: { configs: { region: "eu" } }, bluebird: {} } };
  const made = await on.operation().fleet.create(before);
  const here = on.operation();
  const { ownership } = here.context;
  const now = { ...before, tenants: { bluebird: {} } };
  await here.fleet.check(now, before);
  await here.fleet.diff(made.id, made.state, now);
  const removing = failureOf(ownership.duringWork(() => here.fleet.update(made.id, made.state, now)));
  on.emulator.fault({ kind: "status", status: 422, match: { method: "POST", path: "build$" }, times: 9 });
  const build = buildLifecycle(here.context);
  await failureOf(ownership.duringWork(() => build.create({ integrationId: 101, tag: "v1.2.0" })));
  const failure = await removing;
  expect(failure.message).toContain("the removed tenant is not archived, because another resource has failed");
  expect(Object(failure).state.tenants).toHaveProperty("acme");
  expect((await on.tenant(idIn(made.state, "acme"))).archived).toBe(false);
});

describe.concurrent("a deletion that an earlier up has left, of a tenant that its resource has", () => {
  test("archives nothing, and tells so", async () => {
    await using on = await stage();
    const made = await brought(on, acme);
    // `up --replace` that creates first and fails later: the state has the tenant twice
    const here = on.operation();
    await here.tenant.check(acme, acme);
    await here.tenant.diff(made.id, made.state, acme);
    await here.tenant.delete(made.id, made.state);
    expect((await on.tenant(made.id)).archived).toBe(false);
    expect(on.warnings).toEqual([
      expect.stringContaining("an earlier up left its deletion, and Tenant acme has it again"),
    ]);
  });

  test("archives no tenant of a fleet", async () => {
    await using on = await stage();
    const inputs = { integration, name: "billing", tenants: { acme: {}, bluebird: {} } };
    const made = await on.operation().fleet.create(inputs);
    const here = on.operation();
    await here.fleet.check(inputs, inputs);
    await here.fleet.diff(made.id, made.state, inputs);
    await here.fleet.delete(made.id, made.state);
    expect(await on.live()).toHaveLength(2);
  });

  test.each([
    ["is replaced", undefined],
    ["is no longer declared", acme],
  ])("is a deletion like any other if the resource %s", async (what, old) => {
    await using on = await stage();
    const made = await brought(on, acme);
    const here = on.operation();
    if (what === "is replaced") await here.tenant.check(acme, acme);
    await here.tenant.diff(made.id, made.state, acme); // also the diff of a refresh
    if (old === undefined) await here.tenant.check(acme, undefined);
    await here.tenant.delete(made.id, made.state);
    expect((await on.tenant(made.id)).archived).toBe(true);
  });
});

test.concurrent("a replacement that is taken back after its deletion did not begin has its first tenant again", async () => {
  await using on = await stage();
  const first = await brought(on, acme);
  const second = on.operation();
  await second.tenant.check(moved, undefined); // creates first, and another resource fails
  const replacement = await second.tenant.create(moved);
  const third = on.operation();
  await third.tenant.read(first.id, first.state);
  await third.tenant.read(replacement.id, replacement.state);
  await replaceIn(third.tenant, replacement, moved, acme);
  await third.tenant.delete(replacement.id, replacement.state);
  const again = await third.tenant.create(acme);
  await third.tenant.delete(first.id, first.state); // the deletion that was left
  expect(again.id).toBe(first.id);
  expect((await on.live()).map(({ id }) => String(id))).toEqual([first.id]);
});

test.concurrent.each(["first", "last"])(
  "a replacement of a fleet that is taken back, and deletes %s, has its first tenants again",
  async (order) => {
    await using on = await stage();
    const inputs = { integration, name: "billing", tenants: { acme: {}, bluebird: {} } };
    const there = { ...inputs, integration: "shop-to-erp" };
    const first = await on.operation().fleet.create(inputs);
    const second = on.operation();
    await second.fleet.check(there, undefined);
    const replacement = await second.fleet.create(there);
    const third = on.operation();
    await third.fleet.read(first.id, first.state);
    await third.fleet.read(replacement.id, replacement.state);
    await replaceIn(third.fleet, replacement, there, inputs);
    const remove = () => third.fleet.delete(replacement.id, replacement.state);
    if (order === "first") await remove();
    const again = await third.fleet.create(inputs);
    if (order === "last") await remove();
    await third.fleet.delete(first.id, first.state); // the deletion that was left
    expect(again.state.tenantIds).toEqual(first.state.tenantIds);
    expect((await on.live()).map(({ id }) => id).sort()).toEqual(
      Object.values(first.state.tenants)
        .map(({ tenantId }) => tenantId)
        .sort(),
    );
  },
);

test.concurrent.each<Pick<TenantInputs, "adopt">>([{}, { adopt: true }])(
  "a replaced resource takes over in its new integration what a fleet no longer declares: %o",
  async (more) => {
    await using on = await stage();
    const { configs } = moved;
    const before = { integration: "shop-to-erp", name: "shop", tenants: { acme: { configs }, bluebird: {} } };
    const fleet = await on.operation().fleet.create(before);
    const made = await brought(on, acme);
    const here = on.operation();
    const { ownership } = here.context;
    const now = { ...before, tenants: { bluebird: {} } };
    await here.fleet.check(now, before);
    await here.fleet.diff(fleet.id, fleet.state, now);
    const removing = ownership.duringWork(() => here.fleet.update(fleet.id, fleet.state, now));
    const taking = { ...moved, ...more };
    await replaceIn(here.tenant, made, acme, taking);
    await here.tenant.delete(made.id, made.state);
    const created = await ownership.duringWork(() => here.tenant.create(taking));
    await removing;
    expect(Number(created.id)).toBe(idIn(fleet.state, "acme"));
    expect((await on.tenant(created.id)).archived).toBe(false);
    expect((await on.tenant(made.id)).archived).toBe(true);
  },
);

describe.concurrent("a move to another integration and to the other provider in one up", () => {
  test.each([
    ["dynamic", "native"],
    ["native", "dynamic"],
  ] as const)("archives the old tenant: from %s to %s", async (from, to) => {
    await using on = await stage();
    using here = claimsFolder();
    const made = await brought(on, acme);
    const [old, now] = [processIn(here, on, from), processIn(here, on, to)];
    await replaceIn(now.tenant, made, acme, moved);
    await old.tenant.delete(made.id, made.state); // the engine deletes with the provider of the state
    const { id } = await now.tenant.create(moved);
    expect(on.warnings).toEqual([]);
    expect((await on.live()).map((tenant) => String(tenant.id))).toEqual([id]);
  });

  test("archives the old tenants of a fleet", async () => {
    await using on = await stage();
    using here = claimsFolder();
    const inputs = { integration, name: "billing", tenants: { acme: {}, bluebird: {} } };
    const made = await on.operation().fleet.create(inputs);
    const [old, now] = [processIn(here, on, "dynamic"), processIn(here, on, "native")];
    const there = { ...inputs, integration: "shop-to-erp" };
    await replaceIn(now.fleet, made, inputs, there);
    await old.fleet.delete(made.id, made.state);
    await now.fleet.create(there);
    expect(await on.live()).toHaveLength(2);
  });
});

test.concurrent("a replacement that cannot be created archives nothing, also if another process deletes", async () => {
  await using on = await stage();
  using here = claimsFolder();
  const made = await brought(on, acme);
  await on.add({ integration: 102, name: "acme", source: "marketplace" });
  on.emulator.clearRequests();
  const [old, now] = [processIn(here, on, "native"), processIn(here, on, "native")];
  await replaceIn(now.tenant, made, acme, moved);
  expect((await failureOf(old.tenant.delete(made.id, made.state))).message).toContain(
    "is not archived, because the tenant that replaces it could not be created",
  );
  await failureOf(now.tenant.create(moved));
  expect(on.writes()).toEqual([]);
});

describe.concurrent("what another process deletes that has read and compared it in a refresh", () => {
  test.each([
    ["moves to another integration", moved],
    ["is replaced by --replace", acme],
  ])("is archived if the resource %s", async (_, inputs) => {
    await using on = await stage();
    using here = claimsFolder();
    const made = await brought(on, acme);
    const [old, now] = [processIn(here, on, "native"), processIn(here, on, "native")];
    await old.tenant.read(made.id, made.state);
    await old.tenant.diff(made.id, made.state, acme);
    await replaceIn(now.tenant, made, acme, inputs);
    await old.tenant.delete(made.id, made.state);
    const { id } = await now.tenant.create(inputs);
    expect(on.warnings).toEqual([]);
    expect(id).not.toBe(made.id);
    expect((await on.live()).map((tenant) => String(tenant.id))).toEqual([id]);
  });

  test("is archived if a fleet moves to another integration", async () => {
    await using on = await stage();
    using here = claimsFolder();
    const inputs = { integration, name: "billing", tenants: { acme: {}, bluebird: {} } };
    const made = await on.operation().fleet.create(inputs);
    const [old, now] = [processIn(here, on, "native"), processIn(here, on, "native")];
    await old.fleet.read(made.id, made.state);
    await old.fleet.diff(made.id, made.state, inputs);
    const there = { ...inputs, integration: "shop-to-erp" };
    await replaceIn(now.fleet, made, inputs, there);
    await old.fleet.delete(made.id, made.state);
    await now.fleet.create(there);
    expect(on.warnings).toEqual([]);
    expect(await on.live()).toHaveLength(2);
  });

  test("is archived if the replacement exists, although its check has doubted it", async () => {
    await using on = await stage();
    using here = claimsFolder();
    const made = await brought(on, acme);
    const other = { ...moved, logicalName: "other" };
    const renamed = { ...other, name: "other" };
    const bearer = await on.operation().tenant.create(other);
    const wanted = { ...moved, configs: { currency: "USD" } };
    const [old, now] = [processIn(here, on, "native"), processIn(here, on, "native")];
    await replaceIn(now.tenant, made, acme, wanted);
    await now.tenant.check(renamed, other);
    await now.tenant.diff(bearer.id, bearer.state, renamed);
    const renaming = now.tenant.update(bearer.id, bearer.state, renamed);
    const created = await now.tenant.create(wanted); // creates first
    await renaming;
    await old.tenant.delete(made.id, made.state);
    expect((await on.live()).map(({ id }) => String(id)).sort()).toEqual([created.id, bearer.id].sort());
  });
});

test.concurrent("a rename waits until a fleet has archived the tenant that has the name", async () => {
  await using on = await stage();
  const before = { integration, name: "billing", tenants: { acme: {}, bluebird: {} } };
  const now = { ...before, tenants: { bluebird: {} } };
  const fleet = await on.operation().fleet.create(before);
  const old = { ...acme, name: "acme-new", logicalName: "one" };
  const made = await brought(on, old);
  const renamed = { ...old, name: "acme" };
  const here = on.operation();
  const { ownership } = here.context;
  await here.fleet.check(now, before);
  await here.fleet.diff(fleet.id, fleet.state, now);
  const removing = ownership.duringWork(() => here.fleet.update(fleet.id, fleet.state, now));
  await here.tenant.check(renamed, old);
  await here.tenant.diff(made.id, made.state, renamed);
  await ownership.duringWork(() => here.tenant.update(made.id, made.state, renamed));
  await removing;
  expect((await on.tenant(idIn(fleet.state, "acme"))).archived).toBe(true);
  expect(await on.tenant(made.id)).toMatchObject({ name: "acme", archived: false });
});

describe.concurrent("the old tenant of a resource that moves to another integration may be adopted", () => {
  test("in a preview, which does not delete", async () => {
    await using on = await stage();
    const moving = { ...acme, logicalName: "moving" };
    const made = await brought(on, moving);
    const here = on.operation();
    const there = { ...moved, logicalName: "moving" };
    await replaceIn(here.tenant, made, moving, there);
    expect(await here.tenant.check({ ...acme, logicalName: "kept", adopt: true }, undefined)).toEqual([]);
  });

  test("while the tenants of a replaced fleet wait for their archiving", async () => {
    await using on = await stage();
    const inputs = { integration, name: "billing", tenants: { acme: { configs: { region: "eu" } } } };
    const made = await on.operation().fleet.create(inputs);
    const there = { integration: "shop-to-erp", name: "billing", tenants: { acme: {} } };
    const here = on.operation();
    await replaceIn(here.fleet, made, inputs, there);
    const deleting = here.fleet.delete(made.id, made.state);
    const adopting: TenantInputs = { ...acme, adopt: true };
    expect(await here.tenant.check(adopting, undefined)).toEqual([]);
    const { id } = await here.tenant.create(adopting);
    await deleting;
    expect((await on.tenant(id)).archived).toBe(false);
    expect(Number(id)).toBe(idIn(made.state, "acme"));
  });
});

describe.concurrent("a left deletion that another process of the provider does", () => {
  test("archives its tenant if the resource has another one now, also after a refresh of both", async () => {
    await using on = await stage();
    using here = claimsFolder();
    const first = await brought(on, acme);
    const second = on.operation();
    await second.tenant.check(moved, undefined); // creates first, and another resource fails
    const replacement = await second.tenant.create(moved);
    const [one, other] = [processIn(here, on, "native"), processIn(here, on, "native")];
    for (const [{ tenant }, { id, state }, inputs] of [
      [one, first, acme],
      [other, replacement, moved],
    ] as const) {
      await tenant.read(id, state); // the engine refreshes both
      await tenant.diff(id, state, inputs);
    }
    await other.tenant.check(moved, moved);
    await other.tenant.diff(replacement.id, replacement.state, moved);
    await one.tenant.delete(first.id, first.state);
    expect((await on.live()).map(({ id }) => String(id))).toEqual([replacement.id]);
  });

  test("archives nothing if the resource has the tenant again", async () => {
    await using on = await stage();
    using here = claimsFolder();
    const made = await brought(on, acme);
    const [one, other] = [processIn(here, on, "native"), processIn(here, on, "native")];
    await other.tenant.read(made.id, made.state);
    await other.tenant.check(acme, acme);
    await other.tenant.diff(made.id, made.state, acme);
    await one.tenant.delete(made.id, made.state);
    expect((await on.tenant(made.id)).archived).toBe(false);
  });
});

test.concurrent("a resource moves to another integration although another one has adopted its tenant already", async () => {
  await using on = await stage();
  const moving: TenantInputs = { ...acme, logicalName: "moving" };
  const there: TenantInputs = { ...moved, logicalName: "moving" };
  const adopting: TenantInputs = { ...acme, logicalName: "kept", adopt: true };
  const made = await brought(on, moving);
  const first = on.operation();
  await replaceIn(first.tenant, made, moving, there);
  expect(await first.tenant.check(adopting, undefined)).toEqual([]);
  const kept = await first.tenant.create(adopting); // then the up ends: the state has the tenant twice
  expect(kept.id).toBe(made.id);
  const second = on.operation();
  await second.tenant.check(adopting, adopting);
  await second.tenant.diff(kept.id, kept.state, adopting);
  await replaceIn(second.tenant, made, moving, there);
  await second.tenant.delete(made.id, made.state);
  expect((await on.tenant(made.id)).archived).toBe(false);
});
