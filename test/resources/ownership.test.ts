import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { TenantInputs, TenantState } from "../../src/resources/tenant/schema.ts";
import { eventually } from "../eventually.ts";
import { brought, type Operation, type Stage, stage } from "./stage.ts";

/** A tenant as a create makes it, which `adopt: "safe"` takes over. */
const acme: TenantInputs = { integration: "crm-to-billing", name: "acme", configs: { region: "eu" } };

/** Each test runs without and with a refresh before it, which reads and diffs every resource in the state. */
const operations = [
  ["without a refresh", false],
  ["after a refresh", true],
] as const;

interface Stored {
  id: string;
  state: TenantState;
}

/** Calls what a refresh calls for each resource in the state, including resources that are no longer declared. */
async function refresh({ tenant }: Operation, ...stored: readonly Stored[]) {
  for (const { id, state } of stored) {
    const read = await tenant.read(id, state);
    if (read !== undefined) await tenant.diff(id, read.state, inputsOf(state));
  }
}

function inputsOf({ tenantId: _, integrationId: __, ...inputs }: TenantState): TenantInputs {
  return inputs;
}

/** Calls what the engine calls for a declared resource that the state has. */
async function keep({ tenant }: Operation, { id, state }: Stored, inputs: TenantInputs = inputsOf(state)) {
  const failures = await tenant.check(inputs, inputsOf(state));
  const { isChanged } = await tenant.diff(id, state, inputs);
  return { failures, isChanged };
}

/** Calls what the engine calls for a declared resource that the state does not have. */
async function add({ tenant }: Operation, inputs: TenantInputs) {
  expect(await tenant.check(inputs, undefined)).toEqual([]);
  return tenant.create(inputs);
}

describe.each(operations)("a resource that is renamed without an alias, %s", (_, isRefreshed) => {
  test("keeps its tenant: the delete of the old resource leaves it, and reports it", async () => {
    await using on = await stage();
    const old = await brought(on, { ...acme, logicalName: "old" });
    const here = on.operation();
    if (isRefreshed) await refresh(here, old);
    const renamed = await add(here, { ...acme, logicalName: "new" });
    await here.tenant.delete(old.id, old.state);
    expect(renamed.id).toBe(old.id);
    expect(on.writes()).toEqual([]);
    expect(await on.live()).toMatchObject([{ id: Number(old.id), name: "acme" }]);
    expect(on.warnings).toEqual([
      `tenant "acme" (id ${old.id}) is not archived: Tenant old is removed, and Tenant new declares it`,
    ]);
  });

  test("moves into a fleet and back", async () => {
    await using on = await stage();
    const old = await brought(on, acme);
    const { name: __, integration, ...entry } = acme;
    const fleet = { integration, name: "billing", tenants: { acme: entry } };
    const there = on.operation();
    if (isRefreshed) await refresh(there, old);
    expect(await there.fleet.check(fleet, undefined)).toEqual([]);
    const moved = await there.fleet.create(fleet);
    await there.tenant.delete(old.id, old.state);
    expect(moved.state.tenants.acme?.tenantId).toBe(Number(old.id));

    const back = on.operation();
    const without = { ...fleet, tenants: {} };
    if (isRefreshed) await back.fleet.read(moved.id, moved.state);
    await back.fleet.check(without, fleet);
    await back.fleet.diff(moved.id, moved.state, without);
    const removing = back.fleet.update(moved.id, moved.state, without); // the engine continues in the meantime
    const again = await add(back, acme);
    await removing;
    expect(again.id).toBe(old.id);
    expect(on.writes()).toEqual([]);
    expect(await on.live()).toHaveLength(1);
  });
});

