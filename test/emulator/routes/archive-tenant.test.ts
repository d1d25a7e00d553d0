import { describe, expect, test } from "vitest";
import { call, createTenant, ids, startEmulator } from "../running-emulator.ts";

describe("DELETE /v2/tenants/{tenant_id}", () => {
  test("archives the tenant, which only lists with archived=true show", async () => {
    const emulator = await startEmulator();
    const id = await createTenant(emulator);
    const other = await createTenant(emulator, { name: "globex" });
    expect(await call(emulator, "DELETE", `/v2/tenants/${id}`)).toMatchObject({
      status: 200,
      body: { id, archived: true },
    });
    expect(ids((await call(emulator, "GET", "/v2/tenants")).body)).toEqual([other]);
    const { body } = await call(emulator, "GET", "/v2/tenants?archived=true");
    expect(body).toMatchObject([{ id, archived: true }]);
  });

  test.each([
    ["PATCH", ""],
    ["DELETE", ""],
    ["GET", "/release"],
    ["GET", "/metadata"],
    ["PATCH", "/metadata"],
  ])("makes %s {tenant}%s answer 404", async (method, path) => {
    const emulator = await startEmulator();
    const id = await createTenant(emulator);
    await call(emulator, "DELETE", `/v2/tenants/${id}`);
    const body = method === "PATCH" ? {} : undefined;
    expect(await call(emulator, method, `/v2/tenants/${id}${path}`, body)).toMatchObject({
      status: 404,
      body: { message: `Tenant ${id} not found` },
    });
  });

  test("answers 404 for an unknown tenant, and 422 for an id that is not a number", async () => {
    const emulator = await startEmulator();
    expect((await call(emulator, "DELETE", "/v2/tenants/1")).status).toBe(404);
    expect((await call(emulator, "DELETE", "/v2/tenants/1.5")).status).toBe(422);
  });

  test("does not reuse the id", async () => {
    const emulator = await startEmulator();
    const id = await createTenant(emulator);
    await call(emulator, "DELETE", `/v2/tenants/${id}`);
    expect(await createTenant(emulator)).not.toBe(id);
  });
});
