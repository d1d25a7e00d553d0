import { describe, expect, test } from "vitest";
import type { FaultSpec } from "../../../src/emulator/index.ts";
import { createSecretValues } from "../../../src/secrets/secret-values.ts";
import { eventually } from "../../eventually.ts";
import { brought, complete, failureOf, stage } from "../stage.ts";

const onDelete = { method: "DELETE" };

test.concurrent("archives the tenant, and succeeds once a list no longer shows it", async () => {
  await using on = await stage();
  const { id, state } = await brought(on);
  await on.operation().tenant.delete(id, state);
  expect(on.writes()).toEqual([{ request: `DELETE /v2/tenants/${id}`, body: undefined }]);
  expect(await on.tenant(id)).toMatchObject({ archived: true, configs: complete.configs });
  expect(on.emulator.requests().at(-1)).toMatchObject({ method: "GET", path: "/v2/tenants" });
});

test.concurrent("a tenant in no list, live or archived, is an error: the API key may be of another account", async () => {
  await using on = await stage();
  const { state } = await brought(on);
  const deleting = on.operation().tenant.delete("4711", { ...state, tenantId: 4711 });
  await expect(deleting).rejects.toThrow(/no list shows tenant 4711, neither as live nor as archived/);
  expect(on.writes()).toEqual([]);
});

describe.concurrent("a tenant that no longer exists counts as deleted", () => {
  test("archived by somebody else", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    await on.changeByHand(id, { archived: true });
    await on.operation().tenant.delete(id, state);
    expect(on.writes()).toEqual([]);
  });

  test("moved to another integration", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    await on.changeByHand(id, { integration_id: 102 });
    await on.operation().tenant.delete(id, state);
    expect(on.writes()).toEqual([]);
  });

  test("twice in one operation", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    const { tenant } = on.operation();
    await tenant.delete(id, state);
    await tenant.delete(id, state);
    expect(on.writes()).toHaveLength(1);
  });

  test("archived by somebody else between the read and the DELETE, so that the response is a 404", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    on.emulator.fault({ kind: "delay", ms: 60_000, match: onDelete });
    const deleting = on.operation().tenant.delete(id, state);
    await eventually(() => expect(on.writes()).toHaveLength(1));
    await on.changeByHand(id, { archived: true });
    on.emulator.clearFaults();
    await deleting;
    expect(on.emulator.requests().find(({ method }) => method === "DELETE")?.status).toBe(404);
  });
});

test.concurrent("a DELETE that an ingress answers with a 404 is an error, as the tenant is still live", async () => {
  await using on = await stage();
  const { id, state } = await brought(on);
  on.emulator.fault({ kind: "status", status: 404, body: "404 page not found", match: onDelete });
  expect((await failureOf(on.operation().tenant.delete(id, state))).message).toMatch(/DELETE .*404 page not found/);
  expect(await on.tenant(id)).toMatchObject({ archived: false });
  await on.operation().tenant.delete(id, state);
  expect(await on.tenant(id)).toMatchObject({ archived: true });
});

