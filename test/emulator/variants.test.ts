import { describe, expect, test } from "vitest";
import { defaultVariants, variantValues } from "../../src/emulator/index.ts";
import { call, createTenant, ids, numberAt, readTenant, startEmulator } from "./running-emulator.ts";

test("the default of every variant is its first value", () => {
  expect(Object.keys(defaultVariants)).toEqual(Object.keys(variantValues));
  for (const [name, value] of Object.entries(defaultVariants)) expect(value).toBe(variantValues[name]?.[0]);
});

test("unknown variants and values are refused with what there is", async () => {
  const emulator = await startEmulator();
  expect(() => emulator.setVariants(JSON.parse('{"colour": "red"}'))).toThrow(
    /no variant "colour".*\n.*configs: replace/,
  );
  expect(() => emulator.setVariants(JSON.parse('{"names": "odd"}'))).toThrow(/"names" cannot be "odd".*free, unique/);
  await expect(startEmulator({ variants: JSON.parse('{"constructor": "x"}') })).rejects.toThrow(/no variant/);
});

describe("configs", () => {
  const first = { region: "eu", mapping: { a: "1", b: "2" }, extra: 1 };
  const patch = { mapping: { a: "9" }, extra: null };
  test.each([
    ["replace", patch],
    ["merge", { region: "eu", mapping: { a: "9" }, extra: null }],
    ["merge-patch", { region: "eu", mapping: { a: "9", b: "2" } }],
  ] as const)("%s", async (configs, expected) => {
    const emulator = await startEmulator({ variants: { configs } });
    const id = await createTenant(emulator, { configs: first });
    await call(emulator, "PATCH", `/v2/tenants/${id}`, { configs: patch });
    expect(Object(await readTenant(emulator, id)).configs).toEqual(expected);
  });
});

describe("metadata", () => {
  test.each([
    ["merge", { plan: "gold", deep: { b: 2 }, extra: null }],
    ["replace", { deep: { b: 2 }, extra: null }],
    ["merge-patch", { plan: "gold", deep: { a: 1, b: 2 } }],
  ] as const)("%s", async (metadata, expected) => {
    const emulator = await startEmulator({ variants: { metadata } });
    const id = await createTenant(emulator);
    await call(emulator, "PATCH", `/v2/tenants/${id}/metadata`, { plan: "gold", deep: { a: 1 }, extra: 1 });
    const { body } = await call(emulator, "PATCH", `/v2/tenants/${id}/metadata`, { deep: { b: 2 }, extra: null });
    expect(Object(body).data).toEqual(expected);
  });
});

describe("patchAnswer", () => {
  test.each([
    ["object", expect.objectContaining({ name: "globex" })],
    ["nothing", {}],
    ["empty", ""],
  ] as const)("%s", async (patchAnswer, body) => {
    const emulator = await startEmulator({ variants: { patchAnswer } });
    const id = await createTenant(emulator);
    expect(await call(emulator, "PATCH", `/v2/tenants/${id}`, { name: "globex" })).toMatchObject({ status: 200, body });
    expect(await readTenant(emulator, id)).toMatchObject({ name: "globex" });
  });
});

describe("limitOver500", () => {
  const seed = {
    integrations: [{ id: 1, name: "one" }],
    tenants: Array.from({ length: 502 }, (_, index) => ({ integration: 1, name: `t-${index}` })),
  };
  test("refuse", async () => {
    const emulator = await startEmulator({ seed });
    expect(await call(emulator, "GET", "/v2/tenants?limit=501")).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["query", "limit"], type: "less_than_equal" }] },
    });
  });
  test("clamp", async () => {
    const emulator = await startEmulator({ seed, variants: { limitOver500: "clamp" } });
    expect(ids((await call(emulator, "GET", "/v2/tenants?limit=501")).body)).toHaveLength(500);
  });
});

test.each(["403", "401"] as const)("unauthorized: %s", async (unauthorized) => {
  const emulator = await startEmulator({ variants: { unauthorized } });
  const answer = await call(emulator, "GET", "/v2/tenants", undefined, {});
  expect(answer).toMatchObject({ status: Number(unauthorized), body: { detail: "Not authorized" } });
});

