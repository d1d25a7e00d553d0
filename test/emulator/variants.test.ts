import { describe, expect, test } from "vitest";
import { defaultVariants, variantValues } from "../../src/emulator/index.ts";
import { call, createTenant, ids, numberAt, readTenant, startEmulator, startManual } from "./running-emulator.ts";

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
  ["ignore", 200],
] as const)("sorting: %s", async (sorting, status) => {
  const emulator = await startEmulator({ variants: { sorting } });
  expect((await call(emulator, "GET", "/v2/tenants?sort_by=id__ASC")).status).toBe(status);
  expect((await call(emulator, "GET", "/v2/integrations?sort_by=id__ASC")).status).toBe(status);
  expect((await call(emulator, "GET", "/v2/tenants")).status).toBe(200);
});

test("sorting: ignore lists the last modified first, whatever is asked for", async () => {
  const emulator = await startManual({ variants: { sorting: "ignore" } });
  const made: number[] = [];
  for (const name of ["a", "b", "c"]) {
    made.push(await createTenant(emulator, { name }));
    await emulator.advance({ seconds: 1 });
  }
  await call(emulator, "PATCH", `/v2/tenants/${made[0]}`, { user_schedule: "0 1 * * *" });
  for (const query of ["", "?sort_by=id__ASC", "?sort_by=name__DESC"]) {
    expect(ids((await call(emulator, "GET", `/v2/tenants${query}`)).body)).toEqual([made[0], made[2], made[1]]);
  }
});