describe.each(operations)("a resource that is removed, %s", (_, isRefreshed) => {
  test("archives its tenant", async () => {
    await using on = await stage();
    const made = await brought(on, acme);
    const here = on.operation();
    if (isRefreshed) await refresh(here, made);
    await here.tenant.delete(made.id, made.state);
    expect(await on.live()).toEqual([]);
  });

  test("archives its tenant once if the state has it under two names and both are removed", async () => {
    await using on = await stage();
    const made = await brought(on, acme);
    const twin = { id: made.id, state: { ...made.state, logicalName: "twin" } };
    const here = on.operation();
    if (isRefreshed) await refresh(here, made, twin);
    await Promise.all([here.tenant.delete(made.id, made.state), here.tenant.delete(twin.id, twin.state)]);
    expect(await on.live()).toEqual([]);
    expect(on.writes().filter(({ request }) => request.startsWith("DELETE")).length).toBeGreaterThan(0);
  });

  test("keeps its tenant if the state has it under two names and one is still declared", async () => {
    await using on = await stage();
    const made = await brought(on, acme);
    const twin = { id: made.id, state: { ...made.state, logicalName: "twin" } };
    const here = on.operation();
    if (isRefreshed) await refresh(here, made, twin);
    await keep(here, made);
    await here.tenant.delete(twin.id, twin.state);
    expect(on.writes()).toEqual([]);
    expect(await on.live()).toHaveLength(1);
  });
});

test.concurrent("a tenant that was renamed by hand is archived when its resource is removed after a refresh", async () => {
  await using on = await stage();
  const made = await brought(on, acme);
  await on.changeByHand(made.id, { name: "acme-renamed" });
  const here = on.operation();
  const read = await here.tenant.read(made.id, made.state);
  if (read === undefined) throw new Error("it is gone");
  await here.tenant.diff(made.id, read.state, acme);
  await here.tenant.delete(made.id, read.state);
  expect(await on.live()).toEqual([]);
});

describe.each(operations)("a replacement, %s", (_, isRefreshed) => {
  const hasRun = { status: { auth: { connected: false }, last_run: { id: 1 } } };

  /** Does what the engine does for `--replace`: a second check without the old inputs, and no diff. */
  async function replace(here: Operation, made: Stored, inputs: TenantInputs, order: "delete first" | "create first") {
    expect(await here.tenant.check(inputs, inputsOf(made.state))).toEqual([]);
    expect(await here.tenant.check(inputs, undefined)).toEqual([]);
    if (order === "delete first") await here.tenant.delete(made.id, made.state);
    const created = await here.tenant.create(inputs);
    if (order === "create first") await here.tenant.delete(made.id, made.state);
    return created;
  }

  test.each([{}, { adopt: "never" }, { adopt: true }] as const)(
    "archives the tenant and creates another (%o)",
    async (more) => {
      await using on = await stage();
      const made = await brought(on, { ...acme, ...more });
      await on.changeByHand(made.id, hasRun);
      const here = on.operation();
      if (isRefreshed) await refresh(here, made);
      const { id } = await replace(here, made, { ...acme, ...more }, "delete first");
      expect(id).not.toBe(made.id);
      expect(await on.live()).toMatchObject([{ id: Number(id) }]);
      expect(on.warnings).toEqual([]);
    },
  );

  test("creates another tenant if the old one was adopted by its id", async () => {
    await using on = await stage();
    const adopt = await on.add({ integration: 101, name: "acme", ...hasRun });
    const made = await brought(on, { ...acme, adopt });
    const here = on.operation();
    if (isRefreshed) await refresh(here, made);
    const { id } = await replace(here, made, { ...acme, adopt }, "delete first");
    expect(await on.live()).toMatchObject([{ id: Number(id) }]);
    expect(id).not.toBe(made.id);
  });

  test.each([{}, { adopt: true }] as const)(
    "is refused without changes if it would create before it deletes (%o)",
    async (more) => {
      await using on = await stage();
      const made = await brought(on, { ...acme, ...more });
      const here = on.operation();
      if (isRefreshed) await refresh(here, made);
      await expect(replace(here, made, { ...acme, ...more }, "create first")).rejects.toThrow(
        "deleteBeforeReplace: true",
      );
      expect(on.writes()).toEqual([]);
      expect(await on.live()).toHaveLength(1);
    },
  );

  test("archives the old tenant if the integration changes", async () => {
    await using on = await stage();
    const made = await brought(on, acme);
    const moved = { ...acme, integration: "shop-to-erp", configs: { currency: "EUR" } };
    const here = on.operation();
    if (isRefreshed) await refresh(here, made);
    expect(await here.tenant.diff(made.id, made.state, moved)).toMatchObject({ replaces: ["integration"] });
    await replace(here, made, moved, "delete first");
    expect((await on.tenant(made.id)).archived).toBe(true);
    expect(await on.live()).toMatchObject([{ name: "acme", integration_id: 102 }]);
  });
});