describe.concurrent("a connected tenant", () => {
  const byOneConnector = { auth: { connected: false, connectors: [{ name: "crm", status: "connected" }] } };
  const inOtherWords = { auth: { connected: false, connectors: [{ name: "crm", status: "AUTHORIZED" }] } };

  test.each([
    ["connected as a whole", { auth: { connected: true } }],
    ["connected by one connector", byOneConnector],
    ["connected in unknown words", inOtherWords],
  ])("is refused: %s", async (_, status) => {
    await using on = await stage();
    const { id, state } = await brought(on);
    await on.changeByHand(id, { status });
    const failure = await failureOf(on.operation().tenant.delete(id, state));
    expect(failure.message).toMatch(/"acme" \(id \d+\) is connected.*forceArchive: true, run up/);
    expect(on.writes()).toEqual([]);
  });

  test("is not archived if it was connected after the state was read", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    const { tenant } = on.operation();
    await tenant.read(id, state);
    await on.changeByHand(id, { status: { auth: { connected: true } } });
    await expect(tenant.delete(id, state)).rejects.toThrow(/is connected/);
  });

  test("is archived if the state has forceArchive", async () => {
    await using on = await stage();
    const inputs = { ...complete, forceArchive: true };
    const { id, state } = await brought(on, inputs);
    await on.changeByHand(id, { status: { auth: { connected: true } } });
    await on.operation().tenant.delete(id, state);
    expect(await on.tenant(id)).toMatchObject({ archived: true });
  });

  test.each(["disconnected", "Unconnected", "none"])("is archived when the connector says %s", async (word) => {
    await using on = await stage();
    const { id, state } = await brought(on);
    await on.changeByHand(id, { status: { auth: { connected: false, connectors: [{ name: "crm", status: word }] } } });
    await on.operation().tenant.delete(id, state);
    expect(await on.tenant(id)).toMatchObject({ archived: true });
  });

  test("is archived when only a global connector is connected", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    const connectors = [{ name: "exchange-rates", status: "connected" }];
    await on.changeByHand(id, { status: { auth: { connected: false, connectors } } });
    await on.operation().tenant.delete(id, state);
    expect(await on.tenant(id)).toMatchObject({ archived: true });
  });
});

describe.concurrent("a DELETE whose response is lost", () => {
  test.each<[string, FaultSpec]>([
    ["cut after it took effect", { kind: "cut-after", match: onDelete }],
    ["cut before it took effect", { kind: "cut-before", match: onDelete }],
    ["a 500 after it took effect", { kind: "status", status: 500, applied: true, match: onDelete }],
    ["a 502 before it took effect", { kind: "status", status: 502, match: onDelete }],
    ["a page of HTML", { kind: "html", match: onDelete }],
    ["a timeout", { kind: "delay", ms: 1500, applied: true, match: onDelete }],
  ])("is settled by a look: %s", async (_, fault) => {
    await using on = await stage({}, { callTimeoutSeconds: 1 });
    const { id, state } = await brought(on);
    on.emulator.fault(fault);
    await on.operation().tenant.delete(id, state);
    expect(await on.tenant(id)).toMatchObject({ archived: true });
  });

  test("every time is an error", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    on.emulator.fault({ kind: "status", status: 503, match: onDelete, times: 99 });
    await expect(on.operation().tenant.delete(id, state)).rejects.toThrow(/DELETE .*503/);
    expect(await on.tenant(id)).toMatchObject({ archived: false });
  });
});

test.concurrent.each([401, 403, 422])("a %d is an error at once", async (status) => {
  await using on = await stage();
  const { id, state } = await brought(on);
  on.emulator.fault({ kind: "status", status, match: onDelete, times: 99 });
  await expect(on.operation().tenant.delete(id, state)).rejects.toThrow(new RegExp(`DELETE .*${status}`));
  expect(on.writes()).toHaveLength(1);
});

test.concurrent("a successful response that leaves the tenant live is an error", async () => {
  await using on = await stage();
  const { id, state } = await brought(on);
  on.emulator.fault({ kind: "status", status: 200, body: {}, match: onDelete });
  await expect(on.operation().tenant.delete(id, state)).rejects.toThrow(/with success.*still live/);
});

test.concurrent("a 404 for a tenant that stays live is an error that says so", async () => {
  await using on = await stage();
  const { id, state } = await brought(on);
  on.emulator.fault({ kind: "status", status: 404, times: 99, match: onDelete });
  await expect(on.operation().tenant.delete(id, state)).rejects.toThrow(/DELETE .*404/);
  expect(await on.tenant(id)).toMatchObject({ archived: false });
});

test.concurrent("waits for a list that lags behind", async () => {
  await using on = await stage({ variants: { visibility: "delayed" } });
  const { id, state } = await brought(on, complete, 5);
  await on.operation({ consistencyTimeoutSeconds: 5 }).tenant.delete(id, state);
  expect(await on.live()).toEqual([]);
});

test.concurrent("waits for it even if an earlier list takes long", async () => {
  await using on = await stage({ variants: { visibility: "delayed" } });
  const { id, state } = await brought(on, complete, 5);
  on.emulator.fault({
    kind: "delay",
    ms: 500,
    applied: true,
    times: 3,
    match: { method: "GET", path: "/v2/tenants$" },
  });
  await on.operation({ consistencyTimeoutSeconds: 0.4 }).tenant.delete(id, state);
  expect(await on.live()).toEqual([]);
});

