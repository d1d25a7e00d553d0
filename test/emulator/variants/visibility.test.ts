import { expect, test } from "vitest";
import { call, createTenant, ids, readTenant, startEmulator, startManual } from "../running-emulator.ts";
import { forEachValue } from "./for-each-value.ts";

forEachValue("visibility", { immediate: 0, delayed: 0.3, lagging: 6 }, async (variants, seconds) => {
  const emulator = await startManual({ variants });
  const id = await createTenant(emulator);
  if (seconds > 0) {
    await emulator.advance({ seconds: seconds - 0.001 });
    expect(await readTenant(emulator, id)).toBeUndefined();
    await emulator.advance({ seconds: 0.001 });
  }
  expect(await readTenant(emulator, id)).toMatchObject({ id, name: "acme" });
});

test("visibility=delayed: every read shows a write after 300 ms", async () => {
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

test("visibility=lagging: reads show a write after lagSeconds", async () => {
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
