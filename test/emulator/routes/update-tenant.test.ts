import { describe, expect, test } from "vitest";
import { call, createTenant, readTenant, startEmulator } from "../running-emulator.ts";

describe("PATCH /v2/tenants/{tenant_id}", () => {
  test("changes the given fields only", async () => {
    const emulator = await startEmulator();
    const id = await createTenant(emulator, { configs: { region: "eu" }, user_schedule: "0 1 * * *" });
    const { status, body } = await call(emulator, "PATCH", `/v2/tenants/${id}`, { paused: false });
    expect(status).toBe(200);
    const expected = { id, name: "acme", paused: false, configs: { region: "eu" }, user_schedule: "0 1 * * *" };
    expect(body).toMatchObject(expected);
    expect(await readTenant(emulator, id)).toMatchObject(expected);
  });

  test("renames, sets and clears the schedule", async () => {
    const emulator = await startEmulator();
    const id = await createTenant(emulator, { integration_id: 102 });
    await call(emulator, "PATCH", `/v2/tenants/${id}`, { name: "globex", user_schedule: "5 5 * * *" });
    expect(await readTenant(emulator, id)).toMatchObject({
      name: "globex",
      user_schedule: "5 5 * * *",
      schedule: "5 5 * * *",
    });
    await call(emulator, "PATCH", `/v2/tenants/${id}`, { user_schedule: null });
    expect(await readTenant(emulator, id)).toMatchObject({ user_schedule: null, schedule: "0 2 * * *" });
  });

  test.each([
    [{ integration_release_id: 901 }, 901, null],
    [{ integration_release_id: 901, integration_release_channel: null }, 901, null],
    [{ integration_release_channel: "Default" }, 901, "Default"],
    [{ integration_release_channel: "Default", integration_release_id: null }, 901, "Default"],
    [{ integration_release_channel: null }, 902, null],
    [{ integration_release_id: null }, 902, "Latest"],
    [{ integration_release_id: null, integration_release_channel: null }, null, null],
  ])("moves a tenant on channel Latest by %j", async (patch, id, channel) => {
    const emulator = await startEmulator();
    const tenantId = await createTenant(emulator, { integration_release_channel: "Latest" });
    expect((await call(emulator, "PATCH", `/v2/tenants/${tenantId}`, patch)).status).toBe(200);
    expect(await readTenant(emulator, tenantId)).toMatchObject({
      integration_release_id: id,
      integration_release_channel: channel,
    });
  });

  test("checks the configs against the release that the tenant will run", async () => {
    const emulator = await startEmulator();
    const id = await createTenant(emulator);
    const patch = { integration_release_id: 902, configs: { currency: 7 } };
    expect(await call(emulator, "PATCH", `/v2/tenants/${id}`, patch)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["body", "configs", "currency"] }] },
    });
    expect(await readTenant(emulator, id)).toMatchObject({ integration_release_id: 901, configs: {} });
  });

  test("checks the current configs when only the release changes", async () => {
    const emulator = await startEmulator();
    const id = await createTenant(emulator, { configs: { currency: 7 } });
    expect((await call(emulator, "PATCH", `/v2/tenants/${id}`, { integration_release_id: 902 })).status).toBe(422);
    expect((await call(emulator, "PATCH", `/v2/tenants/${id}`, { paused: false })).status).toBe(200);
  });

  test("ignores unknown fields, and those that cannot be set", async () => {
    const emulator = await startEmulator();
    const id = await createTenant(emulator);
    const patch = { colour: "red", archived: true, source: "me", id: 1, integration_id: 102 };
    expect((await call(emulator, "PATCH", `/v2/tenants/${id}`, patch)).status).toBe(200);
    expect(await readTenant(emulator, id)).toMatchObject({ id, archived: false, source: "api", integration_id: 101 });
    expect(await readTenant(emulator, id)).not.toHaveProperty("colour");
  });

  test.each([
    [{ name: "No" }, "name"],
    [{ name: null }, "name"],
    [{ user_schedule: "often" }, "user_schedule"],
    [{ paused: "yes" }, "paused"],
    [{ configs: null }, "configs"],
    [{ configs: { region: "moon" } }, "configs"],
    [{ integration_release_id: 911 }, "integration_release_id"],
    [{ integration_release_id: 901, integration_release_channel: "Latest" }, "integration_release_channel"],
  ])("refuses %j", async (patch, field) => {
    const emulator = await startEmulator();
    const id = await createTenant(emulator);
    const before = await readTenant(emulator, id);
    const answer = await call(emulator, "PATCH", `/v2/tenants/${id}`, patch);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ detail: [{ loc: expect.arrayContaining(["body", field]) }] });
    expect(await readTenant(emulator, id)).toEqual(before);
  });

  const notObject = { loc: ["body"], msg: "Input should be an object", type: "dict_type" };
  test.each([
    ["[]", notObject],
    ["null", notObject],
    ["{", { loc: ["body", 0], msg: "JSON decode error", type: "json_invalid" }],
    ["", { loc: ["body"], msg: "Field required", type: "missing" }],
    ["7", notObject],
    ['"text"', notObject],
  ])("refuses the body %j", async (text, refusal) => {
    const emulator = await startEmulator();
    const id = await createTenant(emulator);
    expect(await call(emulator, "PATCH", `/v2/tenants/${id}`, text)).toMatchObject({
      status: 422,
      body: { detail: [refusal] },
    });
  });

  test("keeps keys that are special in JavaScript as plain keys", async () => {
    const emulator = await startEmulator({ variants: { configs: "merge-patch" } });
    const id = await createTenant(emulator);
    const text = '{"configs": {"constructor": {"a": 1}, "toString": "x"}}';
    expect((await call(emulator, "PATCH", `/v2/tenants/${id}`, text)).status).toBe(200);
    expect(await readTenant(emulator, id)).toMatchObject({ configs: { constructor: { a: 1 }, toString: "x" } });
  });

  test("answers 404 for an unknown tenant, and 422 for an id that is not a number", async () => {
    const emulator = await startEmulator();
    expect(await call(emulator, "PATCH", "/v2/tenants/1", {})).toMatchObject({
      status: 404,
      body: { message: "Tenant 1 not found" },
    });
    expect(await call(emulator, "PATCH", "/v2/tenants/acme", {})).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["path", "tenant_id"] }] },
    });
  });
});

describe("GET /v2/tenants/{tenant_id}/release", () => {
  test("gives the release that the tenant runs", async () => {
    const emulator = await startEmulator();
    const id = await createTenant(emulator, { integration_release_channel: "Latest" });
    expect(await call(emulator, "GET", `/v2/tenants/${id}/release`)).toMatchObject({ status: 200, body: { id: 902 } });
  });

  test("is 404 for a tenant that has none, or is unknown", async () => {
    const emulator = await startEmulator({ seed: { integrations: [{ id: 1, name: "bare" }] } });
    const id = await createTenant(emulator, { integration_id: 1 });
    expect((await call(emulator, "GET", `/v2/tenants/${id}/release`)).status).toBe(404);
    expect((await call(emulator, "GET", "/v2/tenants/1/release")).status).toBe(404);
    expect((await call(emulator, "GET", "/v2/tenants/x/release")).status).toBe(422);
  });
});
