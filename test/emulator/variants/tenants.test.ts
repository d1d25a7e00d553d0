import { describe, expect, test } from "vitest";
import type { Emulator } from "../../../src/emulator/index.ts";
import { call, createTenant, ids, numberAt, readTenant, startEmulator } from "../running-emulator.ts";
import { forEachValue } from "./for-each-value.ts";

forEachValue(
  "configs",
  {
    replace: { mapping: { a: "9" }, extra: null },
    merge: { region: "eu", mapping: { a: "9" }, extra: null },
    "merge-patch": { region: "eu", mapping: { a: "9", b: "2" } },
  },
  async (variants, expected) => {
    const emulator = await startEmulator({ variants });
    const id = await createTenant(emulator, { configs: { region: "eu", mapping: { a: "1", b: "2" }, extra: 1 } });
    await call(emulator, "PATCH", `/v2/tenants/${id}`, { configs: { mapping: { a: "9" }, extra: null } });
    expect(Object(await readTenant(emulator, id)).configs).toEqual(expected);
  },
);

forEachValue(
  "metadata",
  {
    merge: { plan: "gold", deep: { b: 2 }, extra: null },
    replace: { deep: { b: 2 }, extra: null },
    "merge-patch": { plan: "gold", deep: { a: 1, b: 2 } },
  },
  async (variants, expected) => {
    const emulator = await startEmulator({ variants });
    const id = await createTenant(emulator);
    await call(emulator, "PATCH", `/v2/tenants/${id}/metadata`, { plan: "gold", deep: { a: 1 }, extra: 1 });
    const { body } = await call(emulator, "PATCH", `/v2/tenants/${id}/metadata`, { deep: { b: 2 }, extra: null });
    expect(Object(body).data).toEqual(expected);
  },
);

forEachValue("metadataWhenNone", { empty: 200, missing: 404 }, async (variants, status) => {
  const emulator = await startEmulator({ variants });
  const id = await createTenant(emulator);
  const read = () => call(emulator, "GET", `/v2/tenants/${id}/metadata`);
  expect((await read()).status).toBe(status);
  await call(emulator, "PATCH", `/v2/tenants/${id}/metadata`, {});
  expect(await read()).toMatchObject({ status: 200, body: { data: {} } });
});

forEachValue(
  "patchAnswer",
  {
    object: expect.objectContaining({ name: "globex", configs: { note: "eu" } }),
    echoed: expect.objectContaining({ name: "globex", configs: { note: " eu" } }),
    nothing: {},
    empty: "",
  },
  async (variants, body) => {
    const emulator = await startEmulator({ variants: { ...variants, textForm: "trimmed" } });
    const id = await createTenant(emulator);
    const sent = { name: "globex", configs: { note: " eu" } };
    expect(await call(emulator, "PATCH", `/v2/tenants/${id}`, sent)).toMatchObject({ status: 200, body });
    expect(await readTenant(emulator, id)).toMatchObject({ name: "globex", configs: { note: "eu" } });
  },
);

test("patchAnswer=echoed: a PATCH of metadata answers with what it was sent", async () => {
  const emulator = await startEmulator({ variants: { patchAnswer: "echoed", textForm: "trimmed" } });
  const id = await createTenant(emulator);
  await call(emulator, "PATCH", `/v2/tenants/${id}/metadata`, { plan: " gold" });
  const { body } = await call(emulator, "PATCH", `/v2/tenants/${id}/metadata`, { tier: " one" });
  expect(body).toMatchObject({ data: { plan: "gold", tier: " one" } });
});

forEachValue(
  "pausedUnconnected",
  {
    accepted: { status: 200, paused: false },
    refused: { status: 422, paused: true },
    ignored: { status: 200, paused: true },
  },
  async (variants, { status, paused }) => {
    const emulator = await startEmulator({ variants });
    const id = await createTenant(emulator);
    const resume = () => call(emulator, "PATCH", `/v2/tenants/${id}`, { paused: false });
    expect(await resume()).toMatchObject({ status });
    expect(await readTenant(emulator, id)).toMatchObject({ paused });
    for (const name of ["crm", "billing"]) {
      await call(emulator, "POST", `/_emulator/tenants/${id}/connectors/${name}`, { status: "connected" });
    }
    expect(await resume()).toMatchObject({ status: 200 });
    expect(await readTenant(emulator, id)).toMatchObject({ paused: false });
  },
);

