import { describe, expect, test } from "vitest";
import { acme, brought, failureOf, type Stage, stage } from "../stage.ts";

/** Numbers that JavaScript cannot represent or would write differently, as a customer's code may have stored them. */
const odd = '"big":9007199254740993,"huge":1e400,"price":1.10,"none":-0,"nested":{"list":[1E3,{"deep":0.00000010}]}';

describe("undeclared numbers stay unchanged, byte for byte,", () => {
  test.each(["replace", "merge", "merge-patch"] as const)("if the platform's PATCH is %s", async (patching) => {
    await using on = await stage({ variants: { configs: patching, metadata: patching } });
    const declared = { ...acme, configs: { region: "eu" }, metadata: { plan: "gold" } };
    const { id, state } = await brought(on, declared);
    await write(on, id, `{"configs":{"region":"eu",${odd}},"metadata":{"plan":"gold",${odd}}}`);
    const now = { ...declared, configs: { region: "us" }, metadata: { plan: "silver" } };
    await on.operation().tenant.update(id, state, now);
    const text = await rawText(on, id);
    expect(text).toContain(odd);
    expect(text.split(odd)).toHaveLength(3);
    expect(text).toContain('"region":"us"');
    expect(text).toContain('"plan":"silver"');
  });

  test("if a key is removed, and if only metadata is managed", async () => {
    await using on = await stage();
    const { id, state } = await brought(on, { ...acme, configs: { region: "eu", batch: 5 } });
    await write(on, id, `{"configs":{"region":"eu","batch":5,${odd}},"metadata":{${odd}}}`);
    await on.operation().tenant.update(id, state, { ...acme, configs: { region: "eu" } });
    await on.operation().metadata.create({ tenantId: Number(id), data: { plan: "gold" } });
    const text = await rawText(on, id);
    expect(text.split(odd)).toHaveLength(3);
    expect(text).not.toContain("batch");
  });

  test("if a tenant is taken over", async () => {
    await using on = await stage();
    const id = await on.add({ integration: 101, name: "acme" });
    await write(on, String(id), `{"configs":{${odd}}}`);
    await on.operation().tenant.create({ ...acme, adopt: id, configs: { region: "eu" } });
    expect(await rawText(on, String(id))).toContain(odd);
  });
});

test("a change of a declared number beyond JavaScript's precision is drift and is repaired", async () => {
  await using on = await stage();
  const declared = { ...acme, configs: { account: 9007199254740992 } };
  const { id, state } = await brought(on, declared);
  await write(on, id, '{"configs":{"account":9007199254740993}}');
  const seen = await on.operation().tenant.read(id, state);
  expect(seen?.inputs.configs).toEqual({ account: "9007199254740993" });
  await on.operation().tenant.update(id, state, declared);
  expect(await rawText(on, id)).toContain('"account":9007199254740992');
});

describe("a number that ignoreChanges declares as a read has shown it", () => {
  const declared = { integration: "ledger", name: "acme", configs: { account: 1, region: "eu" } };
  const now = { ...declared, configs: { account: "9007199254740993", region: "us" } };
  const ledger = (schema: object) => {
    const releases = [
      { id: 2, name: "v1", tag: "v1", config_schema: { properties: { account: schema } } },
      { id: 3, name: "v2", tag: "v2", config_schema: { properties: { account: { type: "string" } } } },
    ];
    return { seed: { integrations: [{ id: 1, name: "ledger", default_release_id: 2, releases }] } };
  };

  /** A tenant with a number of 2^53 + 1, and what a read shows of it. */
  async function withAccount(on: Stage) {
    const { id, state } = await brought(on, declared);
    await write(on, id, '{"configs":{"account":9007199254740993,"region":"eu"}}');
    const seen = await on.operation().tenant.read(id, state);
    return { id, seen, state: seen?.state ?? state };
  }

  /** The stored tenant after an update that the check accepts. */
  async function textAfter(
    on: Stage,
    { id, seen, state }: Awaited<ReturnType<typeof withAccount>>,
    inputs: typeof now,
  ) {
    expect(await on.operation().tenant.check(inputs, seen?.inputs)).toEqual([]);
    await on.operation().tenant.update(id, state, inputs);
    return rawText(on, id);
  }

  test.each([{ type: "integer" }, {}])("is left as it is by a change of another key: %j", async (schema) => {
    await using on = await stage(ledger(schema));
    const tenant = await withAccount(on);
    expect(await textAfter(on, tenant, now)).toContain('"configs":{"account":9007199254740993,"region":"us"}');
  });

  test("is written as the number that it was, if somebody has changed it since", async () => {
    await using on = await stage(ledger({ type: "integer" }));
    const tenant = await withAccount(on);
    await write(on, tenant.id, '{"configs":{"account":9007199254740995,"region":"eu"}}');
    expect(await textAfter(on, tenant, now)).toContain('"configs":{"account":9007199254740993,"region":"us"}');
  });

  test("is written as a string if the schema of the new release wants one", async () => {
    await using on = await stage(ledger({ type: "integer" }));
    const tenant = await withAccount(on);
    const moved = { ...now, release: { tag: "v2" } };
    expect(await textAfter(on, tenant, moved)).toContain('"configs":{"account":"9007199254740993","region":"us"}');
  });

  test("is no failure inside an object of metadata of which another part changes", async () => {
    const limits = { properties: { account: { type: "integer" }, day: { type: "integer" } } };
    const releases = [{ id: 2, name: "v1", metadata_schema: { properties: { limits } } }];
    await using on = await stage({
      seed: { integrations: [{ id: 1, name: "ledger", default_release_id: 2, releases }] },
    });
    const tenantId = await on.add({ integration: "ledger", name: "acme" });
    const data = (day: unknown) => ({ tenantId, data: { limits: { account: "9007199254740993", day } } });
    expect(await on.operation().metadata.check(data(2), data(1))).toEqual([]);
    expect(await on.operation().metadata.check(data("x"), data(1))).toMatchObject([{ property: "data.limits.day" }]);
  });
});

test("a declared number matches in every notation of the platform", async () => {
  await using on = await stage();
  const declared = { ...acme, configs: { price: 1.1, limit: 1000 } };
  const { id, state } = await brought(on, declared);
  await write(on, id, '{"configs":{"price":1.10,"limit":1e3}}');
  const { tenant } = on.operation();
  expect(await tenant.read(id, state)).toEqual({ inputs: declared, state });
});

test("a refusal changes no number", async () => {
  await using on = await stage();
  const { id, state } = await brought(on, { ...acme, configs: { region: "eu" } });
  await write(on, id, `{"configs":{"region":"eu","api_token":"***",${odd}}}`);
  await failureOf(on.operation().tenant.update(id, state, { ...acme, configs: { region: "us" } }));
  expect(await rawText(on, id)).toContain(odd);
});

/** Writes a tenant as JSON text, because an object would lose the numbers. */
async function write(on: Stage, id: string, body: string) {
  const init = { method: "PATCH", headers: { "content-type": "application/json" }, body };
  const { status } = await fetch(`${on.emulator.url}/_emulator/tenants/${id}`, init);
  expect(status).toBe(200);
}

/** The stored tenant as JSON text. */
async function rawText(on: Stage, id: string) {
  return (await fetch(`${on.emulator.url}/_emulator/tenants/${id}`)).text();
}
