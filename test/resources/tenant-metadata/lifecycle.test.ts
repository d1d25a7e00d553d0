import { describe, expect, test } from "vitest";
import { unknownValue } from "../../../src/json/unknown.ts";
import { IncompleteError } from "../../../src/resources/lifecycle.ts";
import { acme, brought, complete, failureOf, type Stage, stage } from "../stage.ts";

const data = { plan: "gold", seats: 3, deep: { a: 1 } };
const replacing = { variants: { metadata: "replace" } } as const;

/** A tenant that somebody else manages, with its own metadata. */
async function theirs(on: Stage, metadata = { theirs: true }) {
  const tenantId = await on.add({ integration: 101, name: "theirs", metadata });
  on.emulator.clearRequests();
  return tenantId;
}

describe.concurrent("check", () => {
  test.each<[string, object, string, RegExp]>([
    ["no tenant", { data }, "tenantId", /id of a tenant/],
    ["a tenant that does not exist", { tenantId: 4711, data }, "tenantId", /no live tenant with id 4711/],
    ["no data", { tenantId: 5001 }, "data", /object/],
    ["data that is not an object", { tenantId: 5001, data: [] }, "data", /object/],
    ["a misspelt key", { tenantId: 5001, data, dat: {} }, "dat", /did you mean "data"/],
    ["data of another type", { tenantId: 5001, data: { seats: "three" } }, "data.seats", /must be a whole number/],
  ])("names %s", async (_, inputs, property, reason) => {
    await using on = await stage();
    await theirs(on);
    const failures = await on.operation().metadata.check(inputs, undefined);
    expect(failures).toMatchObject([{ property, reason: expect.stringMatching(reason) }]);
  });

  test.each<[string, object]>([
    ["the tenant", { tenantId: unknownValue, data }],
    ["the data", { tenantId: 5001, data: unknownValue }],
    ["a part of the data", { tenantId: 5001, data: { seats: unknownValue, deep: [unknownValue] } }],
  ])("passes over what is not known yet: %s", async (_, inputs) => {
    await using on = await stage();
    await theirs(on);
    expect(await on.operation().metadata.check(inputs, undefined)).toEqual([]);
  });
});

describe.concurrent("a tenant in no list, live or archived", () => {
  const problem =
    /no list shows tenant \d+, neither as live nor as archived: the API key is probably of another account/;

  test("stays in the state: the API key may be of another account", async () => {
    await using on = await stage();
    const { id, state } = await on.operation().metadata.create({ tenantId: await theirs(on), data });
    on.emulator.clearRequests();
    on.emulator.fault({ kind: "wrong-shape", body: [], times: 99, match: { path: "^/v2/tenants$" } });
    on.emulator.fault({ kind: "status", status: 404, times: 99, match: { path: "/metadata$" } });
    await expect(on.operation().metadata.read(id, state)).rejects.toThrow(problem);
    await expect(on.operation().metadata.delete(id, state)).rejects.toThrow(problem);
    expect(on.writes()).toEqual([]);
  });

  test.each(["missing", "readable"] as const)(
    "is gone if it was archived, even in the same operation after the lists were read (its metadata are %s)",
    async (archivedTenant) => {
      await using on = await stage({ variants: { archivedTenant } });
      const { id, state } = await on.operation().metadata.create({ tenantId: await theirs(on), data });
      const { context, metadata } = on.operation();
      await context.snapshot.tenantsOf().archived(4711);
      await on.changeByHand(id, { archived: true });
      expect(await metadata.read(id, state)).toBeUndefined();
      await metadata.delete(id, state);
    },
  );
});

