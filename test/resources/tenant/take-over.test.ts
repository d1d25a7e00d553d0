import { describe, expect, test } from "vitest";
import { unknownValue } from "../../../src/json/unknown.ts";
import type { TenantInputs } from "../../../src/resources/tenant/schema.ts";
import { acme, complete, failureOf, type Stage, stage } from "../stage.ts";

const bare: TenantInputs = { ...acme, configs: { region: "eu" } };
const asMade = { integration: 101, name: "acme", configs: { region: "eu" } };

/** A tenant as a POST would leave it, with these fields changed. */
const made = (on: Stage, fields: object = {}) =>
  on.add({ ...asMade, paused: true, source: "api", status: unconnected, ...fields });

const run = { id: 1, status: { phase: "done" } };
const unconnected = { auth: { connected: false, connectors: [{ name: "crm", status: "disconnected" }] } };

describe("adopt: safe, the default", () => {
  test("takes over a tenant that matches what this create would make", async () => {
    await using on = await stage();
    const id = await made(on);
    expect(await on.operation().tenant.check(bare, undefined)).toEqual([]);
    expect(on.notes).toEqual([`tenant "acme": takes over ${id}`]);
    expect((await on.operation().tenant.create(bare)).id).toBe(String(id));
    expect(on.writes().filter(({ request }) => request === "POST /v2/tenants")).toEqual([]);
  });

  test("takes over and completes the tenant of an interrupted up", async () => {
    await using on = await stage();
    const id = await made(on, { configs: complete.configs, user_schedule: complete.schedule });
    expect((await on.operation().tenant.create(complete)).id).toBe(String(id));
    expect(await on.tenant(id)).toMatchObject({ paused: false, metadata: { plan: "gold" } });
  });

  test("takes over a tenant that also has the defaults of its release", async () => {
    await using on = await stage();
    const release = { tag: "v1.1.0" };
    const id = await made(on, { integration_release_id: 902, configs: { region: "eu", currency: "EUR" } });
    expect((await on.operation().tenant.create({ ...bare, release })).id).toBe(String(id));
  });

  test.each([
    ["of another source", { source: "marketplace" }, /source is "marketplace"/],
    ["that is connected", { status: { auth: { connected: true } } }, /connected/],
    [
      "with a connector that is connected",
      { status: { auth: { connected: false, connectors: [{ name: "crm", status: "connected" }] } } },
      /connected/,
    ],
    ["that has run", { status: { ...unconnected, last_run: run } }, /has run/],
    ["that runs", { status: { ...unconnected, current_run: run } }, /has run/],
    ["with another config", { configs: { region: "us" } }, /differs in configs.region/],
    ["with one config more", { configs: { region: "eu", note: "s3cret" } }, /differs in configs.note/],
    ["without a config", { configs: {} }, /differs in configs.region/],
  ])("refuses one %s, and the check warns of it", async (_, fields, reason) => {
    await using on = await stage();
    const id = await made(on, fields);
    expect(await on.operation().tenant.check(bare, undefined)).toEqual([]);
    expect(on.warnings).toEqual([expect.stringMatching(reason)]);
    expect(on.warnings[0]).toContain(`adopt: ${id}`);
    expect((await failureOf(on.operation().tenant.create(bare))).message).toMatch(reason);
    expect(on.warnings[0]).not.toContain("s3cret");
    expect(on.writes()).toEqual([]);
  });

  test.each([
    ["schedule", { schedule: "0 1 * * *" }, { user_schedule: "0 2 * * *" }],
    ["release", { release: { tag: "v1.0.0" } }, { integration_release_id: 902 }],
    ["release", { release: { channel: "Latest" as const } }, { integration_release_id: 902 }],
  ])("refuses one with another %s", async (field, declared, fields) => {
    await using on = await stage();
    await made(on, fields);
    await on.operation().tenant.check({ ...bare, ...declared }, undefined);
    expect(on.warnings).toEqual([expect.stringContaining(`differs in ${field}`)]);
    await expect(on.operation().tenant.create({ ...bare, ...declared })).rejects.toThrow(`differs in ${field}`);
    expect(on.writes()).toEqual([]);
  });

  test("does not mistake the integration's connectors for the customer's", async () => {
    await using on = await stage();
    const connectors = [{ name: "exchange-rates", status: "connected" }];
    await made(on, { status: { auth: { connected: false, connectors } } });
    expect(await on.operation().tenant.check(bare, undefined)).toEqual([]);
  });

  test("stops a replacement in another integration before it archives the old tenant", async () => {
    await using on = await stage();
    const inputs: TenantInputs = { integration: "crm-to-billing", name: "acme" };
    const { id, state } = await on.operation().tenant.create(inputs);
    await on.add({ integration: 102, name: "acme", source: "marketplace" });
    on.emulator.clearRequests();
    /** The engine's calls of a replacement that deletes first. */
    const replaced = async (moved: TenantInputs) => {
      const { tenant } = on.operation();
      expect(await tenant.check(moved, inputs)).toEqual([]);
      expect(await tenant.diff(id, state, moved)).toMatchObject({ replaces: ["integration"] });
      expect(await tenant.check(moved, undefined)).toEqual([]);
      await tenant.delete(id, state);
      return tenant.create(moved);
    };
    const moved = { ...inputs, integration: 102 };
    await expect(replaced(moved)).rejects.toThrow(
      /acme" \(id \d+\) is not archived, because the tenant that replaces it could not be created: .*source is "marketplace"/,
    );
    expect(on.writes()).toEqual([]);
    const taken = await replaced({ ...moved, adopt: true });
    expect(await on.live()).toMatchObject([{ id: Number(taken.id), integration_id: 102 }]);
  });

  test("creates a new tenant if the existing one is archived or belongs to another integration", async () => {
    await using on = await stage();
    const others = [await made(on, { archived: true }), await on.add({ integration: 102, name: "acme" })];
    const { id } = await on.operation().tenant.create(bare);
    expect(others.map(String)).not.toContain(id);
  });
});

