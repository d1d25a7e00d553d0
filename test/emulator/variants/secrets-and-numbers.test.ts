import { expect, test } from "vitest";
import { call, createTenant, ids, numberAt, readTenant, startEmulator } from "../running-emulator.ts";
import { forEachValue } from "./for-each-value.ts";

forEachValue(
  "maskedConfigs",
  {
    no: { token: "s3cret-token", open: "a" },
    yes: { token: "***", open: "a" },
    "left-out": { open: "a" },
    null: { token: null, open: "a" },
    other: { token: "value is set", open: "a" },
  },
  async (variants, shown) => {
    const schema = { properties: { token: { type: "string", format: "password" } } };
    const release = { id: 2, name: "v1", config_schema: schema, metadata_schema: schema };
    const seed = { integrations: [{ id: 1, name: "one", default_release_id: 2, releases: [release] }] };
    const emulator = await startEmulator({ seed, variants });
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
  },
);

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
] as const)("maskedConfigs=%s: secrets in every place of a schema", async (maskedConfigs, expected) => {
  const emulator = await startEmulator({ seed, variants: { maskedConfigs } });
  const created = await call(emulator, "POST", "/v2/tenants", { name: "acme", integration_id: 1, configs });
  expect(created.body).toMatchObject({ configs: expected });
  const { body } = await call(emulator, "GET", "/v2/tenants");
  expect(body).toMatchObject([{ configs: expected }]);
  const patched = await call(emulator, "PATCH", `/v2/tenants/${ids(body)[0]}`, { paused: false });
  expect(patched.body).toMatchObject({ configs: expected });
  expect((await call(emulator, "GET", `/_emulator/tenants/${ids(body)[0]}`)).body).toMatchObject({ configs });
});

const oddNumbers = '{"big":9007199254740993,"huge":1e400,"price":1.10,"list":[{"deep":-0}]}';
const roundedOddNumbers = '{"big":9007199254740992,"huge":null,"price":1.1,"list":[{"deep":0}]}';
forEachValue(
  "numbers",
  {
    kept: { shown: oddNumbers, stored: oddNumbers },
    rounded: { shown: roundedOddNumbers, stored: roundedOddNumbers },
    strings: {
      shown: '{"big":"9007199254740993","huge":"1e400","price":"1.10","list":[{"deep":"-0"}]}',
      stored: oddNumbers,
    },
  },
  async (variants, { shown, stored }) => {
    const emulator = await startEmulator({ variants });
    const id = await createTenant(emulator);
    const headers = { "x-api-key": emulator.apiKey, "content-type": "application/json" };
    const exchange = async (method: string, path: string, body?: string) =>
      (await fetch(`${emulator.url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) })).text();
    expect(await exchange("PATCH", `/v2/tenants/${id}`, `{"configs":${oddNumbers}}`)).toContain(`"configs":${shown}`);
    expect(await exchange("GET", "/v2/tenants")).toContain(`"configs":${shown}`);
    expect(await exchange("PATCH", `/v2/tenants/${id}/metadata`, oddNumbers)).toContain(`"data":${shown}`);
    expect(await exchange("GET", `/v2/tenants/${id}/metadata`)).toContain(`"data":${shown}`);
    expect(await exchange("PATCH", `/v2/tenants/${id}`, '{"paused":false}')).toContain(`"configs":${shown}`);
    expect(await exchange("GET", `/_emulator/tenants/${id}`)).toContain(`"metadata":${stored}`);
    await exchange("PATCH", `/_emulator/tenants/${id}`, `{"configs":${oddNumbers}}`);
    expect(await exchange("GET", `/_emulator/tenants/${id}`)).toContain(`"configs":${oddNumbers}`);
  },
);

test("the secrets of an asynchronous schema are masked too", async () => {
  const asynchronous = { $async: true, properties: { token: { type: "string", format: "password" } } };
  const releases = [{ id: 2, name: "v1", config_schema: asynchronous }];
  const integrations = [{ id: 1, name: "one", default_release_id: 2, releases }];
  const emulator = await startEmulator({ seed: { integrations }, variants: { maskedConfigs: "yes" } });
  const { body } = await call(emulator, "POST", "/v2/tenants", {
    name: "acme",
    integration_id: 1,
    configs: { token: 5 },
  });
  expect(body).toMatchObject({ configs: { token: "***" } });
});
