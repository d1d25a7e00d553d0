import { describe, expect, test } from "vitest";
import { createOperationContext } from "../../src/operation/operation-context.ts";
import { tenantLifecycle } from "../../src/resources/tenant/lifecycle.ts";
import type { TenantInputs, TenantState } from "../../src/resources/tenant/schema.ts";
import { tenantFleetLifecycle } from "../../src/resources/tenant-fleet/lifecycle.ts";
import { tenantMetadataLifecycle } from "../../src/resources/tenant-metadata/lifecycle.ts";
import { brought, type Stage, stage } from "../resources/stage.ts";
import { claimsFolder } from "./claims-folder.ts";

const acme: TenantInputs = { integration: "crm-to-billing", name: "acme", configs: { region: "eu" } };

/** The lifecycles of one process of an operation whose processes share the folder. */
function processOf(on: Stage, here: ReturnType<typeof claimsFolder>, provider: "dynamic" | "native") {
  const context = createOperationContext({
    client: on.operation().context.client,
    warn: (message) => on.warnings.push(message),
    consistencyTimeoutSeconds: 0.3,
    claims: here.open({ provider }),
  });
  return {
    context,
    tenant: tenantLifecycle(context),
    fleet: tenantFleetLifecycle(context),
    metadata: tenantMetadataLifecycle(context),
  };
}

function inputsOf({ tenantId: _, integrationId: __, ...inputs }: TenantState): TenantInputs {
  return inputs;
}

/** Each test runs without and with a refresh, which reads and compares every resource in the state. */
const operations = [
  ["without a refresh", false],
  ["after a refresh", true],
] as const;

const directions = [
  ["dynamic", "native"],
  ["native", "dynamic"],
] as const;

describe.each(directions)("a move from the %s to the %s provider without an alias", (from, to) => {
  test.each(operations)("archives nothing, with a warning (%s)", async (_, isRefreshed) => {
    await using on = await stage();
    using here = claimsFolder();
    const made = await brought(on, acme);
    const [old, now] = [processOf(on, here, from), processOf(on, here, to)];
    if (isRefreshed) {
      await old.tenant.read(made.id, made.state);
      await old.tenant.diff(made.id, made.state, inputsOf(made.state));
    }
    expect(await now.tenant.check(acme, undefined)).toEqual([]);
    const [moved] = await Promise.all([now.tenant.create(acme), old.tenant.delete(made.id, made.state)]);
    expect(moved.id).toBe(made.id);
    expect(on.writes()).toEqual([]);
    expect(on.warnings).toEqual([
      `tenant "acme" (id ${made.id}) is not archived: Tenant acme is removed, and Tenant acme of the ${to} provider declares it`,
    ]);
  });

  test.each(operations)("of a fleet archives nothing (%s)", async (_, isRefreshed) => {
    await using on = await stage();
    using here = claimsFolder();
    const inputs = { integration: "crm-to-billing", name: "billing", tenants: { acme: {}, bluebird: {} } };
    const made = await on.operation().fleet.create(inputs);
    on.emulator.clearRequests();
    const [old, now] = [processOf(on, here, from), processOf(on, here, to)];
    if (isRefreshed) await old.fleet.read(made.id, made.state);
    expect(await now.fleet.check(inputs, undefined)).toEqual([]);
    const moved = await now.fleet.create(inputs);
    await old.fleet.delete(made.id, made.state);
    expect(moved.state.tenantIds).toEqual(made.state.tenantIds);
    expect(on.writes()).toEqual([]);
  });

  test("of metadata keeps the keys that are still declared", async () => {
    await using on = await stage({ variants: { metadata: "replace" } });
    using here = claimsFolder();
    const tenantId = Number((await brought(on, acme)).id);
    const inputs = { tenantId, data: { plan: "gold", seats: 3 }, logicalName: "plan" };
    const made = await on.operation().metadata.create(inputs);
    const [old, now] = [processOf(on, here, from), processOf(on, here, to)];
    await now.metadata.check({ ...inputs, data: { plan: "gold" } }, undefined);
    await now.metadata.create({ ...inputs, data: { plan: "gold" } });
    await old.metadata.delete(made.id, made.state);
    expect((await on.tenant(tenantId)).metadata).toEqual({ plan: "gold" });
  });
});

describe("one tenant that both providers declare", () => {
  test("is an error in the second check, which names both", async () => {
    await using on = await stage();
    using here = claimsFolder();
    const [dynamic, native] = [processOf(on, here, "dynamic"), processOf(on, here, "native")];
    expect(await dynamic.tenant.check(acme, undefined)).toEqual([]);
    expect(await native.tenant.check(acme, undefined)).toEqual([
      {
        property: "name",
        reason:
          'tenant "acme" is declared by two resources, Tenant acme of the dynamic provider and Tenant acme. Remove one of them',
      },
    ]);
  });

  test("is created once, if both create it at once", async () => {
    await using on = await stage();
    using here = claimsFolder();
    on.emulator.fault({ kind: "delay", ms: 200, match: { method: "POST" } });
    const outcomes = await Promise.allSettled(
      (["dynamic", "native"] as const).map((provider) => processOf(on, here, provider).tenant.create(acme)),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await on.live()).toHaveLength(1);
  });

  test("is an error in the diff if both have it in their state", async () => {
    await using on = await stage();
    using here = claimsFolder();
    const { id, state } = await brought(on, acme);
    const [dynamic, native] = [processOf(on, here, "dynamic"), processOf(on, here, "native")];
    await dynamic.tenant.check(acme, acme);
    await dynamic.tenant.diff(id, state, acme);
    await native.tenant.check(acme, acme);
    await expect(native.tenant.diff(id, state, acme)).rejects.toThrow("Tenant acme of the dynamic provider");
  });
});

