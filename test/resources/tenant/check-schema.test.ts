import { describe, expect, test } from "vitest";
import { call } from "../../emulator/running-emulator.ts";
import { acme, brought, type Stage, stage } from "../stage.ts";

const payroll = { integration: "hr-to-payroll", name: "acme" };

describe("a new tenant", () => {
  test("must have the configs that its release requires", async () => {
    await using on = await stage();
    const failures = await on.operation().tenant.check(payroll, undefined);
    expect(failures).toMatchObject([
      { property: "configs.company_id", reason: "is required. To allow it, set schemaViolations: warn" },
    ]);
  });

  test("must not have configs that a strict release does not define", async () => {
    await using on = await stage();
    const inputs = { integration: "shop-to-erp", name: "acme", configs: { warehose: "x" }, metadata: { teir: "gold" } };
    const failures = await on.operation().tenant.check(inputs, undefined);
    expect(failures).toMatchObject([
      { property: "configs.warehose", reason: expect.stringContaining('did you mean "warehouse"') },
      { property: "metadata.teir", reason: expect.stringContaining('did you mean "tier"') },
    ]);
  });

  test("is checked against its declared release or, by default, the integration's", async () => {
    await using on = await stage();
    await addRelease(on, 101, "v2.0.0", { required: ["tax_id"] });
    const release = { tag: "v2.0.0" };
    expect(await on.operation().tenant.check({ ...acme, release }, undefined)).toMatchObject([
      { property: "configs.tax_id", reason: "is required. To allow it, set schemaViolations: warn" },
    ]);
    expect(await on.operation().tenant.check(acme, undefined)).toEqual([]);
  });
});