describe("adopt: never", () => {
  test("refuses even a tenant that matches what this create would make", async () => {
    await using on = await stage();
    await made(on);
    const inputs: TenantInputs = { ...bare, adopt: "never" };
    await on.operation().tenant.check(inputs, undefined);
    expect(on.warnings).toEqual([expect.stringMatching(/already live.*adopt is "never"/)]);
    await expect(on.operation().tenant.create(inputs)).rejects.toThrow(/adopt is "never"/);
  });

  test("creates a tenant if none exists", async () => {
    await using on = await stage();
    await on.operation().tenant.create({ ...bare, adopt: "never" });
    expect(await on.live()).toHaveLength(1);
  });
});

describe.each([["true"], ["the id"]])("adopt: %s", (way) => {
  test("takes over a connected marketplace tenant and applies the settings", async () => {
    await using on = await stage();
    const id = await on.add({ ...asMade, configs: { region: "us", mapping: { a: "b" } }, metadata: { seats: 3 } });
    const inputs: TenantInputs = { ...complete, adopt: way === "true" ? true : id };
    expect(await on.operation().tenant.check(inputs, undefined)).toEqual([]);
    expect((await on.operation().tenant.create(inputs)).id).toBe(String(id));
    expect(await on.live()).toHaveLength(1);
    expect(await on.tenant(id)).toMatchObject({
      configs: { ...complete.configs, mapping: { a: "b" } },
      metadata: { plan: "gold", seats: 3 },
      user_schedule: complete.schedule,
    });
  });

  test("applies a default of another release than the one that the tenant runs", async () => {
    const releases = [
      { id: 2, name: "v1" },
      { id: 3, name: "v2", config_schema: { properties: { currency: { default: "EUR" } } } },
    ];
    const integrations = [{ id: 1, name: "crm", default_release_id: 3, releases }];
    await using on = await stage({ seed: { integrations }, variants: { schemaDefaults: "leave" } });
    const id = await on.add({ integration: 1, name: "acme", integration_release_id: 2 });
    const inputs: TenantInputs = { integration: 1, name: "acme", configs: { currency: "EUR" } };
    await on.operation().tenant.create({ ...inputs, adopt: way === "true" ? true : id });
    expect((await on.tenant(id)).configs).toEqual({ currency: "EUR" });
  });

  test("does not change undeclared settings", async () => {
    await using on = await stage();
    const fields = { paused: false, user_schedule: "0 2 * * *", configs: { region: "us" }, metadata: { seats: 3 } };
    const id = await on.add({ ...asMade, ...fields });
    await on.operation().tenant.create({ ...acme, adopt: way === "true" ? true : id });
    expect(await on.tenant(id)).toMatchObject(fields);
    expect(on.writes()).toEqual([]);
  });
});