describe.each(operations)("adopt with the id of a tenant that another resource declares, %s", (_, isRefreshed) => {
  const mistaken = (id: string): TenantInputs => ({ ...acme, name: "other", adopt: Number(id) });

  test("is refused in the preview if the owner is checked first", async () => {
    await using on = await stage();
    const made = await brought(on, acme);
    const here = on.operation();
    if (isRefreshed) await refresh(here, made);
    await keep(here, made);
    const [failure] = await here.tenant.check(mistaken(made.id), undefined);
    expect(failure?.reason).toMatch(new RegExp(`tenant ${made.id} is declared by Tenant acme.*Tenant other`));
    await expect(here.tenant.create(mistaken(made.id))).rejects.toThrow("Tenant acme");
    expect(on.writes()).toEqual([]);
  });

  test("fails the owner in the preview if the owner is checked second", async () => {
    await using on = await stage();
    const made = await brought(on, acme);
    const here = on.operation();
    if (isRefreshed) await refresh(here, made);
    expect(await here.tenant.check(mistaken(made.id), undefined)).toEqual([]);
    await expect(keep(here, made)).rejects.toThrow(
      new RegExp(`\\(id ${made.id}\\) is declared by two resources, Tenant acme and Tenant other`),
    );
    expect(on.writes()).toEqual([]);
  });
});

describe.each(operations)("a tenant that was archived by hand, %s", () => {
  test("is created again if its resource adopts it by id", async () => {
    await using on = await stage();
    const adopt = await on.add({ integration: 101, name: "Acme Ltd." });
    const made = await brought(on, { ...acme, adopt });
    await on.changeByHand(made.id, { archived: true, name: "renamed, too" });
    const here = on.operation();
    expect(await here.tenant.read(made.id, made.state)).toBeUndefined();
    const { id } = await add(here, { ...acme, adopt });
    expect(id).not.toBe(made.id);
    expect(await on.live()).toMatchObject([{ id: Number(id), name: "acme" }]);
  });

  test("is also created again by a later operation, which finds it by its name", async () => {
    await using on = await stage();
    const adopt = await on.add({ integration: 101, name: "acme", archived: true });
    const { id } = await add(on.operation(), { ...acme, adopt });
    expect(id).not.toBe(String(adopt));
    expect(await on.live()).toMatchObject([{ id: Number(id), name: "acme" }]);
  });
});

