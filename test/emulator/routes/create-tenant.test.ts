import { describe, expect, test } from "vitest";
import { call, createTenant, ids, readTenant, startEmulator } from "../running-emulator.ts";

describe("POST /v2/tenants", () => {
  test("creates an unconnected, paused tenant with the integration's defaults", async () => {
    const emulator = await startEmulator();
    const { status, body } = await call(emulator, "POST", "/v2/tenants", { name: "acme", integration_id: 101 });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: "acme",
      archived: false,
      integration_id: 101,
      configs: {},
      paused: true,
      user_schedule: null,
      schedule: null,
      source: "api",
      integration_release_id: 901,
      integration_release_channel: null,
      status: {
        last_run: {},
        current_run: {},
        last_successful_run: {},
        dynamic_configs: {},
        auth: {
          connected: false,
          connectors: [
            { name: "crm", status: "disconnected", last_change: null },
            { name: "billing", status: "disconnected", last_change: null },
          ],
        },
      },
    });
    expect(body).not.toHaveProperty("user_name");
  });

  test("shows the default schedule as the effective one, and resolves the default channel", async () => {
    const emulator = await startEmulator();
    const id = await createTenant(emulator, { integration_id: 102 });
    expect(await readTenant(emulator, id)).toMatchObject({
      user_schedule: null,
      schedule: "0 2 * * *",
      integration_release_channel: "Latest",
      integration_release_id: 912,
    });
  });

  test("stores the given values", async () => {
    const emulator = await startEmulator();
    const id = await createTenant(emulator, {
      user_schedule: "0 */6 * * *",
      integration_release_id: 902,
      configs: { region: "eu", extra: [1, { two: null }] },
    });
    expect(await readTenant(emulator, id)).toMatchObject({
      user_schedule: "0 */6 * * *",
      schedule: "0 */6 * * *",
      integration_release_id: 902,
      integration_release_channel: null,
      configs: { region: "eu", extra: [1, { two: null }], currency: "EUR" },
    });
  });

  test("resolves a channel to its current release", async () => {
    const emulator = await startEmulator();
    const id = await createTenant(emulator, { integration_release_channel: "Latest" });
    expect(await readTenant(emulator, id)).toMatchObject({ integration_release_id: 902 });
    await call(emulator, "POST", "/_emulator/integrations/101/releases", { id: 950, name: "v2" });
    expect(await readTenant(emulator, id)).toMatchObject({
      integration_release_id: 950,
      integration_release_channel: "Latest",
    });
  });

  test("allows two live tenants with one name", async () => {
    const emulator = await startEmulator();
    expect(await createTenant(emulator)).not.toBe(await createTenant(emulator));
  });

  test.each(["a", "a1-b", "0", "a--b", "x".repeat(64)])("accepts the name %s", async (name) => {
    const emulator = await startEmulator();
    expect((await call(emulator, "POST", "/v2/tenants", { name, integration_id: 101 })).status).toBe(200);
  });

  const wrongLetters = "must be lowercase letters, digits and '-', and neither start nor end with '-'";
  test.each(["", "-a", "a-", "-", "Acme", "a b", "a_b", "ä", "a\n"])("refuses the name %j", async (name) => {
    const emulator = await startEmulator();
    expect(await call(emulator, "POST", "/v2/tenants", { name, integration_id: 101 })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["body", "name"], msg: wrongLetters, type: "value_error" }] },
    });
  });

  test.each(["* * * * *", "0 */6 * * *", "15 2 1 * *", "0 9 * * MON-FRI"])("accepts the schedule %s", async (cron) => {
    const emulator = await startEmulator();
    const id = await createTenant(emulator, { user_schedule: cron });
    expect(await readTenant(emulator, id)).toMatchObject({ id, user_schedule: cron });
  });

  test.each([
    "",
    "@daily",
    "2026-07-01T06:00:00",
    "* * * *",
    "0 * * * * *",
    "61 * * * *",
    "* 25 * * *",
    "often",
    "* * * * * 2026",
    "0 0 * * FRI-MON",
    "0 22-4 * * *",
    "0 0 1 * +MON",
    "0 6 31 2 *",
    "0\u00a06 * * *",
  ])("refuses the schedule %j", async (cron) => {
    const emulator = await startEmulator();
    const body = { name: "acme", integration_id: 101, user_schedule: cron };
    expect(await call(emulator, "POST", "/v2/tenants", body)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["body", "user_schedule"] }] },
    });
  });

  test.each([
    ["no name", { integration_id: 101 }, ["body", "name"], "missing"],
    ["no integration", { name: "acme" }, ["body", "integration_id"], "missing"],
    ["a name of another type", { name: 7, integration_id: 101 }, ["body", "name"], "string_type"],
    [
      "a name that is an object with a length",
      { name: { length: { toString: "" } }, integration_id: 101 },
      ["body", "name"],
      "string_type",
    ],
    ["an unknown integration", { name: "acme", integration_id: 999 }, ["body", "integration_id"], "value_error"],
    [
      "configs that are no object",
      { name: "acme", integration_id: 101, configs: [] },
      ["body", "configs"],
      "record_type",
    ],
    [
      "another integration's release",
      { name: "acme", integration_id: 101, integration_release_id: 911 },
      ["body", "integration_release_id"],
      "value_error",
    ],
    [
      "an unknown channel",
      { name: "acme", integration_id: 101, integration_release_channel: "Canary" },
      ["body", "integration_release_channel"],
      "enum",
    ],
    [
      "both a release and a channel",
      { name: "acme", integration_id: 101, integration_release_id: 901, integration_release_channel: "Latest" },
      ["body", "integration_release_channel"],
      "value_error",
    ],
  ])("refuses %s", async (_what, request, loc, type) => {
    const emulator = await startEmulator();
    const answer = await call(emulator, "POST", "/v2/tenants", request);
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc, type }] } });
    expect((await call(emulator, "GET", "/v2/tenants")).body).toEqual([]);
  });

  test.each([
    ["an enum", 101, { region: "moon" }, ["region"]],
    ["a type", 101, { batch_size: "10" }, ["batch_size"]],
    ["a range", 101, { batch_size: 1001 }, ["batch_size"]],
    ["a nested value", 101, { mapping: { "a/b": 1 } }, ["mapping", "a/b"]],
    ["an unknown key of a closed schema", 102, { colour: "red" }, ["colour"]],
    ["a required key", 103, {}, ["company_id"]],
  ])("checks configs against the release's schema: %s", async (_what, integration_id, configs, path) => {
    const emulator = await startEmulator();
    const answer = await call(emulator, "POST", "/v2/tenants", { name: "acme", integration_id, configs });
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "configs", ...path] }] } });
  });

  test("lists every problem at once, with indices as numbers", async () => {
    const seed = {
      integrations: [
        {
          id: 1,
          name: "strict",
          default_release_id: 2,
          releases: [
            {
              id: 2,
              name: "v1",
              config_schema: {
                properties: { list: { items: { type: "string" } }, on: { type: "boolean" } },
              },
            },
          ],
        },
      ],
    };
    const emulator = await startEmulator({ seed });
    const body = { name: "acme", integration_id: 1, configs: { list: ["a", 2], on: "yes" } };
    expect(await call(emulator, "POST", "/v2/tenants", body)).toMatchObject({
      body: { detail: [{ loc: ["body", "configs", "list", 1] }, { loc: ["body", "configs", "on"] }] },
    });
  });

  test("refuses a long string without an end", async () => {
    const emulator = await startEmulator();
    const sent = `{"name":"${'\\"'.repeat(400_000)}`;
    expect((await call(emulator, "POST", "/v2/tenants", sent)).status).toBe(422);
  });

  test.each(["1.0", "1e2", "9007199254740993"])("refuses configs that are the number %s", async (number) => {
    const emulator = await startEmulator();
    const sent = `{"name":"acme","integration_id":101,"configs":${number}}`;
    expect(await call(emulator, "POST", "/v2/tenants", sent)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["body", "configs"] }] },
    });
  });

  test.each([
    "http://json-schema.org/draft-06/schema#",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
  ])("checks configs against schemas of the draft %s", async ($schema) => {
    const region = { type: "string", default: "eu" };
    const config_schema = { $schema, properties: { region }, additionalProperties: false };
    const release = { id: 2, name: "v1", config_schema };
    const emulator = await startEmulator({
      seed: { integrations: [{ id: 1, name: "one", default_release_id: 2, releases: [release] }] },
      variants: { schemaDefaults: "fill" },
    });
    const create = (configs: object) =>
      call(emulator, "POST", "/v2/tenants", { name: "acme", integration_id: 1, configs });
    expect((await create({ region: 5 })).status).toBe(422);
    expect((await create({ colour: "red" })).status).toBe(422);
    expect(await create({})).toMatchObject({ status: 200, body: { configs: { region: "eu" } } });
  });

  test.each([
    { properties: { a: { $ref: "https://elsewhere.example/schema.json" } } },
    { $async: true, properties: { a: { type: "string" } } },
  ])("accepts every config under a schema that cannot be compiled: %j", async (config_schema) => {
    const emulator = await startEmulator({
      seed: {
        integrations: [{ id: 1, name: "odd", default_release_id: 2, releases: [{ id: 2, name: "v1", config_schema }] }],
      },
    });
    const id = await createTenant(emulator, { integration_id: 1, configs: { a: 1 } });
    expect(ids((await call(emulator, "GET", "/v2/tenants")).body)).toEqual([id]);
  });
});