describe("a setting that a customer changes between the check and the take-over", () => {
  const theirs = { configs: { ...complete.configs, mapping: { a: "b" } }, metadata: { seats: 4, note: "n" } };

  test("stays as changed (adopt: true)", async () => {
    await using on = await stage({ variants: { metadata: "replace" } });
    const id = await made(on, { configs: complete.configs, metadata: { seats: 3 } });
    const inputs = { ...complete, configs: { ...complete.configs, region: "us" }, adopt: true } as const;
    const { tenant } = on.operation();
    expect(await tenant.check(inputs, undefined)).toEqual([]);
    await on.changeByHand(id, theirs);
    await tenant.create(inputs);
    expect(await on.tenant(id)).toMatchObject({
      configs: { ...inputs.configs, mapping: { a: "b" } },
      metadata: { plan: "gold", seats: 4, note: "n" },
    });
  });

  test.each<[object, string]>([
    [theirs, "differs in configs.mapping"],
    [{ status: { auth: { connected: true } } }, "is connected"],
  ])("makes the tenant theirs (adopt: safe): %o", async (change, reason) => {
    await using on = await stage({ variants: { metadata: "replace" } });
    const id = await made(on, { configs: complete.configs, user_schedule: complete.schedule });
    const { tenant } = on.operation();
    expect(await tenant.check(complete, undefined)).toEqual([]);
    await on.changeByHand(id, change);
    await expect(tenant.create(complete)).rejects.toThrow(reason);
    expect(on.writes()).toEqual([]);
  });
});

test.each([{ pageSize: "capped" }, { pageSize: "capped", sorting: "ignore" }, { sorting: "ignore" }] as const)(
  "finds a tenant anywhere in the list, under %o",
  async (variants) => {
    const others = Array.from({ length: 100 }, (_, index) => ({ integration: 1, name: `t${index}` }));
    const tenants = [
      ...others.slice(0, 60),
      { integration: 1, name: "acme", source: "api", paused: true },
      ...others.slice(60),
    ];
    await using on = await stage({ seed: { integrations: [{ id: 1, name: "crm" }], tenants }, variants });
    const { id } = await on.operation().tenant.create({ integration: "crm", name: "acme", adopt: true });
    expect(on.writes()).toEqual([]);
    expect(await on.tenant(id)).toMatchObject({ name: "acme" });
  },
);