describe("maskedConfigs", () => {
  const config_schema = {
    properties: {
      token: { type: "string", format: "password" },
      deep: { properties: { pin: { writeOnly: true } } },
      list: { items: { properties: { key: { type: "string", format: "password" } } } },
      any: { additionalProperties: { type: "string", format: "password" } },
      either: { anyOf: [{ type: "string", format: "password" }, { type: "null" }] },
      named: { patternProperties: { "^key_": { format: "password" } } },
      pair: { items: [{}, { writeOnly: true }] },
      referred: { $ref: "#/definitions/secret" },
      chosen: {
        if: { properties: { kind: { const: "basic" } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { properties: { secret: { format: "password" } } },
      },
    },
    definitions: { secret: { $id: "#secret", format: "password" } },
  };
  const seed = {
    integrations: [{ id: 1, name: "one", default_release_id: 2, releases: [{ id: 2, name: "v1", config_schema }] }],
  };
  const configs = {
    token: "a",
    deep: { pin: 1, open: 2 },
    list: [{ key: "b" }, { open: 3 }],
    any: { x: "c" },
    either: "d",
    open: "e",
    named: { key_a: "f", other: "g" },
    pair: ["h", "i"],
    referred: "j",
    chosen: { kind: "basic", secret: "k" },
  };
  const masked = {
    token: "***",
    deep: { pin: "***", open: 2 },
    list: [{ key: "***" }, { open: 3 }],
    any: { x: "***" },
    either: "***",
    open: "e",
    named: { key_a: "***", other: "g" },
    pair: ["h", "***"],
    referred: "***",
    chosen: { kind: "basic", secret: "***" },
  };

  test.each([
    ["no", configs],
    ["yes", masked],
  ] as const)("%s", async (maskedConfigs, expected) => {
    const emulator = await startEmulator({ seed, variants: { maskedConfigs } });
    const created = await call(emulator, "POST", "/v2/tenants", { name: "acme", integration_id: 1, configs });
    expect(created.body).toMatchObject({ configs: expected });
    const { body } = await call(emulator, "GET", "/v2/tenants");
    expect(body).toMatchObject([{ configs: expected }]);
    const patched = await call(emulator, "PATCH", `/v2/tenants/${ids(body)[0]}`, { paused: false });
    expect(patched.body).toMatchObject({ configs: expected });
    expect((await call(emulator, "GET", `/_emulator/tenants/${ids(body)[0]}`)).body).toMatchObject({ configs });
  });
});

test.each([
  ["no", { token: "s3cret-token", open: "a" }],
  ["yes", { token: "***", open: "a" }],
  ["tail", { token: "****oken", open: "a" }],
  ["marker", { token: "(hidden)", open: "a" }],
  ["digest", { token: "sha256:a81e611a041b", open: "a" }],
  ["left-out", { open: "a" }],
] as const)("maskedConfigs: %s, of configs and of metadata", async (maskedConfigs, shown) => {
  const schema = { properties: { token: { type: "string", format: "password" } } };
  const release = { id: 2, name: "v1", config_schema: schema, metadata_schema: schema };
  const seed = { integrations: [{ id: 1, name: "one", default_release_id: 2, releases: [release] }] };
  const emulator = await startEmulator({ seed, variants: { maskedConfigs } });
  const secret = { token: "s3cret-token", open: "a" };
  const { body } = await call(emulator, "POST", "/v2/tenants", { name: "acme", integration_id: 1, configs: secret });
  const id = numberAt(body, "id");
  await call(emulator, "PATCH", `/v2/tenants/${id}/metadata`, secret);
  expect(Object((await call(emulator, "GET", `/v2/tenants/${id}/metadata`)).body).data).toEqual(shown);
  expect(Object(await readTenant(emulator, id)).configs).toEqual(shown);
  expect((await call(emulator, "GET", `/_emulator/tenants/${id}`)).body).toMatchObject({
    configs: secret,
    metadata: secret,
  });
});

const oddNumbers = '{"big":9007199254740993,"huge":1e400,"price":1.10,"list":[{"deep":-0}]}';
test.each([
  ["kept", oddNumbers],
  ["rounded", '{"big":9007199254740992,"huge":null,"price":1.1,"list":[{"deep":0}]}'],
] as const)("numbers: %s", async (numbers, shown) => {
  const emulator = await startEmulator({ variants: { numbers } });
  const id = await createTenant(emulator);
  const headers = { "x-api-key": emulator.apiKey, "content-type": "application/json" };
  const text = async (method: string, path: string, body?: string) =>
    (await fetch(`${emulator.url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) })).text();
  expect(await text("PATCH", `/v2/tenants/${id}`, `{"configs":${oddNumbers}}`)).toContain(`"configs":${shown}`);
  expect(await text("GET", "/v2/tenants")).toContain(`"configs":${shown}`);
  expect(await text("PATCH", `/v2/tenants/${id}/metadata`, oddNumbers)).toContain(`"data":${shown}`);
  expect(await text("GET", `/v2/tenants/${id}/metadata`)).toContain(`"data":${shown}`);
  expect(await text("PATCH", `/v2/tenants/${id}`, '{"paused":false}')).toContain(`"configs":${shown}`);
  expect(await text("GET", `/_emulator/tenants/${id}`)).toContain(`"metadata":${shown}`);
  await text("PATCH", `/_emulator/tenants/${id}`, `{"configs":${oddNumbers}}`);
  expect(await text("GET", `/_emulator/tenants/${id}`)).toContain(`"configs":${oddNumbers}`);
});

test.each([
  ["alone", [2]],
  ["along", [1, 2]],
] as const)("archivedList: %s", async (archivedList, expected) => {
  const seed = {
    integrations: [
      { id: 1, name: "live" },
      { id: 2, name: "old", archived: true },
    ],
    tenants: [
      { id: 1, integration: 1, name: "live" },
      { id: 2, integration: 1, name: "old", archived: true },
    ],
  };
  const emulator = await startEmulator({ seed, variants: { archivedList } });
  for (const list of ["integrations", "tenants"]) {
    expect(ids((await call(emulator, "GET", `/v2/${list}?archived=true`)).body)).toEqual(expected);
    expect(ids((await call(emulator, "GET", `/v2/${list}`)).body)).toEqual([1]);
  }
});

test.each([
  ["accept", 200],
  ["refuse", 422],
] as const)("sorting: %s", async (sorting, status) => {
  const emulator = await startEmulator({ variants: { sorting } });
  expect((await call(emulator, "GET", "/v2/tenants?sort_by=id__ASC")).status).toBe(status);
  expect((await call(emulator, "GET", "/v2/integrations?sort_by=id__ASC")).status).toBe(status);
  expect((await call(emulator, "GET", "/v2/tenants")).status).toBe(200);
});

test.each([
  ["accept", 200],
  ["refuse", 422],
] as const)("releaseAndChannel: %s", async (releaseAndChannel, status) => {
  const emulator = await startEmulator({ variants: { releaseAndChannel } });
  const id = await createTenant(emulator);
  const patch = (body: object) => call(emulator, "PATCH", `/v2/tenants/${id}`, body);
  expect((await patch({ integration_release_id: 902, integration_release_channel: null })).status).toBe(status);
  expect((await patch({ integration_release_id: null, integration_release_channel: "Latest" })).status).toBe(status);
  expect((await patch({ integration_release_id: 902 })).status).toBe(200);
  expect((await patch({ integration_release_channel: "Latest" })).status).toBe(200);
});

test.each([
  ["empty", 200],
  ["missing", 404],
] as const)("metadataWhenNone: %s", async (metadataWhenNone, status) => {
  const emulator = await startEmulator({ variants: { metadataWhenNone } });
  const id = await createTenant(emulator);
  const read = () => call(emulator, "GET", `/v2/tenants/${id}/metadata`);
  expect((await read()).status).toBe(status);
  await call(emulator, "PATCH", `/v2/tenants/${id}/metadata`, {});
  expect(await read()).toMatchObject({ status: 200, body: { data: {} } });
});

describe("nulls", () => {
  test("present", async () => {
    const emulator = await startEmulator();
    const id = await createTenant(emulator);
    const { body } = await call(emulator, "GET", `/v2/tenants/${id}/metadata`);
    expect(body).toHaveProperty("created_date", null);
    expect(await readTenant(emulator, id)).toHaveProperty("user_schedule", null);
  });
  test("absent, except inside free-form objects", async () => {
    const emulator = await startEmulator({ variants: { nulls: "absent" } });
    const id = await createTenant(emulator, { configs: { extra: null } });
    const answers = [
      await readTenant(emulator, id),
      (await call(emulator, "GET", `/v2/tenants/${id}/metadata`)).body,
      (await call(emulator, "GET", "/v2/integrations")).body,
      (await call(emulator, "GET", "/v2/integrations/101/releases/latest")).body,
    ];
    expect(answers[0]).toMatchObject({ configs: { extra: null } });
    const { configs, ...tenant } = Object(answers[0]);
    expect(JSON.stringify([tenant, ...answers.slice(1)])).not.toContain("null");
  });
});

describe("visibility", () => {
  test("immediate", async () => {
    const emulator = await startEmulator();
    expect(await readTenant(emulator, await createTenant(emulator))).toBeDefined();
  });

  test("delayed: writes show in reads after 300 ms", async () => {
    let now = Date.parse("2026-01-01T00:00:00Z");
    const emulator = await startEmulator({ variants: { visibility: "delayed" }, clock: { now: () => now } });
    const list = async (query = "") => (await call(emulator, "GET", `/v2/tenants${query}`)).body;
    const metadata = (id: number) => call(emulator, "GET", `/v2/tenants/${id}/metadata`);

    const id = await createTenant(emulator);
    now += 299;
    expect(await list()).toEqual([]);
    expect((await metadata(id)).status).toBe(404);
    now += 1;
    expect(await list()).toMatchObject([{ id, name: "acme" }]);

    expect((await call(emulator, "PATCH", `/v2/tenants/${id}`, { name: "globex" })).body).toMatchObject({
      name: "globex",
    });
    await call(emulator, "PATCH", `/v2/tenants/${id}/metadata`, { plan: "gold" });
    expect(await list()).toMatchObject([{ name: "acme" }]);
    expect((await metadata(id)).body).toMatchObject({ data: {} });
    now += 300;
    expect(await list()).toMatchObject([{ name: "globex" }]);
    expect((await metadata(id)).body).toMatchObject({ data: { plan: "gold" } });

    await call(emulator, "DELETE", `/v2/tenants/${id}`);
    expect((await call(emulator, "DELETE", `/v2/tenants/${id}`)).status).toBe(404);
    expect([ids(await list()), ids(await list("?archived=true"))]).toEqual([[id], []]);
    now += 300;
    expect([ids(await list()), ids(await list("?archived=true"))]).toEqual([[], [id]]);
  });
});

describe("names", () => {
  test("free", async () => {
    const emulator = await startEmulator();
    await createTenant(emulator);
    expect(await createTenant(emulator)).toBeGreaterThan(0);
  });
  test("unique among the live tenants of an integration", async () => {
    const emulator = await startEmulator({ variants: { names: "unique" } });
    const id = await createTenant(emulator);
    const other = await createTenant(emulator, { name: "globex" });
    const refusal = { status: 422, body: { detail: [{ loc: ["body", "name"] }] } };
    expect(await call(emulator, "POST", "/v2/tenants", { name: "acme", integration_id: 101 })).toMatchObject(refusal);
    expect(await call(emulator, "PATCH", `/v2/tenants/${other}`, { name: "acme" })).toMatchObject(refusal);
    expect((await call(emulator, "PATCH", `/v2/tenants/${id}`, { name: "acme" })).status).toBe(200);
    expect(await createTenant(emulator, { integration_id: 102 })).toBeGreaterThan(0);
    await call(emulator, "DELETE", `/v2/tenants/${id}`);
    expect(await createTenant(emulator)).toBeGreaterThan(0);
  });
});

test.each([
  ["fill", { region: "eu", currency: "EUR" }],
  ["leave", { region: "eu" }],
] as const)("schemaDefaults: %s", async (schemaDefaults, expected) => {
  const emulator = await startEmulator({ variants: { schemaDefaults } });
  const id = await createTenant(emulator, { integration_release_id: 902, configs: { region: "eu" } });
  expect(Object(await readTenant(emulator, id)).configs).toEqual(expected);
});