describe.each(operations)("names, %s", (_, isRefreshed) => {
  const bluebird: TenantInputs = { ...acme, name: "bluebird", logicalName: "b" };
  const first: TenantInputs = { ...acme, logicalName: "a" };

  async function two(on: Stage) {
    const stored = [await brought(on, first), await brought(on, bluebird)] as const;
    on.emulator.clearRequests();
    return stored;
  }

  test("of another live tenant are refused", async () => {
    await using on = await stage();
    const [a, b] = await two(on);
    const here = on.operation();
    if (isRefreshed) await refresh(here, a, b);
    const renamed = { ...first, name: "bluebird" };
    await keep(here, b);
    await keep(here, a, renamed);
    await expect(here.tenant.update(a.id, a.state, renamed)).rejects.toThrow(
      `cannot be named "bluebird": tenant ${b.id} of integration "crm-to-billing" is live`,
    );
    expect(on.writes()).toEqual([]);
  });

  test("may be swapped between two tenants, in either order of their resources", async () => {
    await using on = await stage();
    const [a, b] = await two(on);
    const here = on.operation();
    if (isRefreshed) await refresh(here, a, b);
    const [forA, forB] = [
      { ...first, name: "bluebird" },
      { ...bluebird, name: "acme" },
    ];
    await keep(here, a, forA);
    const updatingA = here.tenant.update(a.id, a.state, forA); // the engine continues in the meantime
    await keep(here, b, forB);
    await Promise.all([updatingA, here.tenant.update(b.id, b.state, forB)]);
    expect(await on.tenant(a.id)).toMatchObject({ name: "bluebird" });
    expect(await on.tenant(b.id)).toMatchObject({ name: "acme" });
  });

  test("may have to wait, and then the configs are written that the tenant has by now", async () => {
    await using on = await stage({ variants: { configs: "replace" } });
    const [a, b] = await two(on);
    const here = on.operation();
    if (isRefreshed) await refresh(here, a, b);
    const forA = { ...first, name: "bluebird", configs: { region: "us" } };
    const forB = { ...bluebird, name: "acme" };
    await keep(here, a, forA);
    on.emulator.clearRequests();
    const updatingA = here.tenant.update(a.id, a.state, forA);
    await eventually(() => expect(on.listCount()).toBeGreaterThan(0));
    await sleep(50); // the list has arrived, and the update waits for the name
    await on.changeByHand(a.id, { configs: { batch_size: 7 } });
    await keep(here, b, forB);
    await Promise.all([updatingA, here.tenant.update(b.id, b.state, forB)]);
    expect(await on.tenant(a.id)).toMatchObject({ name: "bluebird", configs: { region: "us", batch_size: 7 } });
  });

  test("that a renamed tenant no longer uses can be used by a new resource, in either order", async () => {
    await using on = await stage();
    const [a] = await two(on);
    const here = on.operation();
    if (isRefreshed) await refresh(here, a);
    const taker = { ...acme, logicalName: "taker" };
    const taking = add(here, taker);
    await keep(here, a, { ...first, name: "acme-old" });
    await here.tenant.update(a.id, a.state, { ...first, name: "acme-old" });
    const { id } = await taking;
    expect(id).not.toBe(a.id);
    expect(await on.tenant(a.id)).toMatchObject({ name: "acme-old", archived: false });
    expect(await on.tenant(id)).toMatchObject({ name: "acme", archived: false });
  });

  test("that two new resources share are an error in the preview that names both", async () => {
    await using on = await stage();
    const { tenant } = on.operation();
    expect(await tenant.check(first, undefined)).toEqual([]);
    expect(await tenant.check({ ...first, logicalName: "c" }, undefined)).toEqual([
      {
        property: "name",
        reason: 'tenant "acme" is declared by two resources, Tenant a and Tenant c. Remove one of them',
      },
    ]);
  });
});

test.concurrent("a tenant is not taken over while another resource archives it", async () => {
  await using on = await stage();
  const made = await brought(on, acme);
  const here = on.operation();
  on.emulator.fault({ kind: "delay", ms: 60_000, match: { method: "DELETE" } });
  const deleting = here.tenant.delete(made.id, made.state);
  await eventually(() => expect(on.writes()).toHaveLength(1));
  const adopting = { ...acme, logicalName: "other", adopt: Number(made.id) };
  await expect(here.tenant.create(adopting)).rejects.toThrow("Tenant acme is archiving it");
  on.emulator.clearFaults();
  await deleting;
  expect(on.writes().map(({ request }) => request)).toEqual([`DELETE /v2/tenants/${made.id}`]);
});

