import { describe, expect, test } from "vitest";
import { unknownValue } from "../../../src/json/unknown.ts";
import type { TenantInputs } from "../../../src/resources/tenant/schema.ts";
import { acme, brought, complete, failureOf, stage } from "../stage.ts";

const rich: TenantInputs = {
  ...complete,
  release: { tag: "v1.1.0" },
  configs: { region: "eu", mapping: { a: "1", b: "2" }, list: [1, 2] },
  metadata: { plan: "gold", deep: { a: 1, b: [{}] } },
};

describe("no difference", () => {
  test.each<[string, TenantInputs]>([
    ["after create, of everything", rich],
    ["after create, of only a name", acme],
    ["after create, with an empty object", { ...acme, configs: {}, metadata: {} }],
    ["after create, on a channel", { ...rich, release: { channel: "Latest" } }],
    ["after create, without a schedule", { ...rich, schedule: "none" }],
  ])("%s", async (_, inputs) => {
    await using on = await stage();
    const { id, state } = await brought(on, inputs);
    expect(await on.operation().tenant.diff(id, state, inputs)).toEqual({ isChanged: false });
    const read = await on.operation().tenant.read(id, state);
    expect(read).toEqual({ inputs, state });
  });

  test.each<[string, Partial<TenantInputs>]>([
    ["in the order of keys", { configs: { list: [1, 2], mapping: { b: "2", a: "1" }, region: "eu" } }],
    ["in the order of metadata's keys", { metadata: { deep: { b: [{}], a: 1 }, plan: "gold" } }],
    ["in the white space of the schedule", { schedule: "  0  */6 * *   * " }],
    ["in the integration, by its id", { integration: 101 }],
  ])("%s", async (_, change) => {
    await using on = await stage();
    const { id, state } = await brought(on, rich);
    expect(await on.operation().tenant.diff(id, state, { ...rich, ...change })).toEqual({ isChanged: false });
  });

  test("costs no request but for the integrations if all values are written in the same way", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, rich);
    await on.operation().tenant.diff(id, state, structuredClone(rich));
    expect(on.emulator.requests().filter(({ path }) => path !== "/v2/integrations")).toEqual([]);
  });
});

describe("a difference", () => {
  test.each<[string, object]>([
    ["in the name", { name: "globex" }],
    ["in the schedule", { schedule: "0 1 * * *" }],
    ["in clearing the schedule", { schedule: "none" }],
    ["in the release", { release: { tag: "v1.0.0" } }],
    ["in how the release is given", { release: { channel: "Latest" } }],
    ["in paused", { paused: true }],
    ["in a config", { configs: { ...rich.configs, region: "us" } }],
    ["in a nested config", { configs: { ...rich.configs, mapping: { a: "1", b: "3" } } }],
    ["in the order of a list", { configs: { ...rich.configs, list: [2, 1] } }],
    ["in an additional config", { configs: { ...rich.configs, more: null } }],
    ["in a removed config", { configs: { region: "eu" } }],
    ["in a config called constructor", { configs: { ...rich.configs, constructor: 1 } }],
    ["in a default of the schema, overruled", { configs: { ...rich.configs, currency: "USD" } }],
    ["in metadata", { metadata: { plan: "gold", deep: { a: 2, b: [{}] } } }],
    ["in nested metadata", { metadata: { plan: "gold", deep: { a: 1, b: [] } } }],
    ["in which settings are declared", { configs: undefined }],
    ["in forceArchive", { forceArchive: true }],
    ["in secretPaths", { secretPaths: [["configs", "region"]] }],
  ])("%s", async (_, change) => {
    await using on = await stage();
    const { id, state } = await brought(on, rich);
    const inputs = Object.fromEntries(
      Object.entries({ ...rich, ...change }).filter(([, value]) => value !== undefined),
    );
    expect(await on.operation().tenant.diff(id, state, inputs)).toEqual({ isChanged: true });
    expect(await on.operation().tenant.diff(id, state, rich)).toEqual({ isChanged: false });
  });

  test.each(Object.keys(rich).filter((name) => name !== "integration"))("in an unknown %s", async (name) => {
    await using on = await stage();
    const { id, state } = await brought(on, rich);
    const inputs = { ...rich, [name]: unknownValue };
    expect(await on.operation().tenant.diff(id, state, inputs)).toEqual({ isChanged: true });
  });

  test("in an unknown nested value", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, rich);
    const inputs = { ...rich, configs: { ...rich.configs, list: [1, { deep: unknownValue }] } };
    expect(await on.operation().tenant.diff(id, state, inputs)).toEqual({ isChanged: true });
  });
});