describe("adopt: an id", () => {
  test("that is wrong is refused with the id of the tenant that has the name", async () => {
    await using on = await stage();
    const id = await made(on, {});
    expect(await on.operation().tenant.check({ ...bare, adopt: 4711 }, undefined)).toMatchObject([
      { property: "adopt", reason: expect.stringContaining(`the live tenant named "acme" has id ${id}`) },
    ]);
  });

  test("takes over a tenant with another name and renames it", async () => {
    await using on = await stage();
    const id = await made(on, { name: "Acme Inc." });
    await on.operation().tenant.create({ ...bare, adopt: id });
    expect(await on.live()).toMatchObject([{ id, name: "acme" }]);
  });

  test.each([
    [
      "archived, under another name",
      { archived: true, name: "acme-of-old" },
      /tenant \d+ \("acme-of-old"\) is archived, which the API cannot undo. Correct the id/,
    ],
    [
      "of another integration",
      { integration: 102, integration_id: undefined },
      /there is no live tenant with id \d+ in integration "crm-to-billing". Correct the id/,
    ],
  ])("refuses one that is %s, also if a preview does not know another input yet", async (_, fields, failure) => {
    await using on = await stage();
    const id = await made(on, fields);
    expect(await on.operation().tenant.check({ ...bare, adopt: id, release: unknownValue }, undefined)).toMatchObject([
      { property: "adopt", reason: expect.stringMatching(failure) },
    ]);
    expect(await on.operation().tenant.check({ ...bare, adopt: id }, undefined)).toMatchObject([
      { property: "adopt", reason: expect.stringMatching(failure) },
    ]);
    await expect(on.operation().tenant.create({ ...bare, adopt: id })).rejects.toThrow(failure);
  });
});

describe("several live tenants with the same name", () => {
  test.each([["safe"], [true]] as const)("are an error that lists their ids (adopt: %s)", async (adopt) => {
    await using on = await stage();
    const ids = [await made(on), await made(on)];
    await on.operation().tenant.check({ ...bare, adopt }, undefined);
    expect(on.warnings).toEqual([expect.stringContaining(`ids ${ids.join(", ")}`)]);
    await expect(on.operation().tenant.create({ ...bare, adopt })).rejects.toThrow(`ids ${ids.join(", ")}`);
    expect(on.writes()).toEqual([]);
  });

  test("are distinguished by adopt with an id", async () => {
    await using on = await stage();
    const [, second] = [await made(on), await made(on)];
    expect((await on.operation().tenant.create({ ...bare, adopt: second })).id).toBe(String(second));
  });

  test("are taken over concurrently, each by its id", async () => {
    await using on = await stage();
    const ids = [await made(on), await made(on)];
    const { tenant } = on.operation();
    const taken = await Promise.all(ids.map((adopt) => tenant.create({ ...bare, adopt })));
    expect(taken.map(({ id }) => Number(id))).toEqual(ids);
  });
});

describe("two resources for one tenant", () => {
  test("are refused when they are created concurrently", async () => {
    await using on = await stage();
    const { tenant } = on.operation();
    const outcomes = await Promise.allSettled([tenant.create(bare), tenant.create(bare)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await on.live()).toHaveLength(1);
  });

  test("are refused when one gives its name and the other its id concurrently", async () => {
    await using on = await stage();
    const adopt = await made(on);
    const { tenant } = on.operation();
    const metadata = { plan: "gold" };
    const outcomes = await Promise.allSettled([
      tenant.create({ ...bare, metadata }),
      tenant.create({ ...bare, metadata, adopt, logicalName: "other" }),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("are refused when they are created one after the other", async () => {
    await using on = await stage();
    const { tenant } = on.operation();
    await tenant.create(bare);
    await expect(tenant.create({ ...bare, logicalName: "other" })).rejects.toThrow(
      /declared by two resources, Tenant acme and Tenant other/,
    );
    expect(await on.live()).toHaveLength(1);
  });

  test("are refused when the first exists from an earlier up", async () => {
    await using on = await stage();
    const { id, state } = await on.operation().tenant.create(bare);
    const { tenant } = on.operation();
    await tenant.check(bare, bare);
    await tenant.diff(id, state, bare);
    await expect(tenant.create({ ...bare, adopt: true, logicalName: "other" })).rejects.toThrow(
      /declared by two resources/,
    );
  });
});
