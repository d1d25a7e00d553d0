import { describe, expect, test } from "vitest";
import { call, createTenant, startEmulator } from "../running-emulator.ts";

describe("tenant metadata", () => {
  test("is empty at first", async () => {
    const emulator = await startEmulator();
    const id = await createTenant(emulator);
    expect(await call(emulator, "GET", `/v2/tenants/${id}/metadata`)).toMatchObject({
      status: 200,
      body: { tenant_id: id, data: {}, created_date: null, modified_date: null },
    });
  });

  test("has the written values", async () => {
    const emulator = await startEmulator();
    const id = await createTenant(emulator);
    const written = await call(emulator, "PATCH", `/v2/tenants/${id}/metadata`, { plan: "gold", deep: { a: [1] } });
    expect(written).toMatchObject({ status: 200, body: { tenant_id: id, data: { plan: "gold", deep: { a: [1] } } } });
    expect((await call(emulator, "GET", `/v2/tenants/${id}/metadata`)).body).toEqual(written.body);
  });

  test("is checked as a whole against the release's schema", async () => {
    const emulator = await startEmulator();
    const id = await createTenant(emulator);
    await call(emulator, "PATCH", `/v2/tenants/${id}/metadata`, { plan: "gold" });
    expect(await call(emulator, "PATCH", `/v2/tenants/${id}/metadata`, { seats: "many" })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["body", "seats"], type: "type" }] },
    });
    const { body } = await call(emulator, "GET", `/v2/tenants/${id}/metadata`);
    expect(body).toMatchObject({ data: { plan: "gold" } });
  });

  test("refuses a body that is not an object", async () => {
    const emulator = await startEmulator();
    const id = await createTenant(emulator);
    expect((await call(emulator, "PATCH", `/v2/tenants/${id}/metadata`, "[]")).status).toBe(422);
    expect((await call(emulator, "PATCH", `/v2/tenants/${id}/metadata`, "{")).status).toBe(422);
  });

  test("is 404 for an unknown tenant, and 422 for an id that is not a number", async () => {
    const emulator = await startEmulator();
    expect((await call(emulator, "GET", "/v2/tenants/1/metadata")).status).toBe(404);
    expect((await call(emulator, "PATCH", "/v2/tenants/1/metadata", {})).status).toBe(404);
    expect((await call(emulator, "GET", "/v2/tenants/x/metadata")).status).toBe(422);
  });
});