describe("a config with the value of the schema's default", () => {
  const without: TenantInputs = { ...acme, release: { tag: "v1.1.0" }, configs: { region: "eu" } };
  const withDefault: TenantInputs = { ...without, configs: { region: "eu", currency: "EUR" } };

  test("is written if it is declared for the first time and the tenant has another one", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, without);
    await on.changeByHand(id, { configs: { region: "eu", currency: "USD" } });
    expect(await on.operation().tenant.diff(id, state, withDefault)).toEqual({ isChanged: true });
    const updated = await on.operation().tenant.update(id, state, withDefault);
    expect((await on.tenant(id)).configs).toEqual({ region: "eu", currency: "EUR" });
    expect(await on.operation().tenant.diff(id, updated, withDefault)).toEqual({ isChanged: false });
  });

  test("is left to others once it is no longer declared", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, withDefault);
    expect(await on.operation().tenant.diff(id, state, without)).toEqual({ isChanged: true });
    const updated = await on.operation().tenant.update(id, state, without);
    await on.changeByHand(id, { configs: { region: "eu", currency: "USD" } });
    expect(await on.operation().tenant.read(id, updated)).toEqual({ inputs: without, state: updated });
    expect(await on.operation().tenant.diff(id, updated, without)).toEqual({ isChanged: false });
  });
});

describe("another integration replaces the tenant", () => {
  test.each([
    ["by name", "shop-to-erp"],
    ["by id", 102],
  ])("%s", async (_, integration) => {
    await using on = await stage();
    const { id, state } = await brought(on, rich);
    expect(await on.operation().tenant.diff(id, state, { ...rich, integration })).toEqual({
      isChanged: true,
      replaces: ["integration"],
    });
  });

  test("by an id if the first was declared by id too", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, { ...rich, integration: 101 });
    const { tenant } = on.operation();
    expect(await tenant.diff(id, state, { ...rich, integration: 102 })).toMatchObject({ replaces: ["integration"] });
    expect(await tenant.diff(id, state, rich)).toEqual({ isChanged: false });
  });
});

test("an integration that is not known yet does not replace the tenant, which would archive it", async () => {
  await using on = await stage();
  const { id, state } = await brought(on, rich);
  const { tenant } = on.operation();
  expect(await tenant.diff(id, state, { ...rich, integration: unknownValue })).toEqual({ isChanged: true });
});

describe("a name that now means another integration", () => {
  const seed = {
    integrations: [
      { id: 1, name: "crm-of-old" },
      { id: 2, name: "crm" },
    ],
    tenants: [{ id: 5001, integration: 1, name: "acme" }],
  };
  const state = { ...acme, integration: "crm", tenantId: 5001, integrationId: 1 };

  test("is an error that names both", async () => {
    await using on = await stage({ seed });
    const failure = await failureOf(on.operation().tenant.diff("5001", state, { ...acme, integration: "crm" }));
    expect(failure.message).toMatch(
      /"acme" \(id 5001\) is of integration 1, but "crm" is now the name of integration 2/,
    );
  });

  test.each([
    [1, { isChanged: false }],
    [2, { isChanged: true, replaces: ["integration"] }],
  ])("is settled by an id: %d", async (integration, difference) => {
    await using on = await stage({ seed });
    const { tenant } = on.operation();
    expect(await tenant.diff("5001", state, { ...acme, integration })).toMatchObject(difference);
  });
});

describe("the replacement of a connected tenant", () => {
  const moved = { ...acme, integration: "shop-to-erp" };
  const replacement = { isChanged: true, replaces: ["integration"] };

  test("warns that up will refuse it, and when it will not", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, acme);
    await on.changeByHand(id, { status: { auth: { connected: true } } });
    expect(await on.operation().tenant.diff(id, state, moved)).toEqual(replacement);
    expect(on.warnings).toEqual([
      expect.stringMatching(/^tenant "acme" \(id \d+\): up will refuse to replace it, .*option retainOnDelete/),
    ]);
    expect(await on.operation().tenant.diff(id, { ...state, forceArchive: true }, moved)).toEqual(replacement);
    expect(on.warnings).toHaveLength(1);
  });

  test("does not fail if the tenants of the former integration cannot be listed", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, acme);
    on.emulator.fault({ kind: "status", status: 403, match: { method: "GET", path: "/tenants" }, times: 9 });
    expect(await on.operation().tenant.diff(id, state, moved)).toEqual(replacement);
  });
});