test.concurrent("a fleet's tenant that keeps its name under a renamed key is stored under the new key", async () => {
  await using on = await stage();
  const { name, integration, ...entry } = acme;
  const fleet = { integration, name: "billing", tenants: { [name]: entry } };
  const made = await on.operation().fleet.create(fleet);
  const renamed = { ...fleet, tenants: { other: { name, ...entry } } };
  expect(await on.operation().fleet.diff(made.id, made.state, renamed)).toEqual({ isChanged: true });
  const state = await on.operation().fleet.update(made.id, made.state, renamed);
  expect(Object.keys(state.tenants)).toEqual(["other"]);
  expect(await on.operation().fleet.diff(made.id, state, renamed)).toEqual({ isChanged: false });
});

test.concurrent("a fleet's renamed key keeps its tenant even if the tenant was renamed by hand", async () => {
  await using on = await stage();
  const { name, integration, ...entry } = acme;
  const fleet = { integration, name: "billing", tenants: { [name]: entry } };
  const made = await on.operation().fleet.create(fleet);
  const tenantId = made.state.tenants[name]?.tenantId;
  await on.changeByHand(Number(tenantId), { name: "acme-by-hand" });
  const here = on.operation();
  const read = await here.fleet.read(made.id, made.state);
  if (read === undefined) throw new Error("it is gone");
  const renamed = { ...fleet, tenants: { first: { name, ...entry } } };
  await here.fleet.check(renamed, read.inputs);
  const state = await here.fleet.update(made.id, read.state, renamed);
  expect(state.tenants).toEqual({ first: { name, ...entry, tenantId } });
  expect(await on.live()).toMatchObject([{ id: tenantId, name }]);
});

describe.concurrent("an alias that renames a resource", () => {
  test.each(operations)("changes only the tenant's owner, %s", async (_, isRefreshed) => {
    await using on = await stage();
    const old = await brought(on, { ...acme, logicalName: "old" });
    const here = on.operation();
    if (isRefreshed) await refresh(here, old);
    expect(await keep(here, old, { ...acme, logicalName: "new" })).toEqual({ failures: [], isChanged: true });
    const state = await here.tenant.update(old.id, old.state, { ...acme, logicalName: "new" });
    expect(on.writes()).toEqual([]);

    const later = on.operation();
    await later.tenant.delete(old.id, state);
    expect(await on.live()).toEqual([]);
  });

  test.each(operations)("removes what it no longer declares of the tenant's metadata, %s", async (_, isRefreshed) => {
    await using on = await stage({ variants: { metadata: "replace" } });
    const metadata = { plan: "gold", seats: 3 };
    const old = await brought(on, { ...acme, metadata, logicalName: "old" });
    for (const left of [{ plan: "gold" }, undefined]) {
      const now = { ...acme, name: "acme-group", ...(left && { metadata: left }), logicalName: "new" };
      const here = on.operation();
      if (isRefreshed) await refresh(here, old);
      await keep(here, old, now);
      await here.tenant.update(old.id, old.state, now);
      expect((await on.tenant(old.id)).metadata).toEqual(left ?? {});
      await on.changeByHand(old.id, { metadata });
    }
  });

  test.each(operations)("and moves it to another integration archives the old tenant, %s", async (_, isRefreshed) => {
    for (const isDeletedFirst of [false, true]) {
      await using on = await stage();
      const old = await brought(on, { ...acme, logicalName: "old" });
      const now = { ...acme, integration: "shop-to-erp", configs: { currency: "EUR" }, logicalName: "new" };
      const here = on.operation();
      if (isRefreshed) await refresh(here, old);
      await keep(here, old, now);
      if (isDeletedFirst) await here.tenant.delete(old.id, old.state);
      const moved = await add(here, now);
      if (!isDeletedFirst) await here.tenant.delete(old.id, old.state);
      expect((await on.live()).map(({ id }) => String(id))).toEqual([moved.id]);
      expect(on.warnings).toEqual([]);
    }
  });

  test.each(operations)(
    "and moves metadata to another tenant removes them from the old one, %s",
    async (_, isRefreshed) => {
      await using on = await stage({ variants: { metadata: "replace" } });
      const [first, second] = [await brought(on, acme), await brought(on, { ...acme, name: "bluebird" })];
      const before = { tenantId: Number(first.id), data: { plan: "gold" }, logicalName: "old" };
      const old = await on.operation().metadata.create(before);
      const now = { ...before, tenantId: Number(second.id), logicalName: "new" };

      const { metadata } = on.operation();
      if (isRefreshed) {
        await metadata.read(old.id, old.state);
        await metadata.diff(old.id, old.state, before);
      }
      expect(await metadata.check(now, before)).toEqual([]);
      expect(await metadata.diff(old.id, old.state, now)).toEqual({ isChanged: true, replaces: ["tenantId"] });
      await metadata.create(now);
      await metadata.delete(old.id, old.state);
      expect((await on.tenant(first.id)).metadata).toEqual({});
      expect((await on.tenant(second.id)).metadata).toEqual({ plan: "gold" });
      expect(on.warnings).toEqual([]);
    },
  );
});

