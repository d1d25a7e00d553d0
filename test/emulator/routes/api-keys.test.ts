import { expect, test } from "vitest";
import type { Emulator } from "../../../src/emulator/index.ts";
import { call, startEmulator, startManual } from "../running-emulator.ts";

const statusWith = async (emulator: Emulator, key: string) =>
  (await call(emulator, "GET", "/v2/tenants", undefined, { "x-api-key": key })).status;

async function create(emulator: Emulator, name: string): Promise<{ id: number; key: string }> {
  const { body } = await call(emulator, "POST", "/_emulator/api-keys", { name });
  return Object(body);
}

test("the API key of the start is in the list of keys", async () => {
  const emulator = await startEmulator();
  expect((await call(emulator, "GET", "/_emulator/api-keys")).body).toMatchObject([
    { id: 1, name: "given at the start", revoked_date: null },
  ]);
});

test("several keys are valid at once, each until it is revoked", async () => {
  const emulator = await startManual();
  const [one, two] = [await create(emulator, "one"), await create(emulator, "two")];
  expect(one.key).not.toBe(two.key);
  const statuses = async () => Promise.all([emulator.apiKey, one.key, two.key].map((key) => statusWith(emulator, key)));
  expect(await statuses()).toEqual([200, 200, 200]);
  const revoked = await call(emulator, "DELETE", `/_emulator/api-keys/${one.id}`);
  expect(revoked).toMatchObject({ status: 200, body: { id: one.id, revoked_date: "2026-06-01T00:00:00.000Z" } });
  expect(await statuses()).toEqual([200, 403, 200]);
  await call(emulator, "DELETE", "/_emulator/api-keys/1");
  expect(await statuses()).toEqual([403, 403, 200]);
});

test("a key is shown only once, and only its digest is stored", async () => {
  const emulator = await startEmulator();
  const { key } = await create(emulator, "ci");
  const { body } = await call(emulator, "GET", "/_emulator/api-keys");
  expect(body).toMatchObject([{}, { name: "ci" }]);
  expect(JSON.stringify(body)).not.toContain(key);
  expect(JSON.stringify(body)).not.toContain("digest");
});

test("a key needs a name, and revoking it again changes nothing", async () => {
  const emulator = await startEmulator();
  expect((await call(emulator, "POST", "/_emulator/api-keys", { name: " " })).status).toBe(422);
  expect((await call(emulator, "POST", "/_emulator/api-keys", {})).status).toBe(422);
  const { id } = await create(emulator, "ci");
  const first = await call(emulator, "DELETE", `/_emulator/api-keys/${id}`);
  expect((await call(emulator, "DELETE", `/_emulator/api-keys/${id}`)).body).toEqual(first.body);
  expect((await call(emulator, "DELETE", "/_emulator/api-keys/99")).status).toBe(404);
});