describe("an existing tenant", () => {
  test("is checked with all its configs, declared or not", async () => {
    await using on = await stage();
    const made = { ...payroll, configs: { company_id: "c1" } };
    const { id } = await brought(on, made);
    await on.changeByHand(id, { configs: { company_id: "c1", country: "DE" } });
    const now = { ...payroll, configs: { company_id: "c2" } };
    expect(await on.operation().tenant.check(now, made)).toEqual([]);
  });

  test("must not lose a required config", async () => {
    await using on = await stage();
    const made = { ...payroll, configs: { company_id: "c1" } };
    await brought(on, made);
    const failures = await on.operation().tenant.check(payroll, made);
    expect(failures).toMatchObject([
      { property: "configs.company_id", reason: "is required. To allow it, set schemaViolations: warn" },
    ]);
  });

  test("is not refused for existing problems", async () => {
    await using on = await stage();
    const made = { ...acme, configs: { region: "eu" } };
    const { id } = await brought(on, made);
    await on.changeByHand(id, { configs: { region: "eu", batch_size: 0, endpoint: "nowhere" } });
    const now = { ...acme, configs: { region: "us" } };
    expect(await on.operation().tenant.check(now, made)).toEqual([]);
  });

  test("is refused for an existing problem in a declared config", async () => {
    await using on = await stage();
    const made = { ...acme, configs: { region: "eu" } };
    const { id } = await brought(on, made);
    await on.changeByHand(id, { configs: { region: "eu", batch_size: 0 } });
    const failures = await on.operation().tenant.check({ ...acme, configs: { batch_size: -1 } }, made);
    expect(failures).toMatchObject([
      { property: "configs.batch_size", reason: "must be from 1 to 1000. To allow it, set schemaViolations: warn" },
    ]);
  });

  test("is checked completely when its release changes", async () => {
    await using on = await stage();
    await addRelease(on, 101, "v2.0.0", { properties: { region: { enum: ["eu"] }, note: { type: "string" } } });
    const made = { ...acme, release: { tag: "v1.0.0" }, configs: { region: "eu" } };
    const { id } = await brought(on, made);
    await on.changeByHand(id, { configs: { region: "eu", note: 7 } });
    const now = { ...made, release: { tag: "v2.0.0" } };
    expect(await on.operation().tenant.check(made, made)).toEqual([]);
    expect(await on.operation().tenant.check(now, made)).toMatchObject([
      { property: "configs.note", reason: expect.stringMatching(/must be a string.*has it; it is not declared/) },
    ]);
  });

  const token = { type: "string", format: "password" };
  const open = { type: "object", properties: { region: {} } };
  const requiring = { type: "object", required: ["region", "token"], properties: { token } };
  const choosing = { ...requiring, required: ["region"], anyOf: [{ required: ["token"] }, { required: ["pin"] }] };

  test.each([
    ["its release requires it too", requiring, requiring, true],
    ["one of several shapes requires it", choosing, choosing, true],
    ["only the next release requires it", open, requiring, false],
  ])(
    "is refused for a secret that reads may leave out only if it cannot have it: %s",
    async (_, before, after, hasIt) => {
      const releases = [
        { id: 2, name: "v1", tag: "v1", config_schema: before },
        { id: 3, name: "v2", tag: "v2", config_schema: after },
      ];
      const integrations = [{ id: 1, name: "vault", default_release_id: 2, releases }];
      await using on = await stage({ seed: { integrations }, variants: { maskedConfigs: "left-out" } });
      const configs = { region: "eu", ...(hasIt ? { token: "theirs-one" } : {}) };
      const adopt = await on.add({ integration: "vault", name: "acme", configs, integration_release_id: 2 });
      const inputs = { integration: "vault", name: "acme", adopt };
      const { id, state } = await on.operation().tenant.create(inputs);
      const moved = { ...inputs, release: { tag: "v2" } };
      const failures = await on.operation().tenant.check(moved, inputs);
      if (!hasIt)
        return expect(failures).toMatchObject([
          { property: "configs.token", reason: "is required. To allow it, set schemaViolations: warn" },
        ]);
      expect(failures).toEqual([]);
      await on.operation().tenant.update(id, state, moved);
      expect(await on.tenant(id)).toMatchObject({ integration_release_id: 3, configs });
    },
  );

  test("is not refused for a masked value", async () => {
    await using on = await stage({ variants: { maskedConfigs: "yes" } });
    await addRelease(on, 101, "v2.0.0", {
      properties: { api_token: { type: "string", format: "password", minLength: 8 } },
    });
    const made = { ...acme, release: { tag: "v1.0.0" }, configs: { region: "eu" } };
    const { id } = await brought(on, made);
    await on.changeByHand(id, { configs: { region: "eu", api_token: "long-enough-token" } });
    const now = { ...made, release: { tag: "v2.0.0" } };
    expect(await on.operation().tenant.check(now, made)).toEqual([]);
  });
});

describe("a schema that cannot be compiled", () => {
  test.each([
    ["has a remote $ref", { $ref: "https://schemas.example.com/configs.json" }],
    ["is of an unknown draft", { $schema: "https://json-schema.org/draft/2038-01/schema" }],
    ["is invalid", { type: "colour" }],
  ])("which %s, is said once and then not checked", async (_, schema) => {
    await using on = await stage();
    await addRelease(on, 101, "v3.0.0", schema);
    const inputs = { ...acme, release: { tag: "v3.0.0" }, configs: { region: "mars" } };
    const { tenant } = on.operation();
    expect(await tenant.check(inputs, undefined)).toEqual([]);
    expect(await tenant.check({ ...inputs, name: "globex" }, undefined)).toEqual([]);
    expect(on.warnings).toEqual([expect.stringMatching(/config schema of release \d+ .*is not fully checked/)]);
  });
});

async function addRelease(on: Stage, integrationId: number, tag: string, schema: object) {
  const release = { name: `release ${tag}`, tag, config_schema: schema };
  const { status } = await call(on.emulator, "POST", `/_emulator/integrations/${integrationId}/releases`, release);
  expect(status).toBe(200);
}