describe("a refresh that reads in one process, before another one checks and writes", () => {
  test("lets --replace be refused that would create first: the second process knows the own tenant", async () => {
    await using on = await stage();
    using here = claimsFolder();
    const made = await brought(on, acme);
    const [reader, writer] = [processOf(on, here, "dynamic"), processOf(on, here, "dynamic")];
    await reader.tenant.read(made.id, made.state);
    await writer.tenant.check(acme, undefined);
    await expect(writer.tenant.create(acme)).rejects.toThrow("deleteBeforeReplace: true");
    expect(on.writes()).toEqual([]);
  });

  test("archives what is removed, and keeps what is renamed", async () => {
    await using on = await stage();
    using here = claimsFolder();
    const old = await brought(on, { ...acme, logicalName: "old" });
    const leaving = await brought(on, { ...acme, name: "leaving" });
    on.emulator.clearRequests();
    const [reader, writer] = [processOf(on, here, "dynamic"), processOf(on, here, "dynamic")];
    for (const { id, state } of [old, leaving]) await reader.tenant.read(id, state);
    await writer.tenant.check({ ...acme, logicalName: "new" }, undefined);
    expect((await writer.tenant.create({ ...acme, logicalName: "new" })).id).toBe(old.id);
    for (const { id, state } of [old, leaving]) await writer.tenant.delete(id, state);
    expect(await on.live()).toMatchObject([{ id: Number(old.id) }]);
  });

  test("lets an adopted tenant be created again that the read found archived", async () => {
    await using on = await stage();
    using here = claimsFolder();
    const adopt = await on.add({ integration: 101, name: "Acme Ltd." });
    const made = await brought(on, { ...acme, adopt });
    await on.changeByHand(made.id, { archived: true, name: "renamed, too" });
    const [reader, writer] = [processOf(on, here, "dynamic"), processOf(on, here, "dynamic")];
    expect(await reader.tenant.read(made.id, made.state)).toBeUndefined();
    expect(await writer.tenant.check({ ...acme, adopt }, undefined)).toEqual([]);
    expect((await writer.tenant.create({ ...acme, adopt })).id).not.toBe(made.id);
  });
});

describe("a tenant that is removed in one process while another one declares it late", () => {
  test("is not archived, because the removal waits for the other process", async () => {
    await using on = await stage();
    using here = claimsFolder();
    const made = await brought(on, acme);
    const [dynamic, native] = [processOf(on, here, "dynamic"), processOf(on, here, "native")];
    on.emulator.fault({ kind: "delay", ms: 60_000, match: { method: "GET", path: "/v2/tenants" } });
    const checking = native.tenant.check({ ...acme, name: "bluebird" }, undefined); // a slow check of another tenant
    await dynamic.tenant.check({ ...acme, name: "cedar" }, undefined);
    const removing = dynamic.tenant.delete(made.id, made.state);
    on.emulator.clearFaults();
    await checking;
    await native.tenant.check(acme, undefined);
    await native.tenant.create(acme);
    await removing;
    expect(await on.live()).toMatchObject([{ id: Number(made.id) }]);
  });

  test("is not taken over while it is being archived", async () => {
    await using on = await stage();
    using here = claimsFolder();
    const made = await brought(on, acme);
    const [dynamic, native] = [processOf(on, here, "dynamic"), processOf(on, here, "native")];
    on.emulator.fault({ kind: "delay", ms: 60_000, match: { method: "DELETE" } });
    const removing = dynamic.tenant.delete(made.id, made.state);
    await expect.poll(() => on.writes()).toHaveLength(1);
    const adopting = { ...acme, logicalName: "other", adopt: Number(made.id) };
    await expect(native.tenant.create(adopting)).rejects.toThrow("Tenant acme of the dynamic provider is archiving it");
    on.emulator.clearFaults();
    await removing;
  });
});

test("metadata of one tenant is written by one process after the other", async () => {
  await using on = await stage({ variants: { metadata: "replace" } });
  using here = claimsFolder();
  const tenantId = Number((await brought(on, acme)).id);
  on.emulator.fault({
    kind: "delay",
    ms: 100,
    times: 20,
    match: { method: "GET", path: `/v2/tenants/${tenantId}/metadata` },
  });
  await Promise.all(
    (["dynamic", "native"] as const).map((provider) =>
      processOf(on, here, provider).metadata.create({ tenantId, data: { [provider]: 1 }, logicalName: provider }),
    ),
  );
  expect((await on.tenant(tenantId)).metadata).toEqual({ dynamic: 1, native: 1 });
});