describe.concurrent("from create to delete", () => {
  test("writes, reads, changes and removes the declared keys", async () => {
    await using on = await stage(replacing);
    const tenantId = await theirs(on);
    const { id, state } = await on.operation().metadata.create({ tenantId, data });
    expect(id).toBe(String(tenantId));
    expect(on.writes()).toEqual([{ request: `PATCH /v2/tenants/${id}/metadata`, body: { theirs: true, ...data } }]);

    const later = on.operation().metadata;
    expect(await later.read(id, state)).toEqual({ inputs: { tenantId, data }, state });
    expect(await later.diff(id, state, { tenantId, data })).toEqual({ isChanged: false });

    const now = { tenantId, data: { plan: "silver" } };
    expect(await later.diff(id, state, now)).toEqual({ isChanged: true });
    const updated = await later.update(id, state, now);
    expect(updated).toEqual(now);
    expect((await on.tenant(id)).metadata).toEqual({ theirs: true, plan: "silver" });

    await on.operation().metadata.delete(id, updated);
    expect(await on.tenant(id)).toMatchObject({ metadata: { theirs: true }, archived: false });
  });

  test("a refresh shows drift of declared keys and ignores other keys", async () => {
    await using on = await stage();
    const tenantId = await theirs(on);
    const { id, state } = await on.operation().metadata.create({ tenantId, data });
    await on.changeByHand(id, { metadata: { ...data, plan: "silver", theirs: false } });
    expect((await on.operation().metadata.read(id, state))?.inputs.data).toEqual({ ...data, plan: "silver" });
  });

  test.each(["missing", "readable"] as const)(
    "is deleted from the state when the tenant is archived and its metadata are %s",
    async (archivedTenant) => {
      await using on = await stage({ variants: { archivedTenant } });
      const tenantId = await theirs(on);
      const { id, state } = await on.operation().metadata.create({ tenantId, data });
      await on.changeByHand(id, { archived: true });
      const { metadata } = on.operation();
      expect(await metadata.read(id, state)).toBeUndefined();
      on.emulator.clearRequests();
      await metadata.delete(id, state);
      expect(on.writes()).toEqual([]);
    },
  );

  test.each([403, 500])("stays in the state after a %d", async (status) => {
    await using on = await stage();
    const tenantId = await theirs(on);
    const { id, state } = await on.operation().metadata.create({ tenantId, data });
    on.emulator.fault({ kind: "status", status, times: 99 });
    await failureOf(on.operation().metadata.read(id, state));
  });

  test("moves to another tenant by a replacement", async () => {
    await using on = await stage();
    const tenantId = await theirs(on);
    const { id, state } = await on.operation().metadata.create({ tenantId, data });
    const difference = await on.operation().metadata.diff(id, state, { tenantId: tenantId + 1, data });
    expect(difference).toEqual({ isChanged: true, replaces: ["tenantId"] });
  });

  test("is not replaced as long as its tenant is unknown, as the engine deletes first what would be replaced", async () => {
    await using on = await stage();
    const { id, state } = await on.operation().metadata.create({ tenantId: await theirs(on), data });
    const difference = await on.operation().metadata.diff(id, state, { tenantId: unknownValue, data });
    expect(difference).toEqual({ isChanged: true });
  });
});

test.concurrent("a delete whose PATCH an ingress answers with a 404 is an error, as the keys are still there", async () => {
  await using on = await stage(replacing);
  const tenantId = await theirs(on);
  const { id, state } = await on.operation().metadata.create({ tenantId, data });
  on.emulator.fault({ kind: "status", status: 404, body: "404 page not found", match: { method: "PATCH" } });
  expect((await failureOf(on.operation().metadata.delete(id, state))).message).toContain("404 page not found");
  expect((await on.tenant(id)).metadata).toMatchObject(data);
});

describe.concurrent("if the platform cannot remove a key", () => {
  test("an update is an error that says so", async () => {
    await using on = await stage();
    const tenantId = await theirs(on);
    const { id, state } = await on.operation().metadata.create({ tenantId, data });
    const failure = await failureOf(on.operation().metadata.update(id, state, { tenantId, data: { plan: "gold" } }));
    expect(failure.message).toMatch(/no way to remove.*metadata\.seats/);
  });

  test("a delete leaves the key with a warning", async () => {
    await using on = await stage();
    const tenantId = await theirs(on);
    const { id, state } = await on.operation().metadata.create({ tenantId, data });
    await on.operation().metadata.delete(id, state);
    expect(on.warnings).toEqual([expect.stringContaining(`metadata of tenant ${tenantId} is not removed`)]);
    expect((await on.tenant(id)).metadata).toMatchObject({ theirs: true });
  });

  test.each(["replace", "merge"] as const)("as the schema requires it, a delete leaves it too (%s)", async (way) => {
    const metadata_schema = { properties: { plan: { type: "string" } }, required: ["plan"] };
    const integrations = [
      { id: 1, name: "strict", default_release_id: 2, releases: [{ id: 2, name: "v1", metadata_schema }] },
    ];
    await using on = await stage({ seed: { integrations }, variants: { metadata: way } });
    const tenantId = await on.add({ integration: 1, name: "theirs", metadata: { plan: "gold" } });
    const { id, state } = await on.operation().metadata.create({ tenantId, data: { plan: "gold" } });
    await on.operation().metadata.delete(id, state);
    expect(on.warnings).toEqual([expect.stringContaining(`metadata of tenant ${tenantId} is not removed`)]);
    expect((await on.tenant(id)).metadata).toEqual({ plan: "gold" });
  });
});

