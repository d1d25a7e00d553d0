import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Stage, stage } from "../stage.ts";

const wrapped = JSON.parse(readFileSync("test/fixtures/releases/wrapped.json", "utf8"));
const bare = { config_schema: wrapped.config_schema.schema, metadata_schema: wrapped.metadata_schema.schema };
const release = (id: number, tag: string, schemas: object) => ({ id, name: `ledger-${id}`, tag, ...schemas });

const ledger = () =>
  stage({
    seed: {
      integrations: [
        {
          id: 1,
          name: "ledger",
          default_release_id: 11,
          releases: [
            release(11, "wrapped", { config_schema: wrapped.config_schema, metadata_schema: wrapped.metadata_schema }),
            release(12, "bare", bare),
            release(13, "mixed", { ...bare, metadata_schema: wrapped.metadata_schema }),
          ],
        },
      ],
    },
  });

const acme = { integration: "ledger", name: "acme" };
const toAllow = "To allow it, set schemaViolations: warn";

async function withOptions(on: Stage, configs: object, dynamic_configs?: object): Promise<number> {
  const id = await on.add({ ...acme, configs });
  if (dynamic_configs !== undefined) await on.changeByHand(id, { status: { dynamic_configs } });
  return id;
}

describe.each(["wrapped", "bare", "mixed"])("the schemas of a release in the form %s", (tag) => {
  test("a wrong type and a wrong choice are found in configs and metadata", async () => {
    await using on = await ledger();
    const configs = { account: "main", batch_size: "20", region: "mars", start_at: "14:30", other: 1 };
    const inputs = { ...acme, release: { tag }, configs, metadata: { cursor: 1 } };
    const failures = await on.operation().tenant.check(inputs, undefined);
    expect(new Set(failures.map(({ property }) => property))).toEqual(
      new Set(["configs.batch_size", "configs.region", "metadata.cursor"]),
    );
    for (const { reason } of failures) expect(reason.split("schemaViolations")).toHaveLength(2);
    expect(on.writes()).toEqual([]);
  });

  test("a dynamic choice may be whatever when the tenant is created, and may be missing", async () => {
    await using on = await ledger();
    const inputs = { ...acme, release: { tag }, configs: { account: "whatever", owner: "U0431" } };
    expect(await on.operation().tenant.check(inputs, undefined)).toEqual([]);
    expect(on.warnings).toEqual([]);
    expect(await on.operation().tenant.check({ ...acme, release: { tag } }, undefined)).toEqual([]);
    expect(on.warnings).toEqual([
      `tenant "acme": configs.account: is required, and can be chosen after the tenant's first init sync. ` +
        "To hide this, set schemaViolations: off",
    ]);
    const { state } = await on.operation().tenant.create(inputs);
    expect(state.waitingFor?.map(({ path }) => path)).toEqual([
      ["configs", "account"],
      ["configs", "owner"],
    ]);
  });
});

describe("a tenant that has options", () => {
  const options = { accounts: ["main", "reserve"], owners: [{ const: "U0431", title: "Ada" }] };
  const old = { ...acme, configs: { account: "main" } };

  test("is warned of a choice that it does not have", async () => {
    await using on = await ledger();
    await withOptions(on, { account: "main" }, options);
    const configs = { account: "mian", owner: "U0431" };
    expect(await on.operation().tenant.check({ ...acme, configs }, old)).toEqual([]);
    expect(on.warnings).toEqual([
      `tenant "acme": configs.account: is not among the tenant's options for accounts: "main", "reserve". ` +
        "They may be old: an init sync renews them. To hide this, set schemaViolations: off",
    ]);
  });

  test("is not warned of what it has already, nor if nobody wants to know", async () => {
    await using on = await ledger();
    await withOptions(on, { account: "gone" }, options);
    const check = (inputs: object) => on.operation().tenant.check({ ...acme, ...inputs }, old);
    expect(await check({ configs: { account: "gone" } })).toEqual([]);
    expect(await check({ configs: { account: "mian" }, schemaViolations: "off" })).toEqual([]);
    expect(on.warnings).toEqual([]);
  });
});