forEachValue("releaseAndChannel", { accept: 200, refuse: 422 }, async (variants, status) => {
  const emulator = await startEmulator({ variants });
  const id = await createTenant(emulator);
  const patch = (body: object) => call(emulator, "PATCH", `/v2/tenants/${id}`, body);
  expect((await patch({ integration_release_id: 902, integration_release_channel: null })).status).toBe(status);
  expect((await patch({ integration_release_id: null, integration_release_channel: "Latest" })).status).toBe(status);
  expect((await patch({ integration_release_id: 902 })).status).toBe(200);
  expect((await patch({ integration_release_channel: "Latest" })).status).toBe(200);
});

forEachValue("names", { free: 200, unique: 422 }, async (variants, status) => {
  const emulator = await startEmulator({ variants });
  const first = await createTenant(emulator);
  const second = await call(emulator, "POST", "/v2/tenants", { name: "acme", integration_id: 101 });
  expect(second.status).toBe(status);
  const made = status === 200 ? [first, numberAt(second.body, "id")] : [first];
  expect(ids((await call(emulator, "GET", "/v2/tenants")).body)).toEqual(made);
});

test("names=unique: names are unique among the live tenants of an integration", async () => {
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

forEachValue(
  "schemaDefaults",
  { fill: { region: "eu", currency: "EUR" }, leave: { region: "eu" } },
  async (variants, expected) => {
    const emulator = await startEmulator({ variants });
    const id = await createTenant(emulator, { integration_release_id: 902, configs: { region: "eu" } });
    expect(Object(await readTenant(emulator, id)).configs).toEqual(expected);
  },
);

describe("the schemas of a release in a wrapper", () => {
  const choice = { $ref: "#/definitions/accounts", type: "number" };
  const schema = {
    name: "configs",
    properties: {
      account: choice,
      lists: { items: choice },
      size: { type: "integer", min: 1 },
      at: { format: "time" },
    },
    required: ["account", "size"],
    definitions: { accounts: { oneOf: [{ title: "Placeholder", const: "placeholder" }] } },
  };
  const secret = { properties: { pin: { format: "password" } } };
  const seedOf = (config_schema: Record<string, unknown>) => ({
    integrations: [
      {
        id: 1,
        name: "ledger",
        default_release_id: 2,
        releases: [{ id: 2, name: "v1", config_schema, metadata_schema: { schema: secret, uischema: {} } }],
      },
    ],
  });
  const post = (emulator: Emulator, configs: object) =>
    call(emulator, "POST", "/v2/tenants", { name: "acme", integration_id: 1, configs });

  test.each([
    ["in a wrapper", { schema, uischema: { type: "VerticalLayout" } }],
    ["bare", schema],
  ])("the inner schema is enforced, with a format as a note: %s", async (_, config_schema) => {
    const emulator = await startEmulator({ seed: seedOf(config_schema), variants: { maskedConfigs: "yes" } });
    const wrong = await post(emulator, { account: "main", size: "1" });
    expect(wrong).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "configs", "size"] }] } });
    expect(await post(emulator, { account: "main" })).toMatchObject({ status: 422 });
    const { status, body } = await post(emulator, { account: "main", lists: ["a"], size: 0, at: "14:30" });
    expect(status).toBe(200);
    const path = `/v2/tenants/${numberAt(body, "id")}/metadata`;
    expect(await call(emulator, "PATCH", path, { pin: "1234" })).toMatchObject({ body: { data: { pin: "***" } } });
  });

  forEachValue("placeholders", { accept: 200, refuse: 422 }, async (variants, status) => {
    const emulator = await startEmulator({ seed: seedOf({ schema }), variants });
    expect(await post(emulator, { account: "main", size: 1 })).toMatchObject({ status });
    expect(await post(emulator, { size: 1 })).toMatchObject({ status });
  });
});