test.concurrent("keys that the platform ignores are an error that names them, and the next up continues", async () => {
  await using on = await stage();
  const tenantId = await theirs(on);
  on.emulator.fault({ kind: "ignore-fields", fields: ["plan"], match: { method: "PATCH" } });
  const failure = await failureOf(on.operation().metadata.create({ tenantId, data: { ...data, plan: "s3cret" } }));
  expect(failure.message).toMatch(/not applied metadata\.plan\./);
  expect(failure.message).not.toContain("s3cret");
  if (!(failure instanceof IncompleteError)) throw failure;
  const now = { tenantId, data: { ...data, plan: "s3cret" } };
  expect(await on.operation().metadata.update(failure.id, failure.state, now)).toEqual(now);
});

test.concurrent.each(["cut-after", "cut-before"] as const)(
  "after a lost response (%s), a read shows the result",
  async (kind) => {
    await using on = await stage();
    const tenantId = await theirs(on);
    on.emulator.fault({ kind, match: { method: "PATCH" } });
    expect((await on.operation().metadata.create({ tenantId, data })).state.data).toEqual(data);
  },
);

describe.concurrent("metadata of one tenant declared by its Tenant and by a TenantMetadata", () => {
  test("is an error when both are created", async () => {
    await using on = await stage();
    const operation = on.operation();
    const { state } = await operation.tenant.create(complete);
    const failure = await failureOf(operation.metadata.create({ tenantId: state.tenantId, data }));
    expect(failure.message).toMatch(/metadata of tenant \d+ is declared twice/);
    expect((await on.tenant(state.tenantId)).metadata).toEqual(complete.metadata);
  });

  test("is an error that keeps a tenant which the Tenant takes over in the state", async () => {
    await using on = await stage();
    const tenantId = await theirs(on);
    const operation = on.operation();
    await operation.metadata.check({ tenantId, data }, undefined);
    await operation.metadata.create({ tenantId, data });
    on.emulator.clearRequests();
    const inputs = { ...acme, name: "theirs", adopt: tenantId, metadata: { plan: "silver" } };
    const failure = await failureOf(operation.tenant.create(inputs));
    expect(failure.message).toMatch(/metadata of tenant \d+ is declared twice/);
    expect(failure).toBeInstanceOf(IncompleteError);
    expect(failure).toMatchObject({ id: String(tenantId), state: { name: "theirs", tenantId } });
    expect(on.writes()).toEqual([]);
  });

  test("is an error in a preview of what exists, in either order", async () => {
    await using on = await stage();
    const { id, state } = await brought(on);
    const inputs = { tenantId: state.tenantId, data };
    const first = on.operation();
    await first.tenant.check(complete, complete);
    await first.metadata.check(inputs, inputs);
    await first.tenant.diff(id, state, complete);
    await expect(first.metadata.diff(id, inputs, inputs)).rejects.toThrow(/declared twice/);
    const second = on.operation();
    await second.tenant.check(complete, complete);
    await second.metadata.check(inputs, inputs);
    await second.metadata.diff(id, inputs, inputs);
    await expect(second.tenant.diff(id, state, complete)).rejects.toThrow(/declared twice/);
  });

  test("is no error when the Tenant declares no metadata", async () => {
    await using on = await stage();
    const operation = on.operation();
    const { state } = await operation.tenant.create(acme);
    await operation.metadata.create({ tenantId: state.tenantId, data });
    expect((await on.tenant(state.tenantId)).metadata).toEqual(data);
  });
});

test.concurrent("manages the metadata of a tenant whose integration the platform does not send", async () => {
  await using on = await stage({ variants: { absentField: "integration_id" } });
  const tenantId = await theirs(on);
  expect(await on.operation().metadata.check({ tenantId, data: { seats: "three" } }, undefined)).toMatchObject([
    { property: "data.seats", reason: expect.stringContaining("must be a whole number") },
  ]);
  const { id, state } = await on.operation().metadata.create({ tenantId, data });
  expect((await on.tenant(id)).metadata).toMatchObject(data);
  expect(await on.operation().metadata.read(id, state)).toMatchObject({ state: { data } });
});

test.concurrent("keys stay with a warning when their removal could destroy a hidden value that nothing declares", async () => {
  await using on = await stage();
  const tenantId = await on.add({ integration: 101, name: "acme" });
  const { id, state } = await on.operation().metadata.create({ tenantId, data: { plan: "gold" } });
  await on.changeByHand(tenantId, { metadata: { plan: "gold", theirs: "***" } });
  await on.operation().metadata.delete(id, state);
  expect((await on.tenant(tenantId)).metadata).toEqual({ plan: "gold", theirs: "***" });
  expect(on.warnings).toEqual([
    expect.stringMatching(
      /^metadata of tenant \d+ is not removed: the tenant has metadata\.theirs, which the platform hides/,
    ),
  ]);
});