describe("schemaViolations", () => {
  const wrong = { ...acme, configs: { account: "main", region: "mars" } };

  test.each<[string, "error" | "warn" | "off" | undefined, object, number, number]>([
    ["an error by default", undefined, {}, 1, 0],
    ["a warning of a tenant", undefined, { schemaViolations: "warn" }, 0, 1],
    ["nothing of a tenant", undefined, { schemaViolations: "off" }, 0, 0],
    ["a warning of the stack", "warn", {}, 0, 1],
    ["an error of a tenant of another stack", "off", { schemaViolations: "error" }, 1, 0],
  ])("%s", async (_, schemaViolations, inputs, errors, warnings) => {
    await using on = await ledger();
    const operation = on.operation({ schemaViolations });
    const failures = await operation.tenant.check({ ...wrong, ...inputs }, undefined);
    expect([failures.length, on.warnings.length]).toEqual([errors, warnings]);
    for (const text of on.warnings) expect(text.split("schemaViolations")).toHaveLength(2);
  });

  test("a fleet's applies to its tenants, and a tenant's own wins", async () => {
    await using on = await ledger();
    const { configs } = wrong;
    const tenants = {
      acme: { configs },
      bird: { configs, schemaViolations: "off" },
      dune: { configs: { account: "a" } },
    };
    const fleet = { integration: "ledger", name: "all", tenants, schemaViolations: "warn" };
    expect(await on.operation().fleet.check(fleet, undefined)).toEqual([]);
    expect(new Set(on.warnings.map((text) => text.split(":")[0]))).toEqual(new Set(['tenant "acme"']));
    const strict = await on.operation().fleet.check({ ...fleet, schemaViolations: "error" }, undefined);
    expect(new Set(strict.map(({ property }) => property))).toEqual(new Set(["tenants.acme.configs.region"]));
    expect(strict[0]?.reason).toContain(toAllow);
  });

  test("changes nothing on the platform, is stored, and is no difference afterwards", async () => {
    await using on = await ledger();
    const inputs = { ...acme, configs: { account: "main" } };
    const { id, state } = await on.operation().tenant.create(inputs);
    on.emulator.clearRequests();
    const now = { ...inputs, schemaViolations: "warn" } as const;
    expect(await on.operation().tenant.diff(id, state, now)).toMatchObject({ isChanged: true });
    const updated = await on.operation().tenant.update(id, state, now);
    expect(on.writes()).toEqual([]);
    expect(updated).toMatchObject({ schemaViolations: "warn" });
    expect(await on.operation().tenant.diff(id, updated, now)).toMatchObject({ isChanged: false });
  });

  test("a word that it does not have is refused", async () => {
    await using on = await ledger();
    const failures = await on.operation().tenant.check({ ...acme, schemaViolations: "ignore" }, undefined);
    expect(failures).toMatchObject([{ property: "schemaViolations", reason: 'must be "error", "warn" or "off"' }]);
  });

  test("the metadata of a tenant that is managed elsewhere follow the stack's", async () => {
    await using on = await ledger();
    const tenantId = await withOptions(on, { account: "main" });
    const inputs = { tenantId, data: { cursor: 1 } };
    expect(await on.operation().metadata.check(inputs, undefined)).toMatchObject([{ property: "data.cursor" }]);
    expect(await on.operation({ schemaViolations: "warn" }).metadata.check(inputs, undefined)).toEqual([]);
    expect(on.warnings).toEqual([
      expect.stringContaining(`metadata of tenant ${tenantId}: data.cursor: must be a string`),
    ]);
  });
});

describe("a name of more than 63 characters", () => {
  const long = "a".repeat(64);
  const configs = { account: "main" };

  test("is refused for a new tenant", async () => {
    await using on = await ledger();
    const failures = await on.operation().tenant.check({ integration: "ledger", name: long, configs }, undefined);
    expect(failures).toEqual([{ property: "name", reason: "must have at most 63 characters, and has 64" }]);
    expect(
      await on.operation().tenant.check({ integration: "ledger", name: long.slice(1), configs }, undefined),
    ).toEqual([]);
  });

  test("is left alone at a tenant that has it", async () => {
    await using on = await ledger();
    await on.add({ integration: "ledger", name: long, configs });
    const inputs = { integration: "ledger", name: long, configs };
    expect(await on.operation().tenant.check(inputs, inputs)).toEqual([]);
  });
});