test.each([
  ["asked", [50, 50, 20]],
  ["capped", [37, 37, 20]],
] as const)("pageSize: %s", async (pageSize, sizes) => {
  const seed = {
    integrations: [{ id: 1, name: "one" }],
    tenants: Array.from({ length: 100 }, (_, index) => ({ integration: 1, name: `t-${index}` })),
  };
  const emulator = await startEmulator({ seed, variants: { pageSize } });
  for (const [index, query] of ["limit=50", "limit=50&skip=50", "limit=20&skip=0"].entries()) {
    expect(ids((await call(emulator, "GET", `/v2/tenants?${query}`)).body)).toHaveLength(sizes[index] ?? 0);
  }
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
    const id = await createTenant(emulator);
    expect(await readTenant(emulator, id)).toMatchObject({ id, name: "acme" });
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

test("visibility: lagging: writes show in reads after as many seconds as set", async () => {
  const emulator = await startManual({ variants: { visibility: "lagging" }, lagSeconds: 3 });
  const names = async () => {
    const { body } = await call(emulator, "GET", "/v2/tenants");
    return Array.isArray(body) ? body.map((tenant) => Object(tenant).name) : body;
  };
  const id = await createTenant(emulator);
  await emulator.advance({ seconds: 2 });
  expect(await names()).toEqual([]);
  await emulator.advance({ seconds: 1 });
  expect(await names()).toEqual(["acme"]);

  emulator.setLag({ seconds: 8 });
  expect((await call(emulator, "GET", "/_emulator/lag")).body).toEqual({ seconds: 8 });
  await call(emulator, "PATCH", "/_emulator/lag", { seconds: 5 });
  await call(emulator, "PATCH", `/v2/tenants/${id}`, { name: "globex" });
  await emulator.advance({ seconds: 4 });
  expect(await names()).toEqual(["acme"]);
  await emulator.advance({ seconds: 1 });
  expect(await names()).toEqual(["globex"]);
});

describe("names", () => {
  test("free", async () => {
    const emulator = await startEmulator();
    const made = [await createTenant(emulator), await createTenant(emulator)];
    expect(ids((await call(emulator, "GET", "/v2/tenants")).body)).toEqual(made);
  });
  test("unique among the live tenants of an integration", async () => {
    const emulator = await startEmulator({ variants: { names: "unique" } });
    const id = await createTenant(emulator);
    const other = await createTenant(emulator, { name: "globex" });
    const refusal = { status: 422, body: { detail: [{ loc: ["body", "name"] }] } };
    expect(await call(emulator, "POST", "/v2/tenants", { name: "acme", integration_id: 101 })).toMatchObject(refusal);
    expect(await call(emulator, "PATCH", `/v2/tenants/${other}`, { name: "acme" })).toMatchObject(refusal);
    expect((await call(emulator, "PATCH", `/v2/tenants/${id}`, { name: "acme" })).status).toBe(200);
    const elsewhere = await createTenant(emulator, { integration_id: 102 });
    await call(emulator, "DELETE", `/v2/tenants/${id}`);
    const again = await createTenant(emulator);
    expect(ids((await call(emulator, "GET", "/v2/tenants")).body)).toEqual([other, elsewhere, again]);
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

describe("defaults", () => {
  test("present", async () => {
    const emulator = await startEmulator();
    const id = await createTenant(emulator);
    expect(await readTenant(emulator, id)).toMatchObject({ archived: false, configs: {}, paused: true, source: "api" });
  });

  test("absent: whatever holds null or what the specification says of absent fields", async () => {
    const emulator = await startEmulator({ variants: { defaults: "absent" } });
    const id = await createTenant(emulator);
    const connectors = [
      { name: "crm", status: "disconnected" },
      { name: "billing", status: "disconnected" },
    ];
    expect(await readTenant(emulator, id)).toEqual({
      id,
      name: "acme",
      integration_id: 101,
      created_date: expect.any(String),
      modified_date: expect.any(String),
      integration_release_id: 901,
      status: { auth: { connectors } },
    });
    expect((await call(emulator, "GET", `/v2/tenants/${id}/metadata`)).body).toEqual({ tenant_id: id });
    await call(emulator, "PATCH", `/v2/tenants/${id}`, { paused: false, configs: { region: "eu" } });
    expect(await readTenant(emulator, id)).toMatchObject({ paused: false, configs: { region: "eu" } });
    const { body } = await call(emulator, "GET", "/v2/integrations/102");
    expect(Object.keys(Object(body))).not.toContain("tags");
    expect(body).toMatchObject({ categories: [{ name: "Commerce" }] });
  });
});

describe("nullStrings", () => {
  const seed = { integrations: [{ id: 1, name: "one", releases: [{ id: 2, name: "v1" }] }] };

  test("null", async () => {
    const emulator = await startEmulator({ seed });
    const id = await createTenant(emulator, { integration_id: 1 });
    expect(await readTenant(emulator, id)).toMatchObject({ user_schedule: null, integration_release_channel: null });
    expect((await call(emulator, "GET", "/v2/integrations/1/releases")).body).toMatchObject([{ tag: null }]);
  });

  test("empty: strings only, and none that has a value", async () => {
    const emulator = await startEmulator({ seed, variants: { nullStrings: "empty" } });
    const id = await createTenant(emulator, { integration_id: 1, configs: { tag: null } });
    const empty = { user_schedule: "", schedule: "", integration_release_channel: "", integration_release_id: null };
    expect(await readTenant(emulator, id)).toMatchObject({ ...empty, configs: { tag: null } });
    expect((await call(emulator, "GET", "/v2/integrations/1/releases")).body).toMatchObject([{ tag: "" }]);
    await call(emulator, "PATCH", `/v2/tenants/${id}`, { user_schedule: "0 1 * * *" });
    expect(await readTenant(emulator, id)).toMatchObject({ user_schedule: "0 1 * * *" });
  });
});

describe("absentField", () => {
  const pathsOf = (value: unknown, path = ""): string[] =>
    typeof value !== "object" || value === null
      ? [path]
      : Object.entries(value).flatMap(([key, inner]) => [`${path}.${key}`, ...pathsOf(inner, `${path}.${key}`)]);

  test.each([
    ["none", []],
    ["archived", [".archived"]],
    ["integration_id", [".integration_id"]],
    ["dates", [".created_date", ".modified_date"]],
    ["user_schedule", [".user_schedule"]],
    ["schedule", [".schedule"]],
    ["integration_release_id", [".integration_release_id"]],
    ["integration_release_channel", [".integration_release_channel"]],
    ["release", [".integration_release_id", ".integration_release_channel"]],
    ["status", [".status"]],
    ["auth", [".status.auth"]],
    ["connected", [".status.auth.connected"]],
    ["last_change", [".status.auth.connectors.0.last_change", ".status.auth.connectors.1.last_change"]],
  ] as const)("%s: from lists and from what writes answer", async (absentField, absent) => {
    const emulator = await startEmulator({ variants: { absentField } });
    const body = { name: "acme", integration_id: 101, user_schedule: "0 1 * * *" };
    const { body: created } = await call(emulator, "POST", "/v2/tenants", body);
    const [id] = ids([created]);
    const { body: patched } = await call(emulator, "PATCH", `/v2/tenants/${id}`, { paused: false });
    const all = new Set(pathsOf((await call(emulator, "GET", `/_emulator/tenants/${id}`)).body));
    for (const shown of [created, patched, (await call(emulator, "GET", "/v2/tenants")).body]) {
      const paths = new Set(pathsOf([shown].flat()[0]));
      for (const path of absent) expect(paths).not.toContain(path);
      const isUnder = (path: string) => absent.some((start) => path === start || path.startsWith(`${start}.`));
      const isHidden = (path: string) => [".user_name", ".metadata"].includes(path);
      expect([...all].filter((path) => path !== "" && !isUnder(path) && !isHidden(path) && !paths.has(path))).toEqual(
        [],
      );
    }
  });
});

test.each([
  ["plain", "connected", "disconnected"],
  ["capitalized", "Connected", "Not-Connected"],
  ["linked", "linked", "unlinked"],
  ["terse", "OK", "NONE"],
] as const)("connectionWords: %s", async (connectionWords, connected, disconnected) => {
  const emulator = await startEmulator({ variants: { connectionWords } });
  const id = await createTenant(emulator);
  await call(emulator, "POST", `/_emulator/tenants/${id}/connectors/crm`, { status: "connected" });
  const statuses = async () => Object(await readTenant(emulator, id)).status.auth.connectors;
  expect(await statuses()).toMatchObject([
    { name: "crm", status: connected },
    { name: "billing", status: disconnected },
  ]);
  const { body } = await call(emulator, "PATCH", `/v2/tenants/${id}/connectors/crm/disconnect`);
  expect(body).toMatchObject({ name: "crm", status: disconnected });
  await call(emulator, "POST", `/_emulator/tenants/${id}/connectors/crm`, { status: "expired" });
  expect(await statuses()).toMatchObject([{ status: "expired" }, {}]);
});

test.each([
  ["listed", 2],
  ["none", 0],
] as const)("authConnectors: %s", async (authConnectors, count) => {
  const emulator = await startEmulator({ variants: { authConnectors } });
  const id = await createTenant(emulator);
  const { auth } = Object(await readTenant(emulator, id)).status;
  expect(auth).toMatchObject({ connected: false });
  expect(auth.connectors).toHaveLength(count);
});
describe("refusals", () => {
  const configs = { region: "eu", note: 'a "b" & c', deep: [{ pin: 1234 }] };
  const refused = { name: "Not A Name", integration_id: 101, configs };
  test.each([
    ["plain", ""],
    ["repeat", '; the request was Not A Name, 101, eu, a "b" & c, 1234'],
    ["repeat-json", `; the request was ${JSON.stringify(refused)}`],
    ["repeat-url", "; the request was Not%20A%20Name&101&eu&a%20%22b%22%20%26%20c&1234"],
  ] as const)("%s", async (refusals, suffix) => {
    const emulator = await startEmulator();
    const { body: plain } = await call(emulator, "POST", "/v2/tenants", refused);
    emulator.setVariants({ refusals });
    const { status, body } = await call(emulator, "POST", "/v2/tenants", refused);
    expect(status).toBe(422);
    expect(Object(body).detail[0].msg).toBe(Object(plain).detail[0].msg + suffix);
  });

  test("repeat in the message of a refused build", async () => {
    const emulator = await startEmulator({ variants: { refusals: "repeat" } });
    const sent = { tag: "v9", integration_id: 999 };
    const { status, body } = await call(emulator, "POST", "/v2/sourcecontrol/build", sent);
    expect([status, Object(body).message]).toEqual([422, expect.stringMatching(/; the request was v9, 999$/)]);
  });
});