describe.concurrent("metadata that move from a TenantMetadata to a Tenant", () => {
  test.each(operations)("stay, and keys that are no longer declared are removed, %s", async (_, isRefreshed) => {
    await using on = await stage({ variants: { metadata: "replace" } });
    const made = await brought(on, acme);
    const before = { tenantId: Number(made.id), data: { plan: "gold", seats: 3 }, logicalName: "plan" };
    const metadata = await on.operation().metadata.create(before);
    const now = { ...acme, metadata: { plan: "silver" } };

    const here = on.operation();
    if (isRefreshed) {
      await refresh(here, made);
      await here.metadata.read(metadata.id, metadata.state);
      await here.metadata.diff(metadata.id, metadata.state, before);
    }
    await keep(here, made, now);
    await here.tenant.update(made.id, made.state, now);
    await here.metadata.delete(metadata.id, metadata.state);
    expect((await on.tenant(made.id)).metadata).toEqual({ plan: "silver" });
  });
});

test.concurrent("metadata of a tenant that is archived at the same time need no removal", async () => {
  await using on = await stage({ variants: { metadata: "replace" } });
  const made = await brought(on, acme);
  const metadata = await on.operation().metadata.create({ tenantId: Number(made.id), data: { plan: "gold" } });
  const here = on.operation();
  on.emulator.fault({ kind: "delay", ms: 300, match: { method: "PATCH", path: "/metadata$" } });
  const deleting = here.metadata.delete(metadata.id, metadata.state);
  await Promise.all([deleting, here.tenant.delete(made.id, made.state)]);
  expect(await on.live()).toEqual([]);
});

describe.concurrent("two TenantMetadata of one tenant", () => {
  test("may declare different keys, and concurrent writes lose none", async () => {
    await using on = await stage({ variants: { metadata: "replace", visibility: "delayed" } });
    const tenantId = await on.add({ integration: 101, name: "theirs", metadata: { theirs: 1 } });
    const { metadata } = on.operation({ consistencyTimeoutSeconds: 3 });
    const keys = ["a", "b", "c"];
    await Promise.all(keys.map((key) => metadata.create({ tenantId, data: { [key]: key }, logicalName: key })));
    expect((await on.tenant(tenantId)).metadata).toEqual({ theirs: 1, a: "a", b: "b", c: "c" });
  });

  test("may not declare the same key", async () => {
    await using on = await stage();
    const tenantId = await on.add({ integration: 101, name: "theirs" });
    const { metadata } = on.operation();
    await metadata.create({ tenantId, data: { plan: "gold" }, logicalName: "one" });
    await expect(metadata.create({ tenantId, data: { plan: "silver" }, logicalName: "two" })).rejects.toThrow(
      /declared twice, by TenantMetadata one and by TenantMetadata two: both have plan/,
    );
    expect((await on.tenant(tenantId)).metadata).toEqual({ plan: "gold" });
  });
});