test.concurrent("finds the tenant if lists contain archived tenants too", async () => {
  await using on = await stage({ variants: { archivedList: "along", sorting: "refuse" } });
  const { id, state } = await brought(on);
  await on.operation().tenant.delete(id, state);
  expect(await on.tenant(id)).toMatchObject({ archived: true });
});

test.concurrent("fails before any write if the platform cannot be read", async () => {
  await using on = await stage();
  const { id, state } = await brought(on);
  on.emulator.fault({ kind: "status", status: 500, match: { method: "GET" }, times: 99 });
  await expect(on.operation().tenant.delete(id, state)).rejects.toThrow(/500/);
  expect(on.writes()).toEqual([]);
});

describe.concurrent("a replacement whose create would be refused archives nothing", () => {
  const refused = /is not archived, because the tenant that replaces it could not be created/;
  const acme = { integration: "crm-to-billing", name: "acme", logicalName: "old" };

  test("if an alias renames the resource, and the other integration has a connected tenant of its name", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, acme);
    await on.add({ integration: 102, name: "acme", source: "marketplace" });
    on.emulator.clearRequests();
    const moved = { ...acme, integration: 102, logicalName: "new" };
    const { tenant } = on.operation();
    expect(await tenant.check(moved, acme)).toEqual([]);
    expect(await tenant.diff(id, state, moved)).toMatchObject({ replaces: ["integration"] });
    expect(await tenant.check(moved, undefined)).toEqual([]);
    await expect(tenant.delete(id, state)).rejects.toThrow(refused);
    expect(on.writes()).toEqual([]);
  });

  test("if it adopts the tenant that it archives, and another one has the name", async () => {
    await using on = await stage();
    const status = { auth: { connected: false, connectors: [] } };
    const adopt = await on.add({ integration: 101, name: "acme", status });
    await on.add({ integration: 101, name: "acme", source: "marketplace" });
    const declared = { ...acme, adopt };
    const { id, state } = await brought(on, declared);
    const { tenant } = on.operation();
    await tenant.read(id, state);
    await tenant.check(declared, undefined);
    await expect(tenant.delete(id, state)).rejects.toThrow(refused);
    expect(on.writes()).toEqual([]);
  });

  test("if a secret has no value", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, acme);
    const secretValues = createSecretValues({
      resolvers: { env: async () => () => Promise.reject(new Error("it is not set")) },
      register: () => {},
      signal: new AbortController().signal,
    });
    const moved = { ...acme, integration: "shop-to-erp", configs: { currency: "EUR", warehouse: { ref: "env:NOPE" } } };
    const { tenant } = on.operation({ secretValues });
    expect(await tenant.check(moved, acme)).toEqual([]);
    expect(await tenant.diff(id, state, moved)).toMatchObject({ replaces: ["integration"] });
    expect(await tenant.check(moved, undefined)).toEqual([]);
    await expect(tenant.delete(id, state)).rejects.toThrow(/configs.warehouse refers to env:NOPE.*it is not set/);
    expect(on.writes()).toEqual([]);
  });
});

test("a resource that an alias renames and replaceOnChanges replaces gets a new tenant", async () => {
  await using on = await stage();
  const before = { integration: "crm-to-billing", name: "acme", logicalName: "old" };
  const { id, state } = await brought(on, before);
  const now = { ...before, logicalName: "new", schedule: "0 1 * * *" };
  const { tenant } = on.operation();
  await tenant.check(now, before);
  await tenant.diff(id, state, now);
  await tenant.check(now, undefined); // the engine says nothing else of such a replacement
  await tenant.delete(id, state);
  const made = await tenant.create(now);
  expect(await on.live()).toMatchObject([{ id: Number(made.id), user_schedule: "0 1 * * *" }]);
  expect(await on.tenant(id)).toMatchObject({ archived: true });
  expect(on.warnings).toEqual([]);
});
