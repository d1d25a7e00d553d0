import { expect, test } from "vitest";
import type { Emulator } from "../../../src/emulator/index.ts";
import {
  call,
  createTenant,
  ids,
  install,
  readTenant,
  runsOf,
  startEmulator,
  startManual,
  temporaryDirectory,
} from "../running-emulator.ts";
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
  const names = () => namesOf(emulator);
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

test("each write shows after its own lag, also if another one follows while it is hidden", async () => {
  const emulator = await startManual({ variants: { visibility: "lagging" }, lagSeconds: 3 });
  const id = await createTenant(emulator);
  await call(emulator, "PATCH", `/v2/tenants/${id}/metadata`, { plan: "silver" });
  await emulator.advance({ seconds: 2 });
  await call(emulator, "PATCH", `/v2/tenants/${id}`, { name: "globex" });
  await call(emulator, "PATCH", `/v2/tenants/${id}/metadata`, { plan: "gold" });
  expect(await namesOf(emulator)).toEqual([]);
  await emulator.advance({ seconds: 1 });
  expect([await namesOf(emulator), await dataOf(emulator, id)]).toEqual([["acme"], { plan: "silver" }]);
  await emulator.advance({ seconds: 1 });
  await call(emulator, "DELETE", `/v2/tenants/${id}`);
  await emulator.advance({ seconds: 1 });
  expect([await namesOf(emulator), await dataOf(emulator, id)]).toEqual([["globex"], { plan: "gold" }]);
  await emulator.advance({ seconds: 2 });
  expect(await namesOf(emulator)).toEqual([]);
});

test("of several writes that are due, reads show the last one", async () => {
  const emulator = await startManual({ variants: { visibility: "lagging" }, lagSeconds: 3 });
  const id = await createTenant(emulator);
  await emulator.advance({ seconds: 1 });
  await call(emulator, "PATCH", `/v2/tenants/${id}`, { name: "globex" });
  await emulator.advance({ seconds: 10 });
  await call(emulator, "PATCH", `/v2/tenants/${id}`, { name: "initech" });
  expect(await namesOf(emulator)).toEqual(["globex"]);
});

test("reads never return to an older state, also if a later write has a shorter lag or none", async () => {
  const emulator = await startManual({ variants: { visibility: "lagging" }, lagSeconds: 8 });
  const id = await createTenant(emulator);
  emulator.setLag({ seconds: 2 });
  await call(emulator, "PATCH", `/v2/tenants/${id}`, { name: "globex" });
  await emulator.advance({ seconds: 2 });
  expect(await namesOf(emulator)).toEqual(["globex"]);

  await call(emulator, "PATCH", `/v2/tenants/${id}`, { name: "initech" });
  await call(emulator, "PATCH", `/_emulator/tenants/${id}`, { name: "umbrella" });
  expect(await namesOf(emulator)).toEqual(["umbrella"]);
  await emulator.advance({ seconds: 10 });
  expect(await namesOf(emulator)).toEqual(["umbrella"]);
});

test("after a restart each hidden write shows at its time", async () => {
  const data = temporaryDirectory();
  const first = await startManual({ data, variants: { visibility: "lagging" }, lagSeconds: 3 });
  const id = await createTenant(first);
  await first.advance({ seconds: 2 });
  await call(first, "PATCH", `/v2/tenants/${id}`, { name: "globex" });
  await first.close();

  const second = await startManual({ data });
  expect(await namesOf(second)).toEqual([]);
  await second.advance({ seconds: 1 });
  expect(await namesOf(second)).toEqual(["acme"]);
  await second.advance({ seconds: 2 });
  expect(await namesOf(second)).toEqual(["globex"]);
});

test("a reset also removes the hidden writes", async () => {
  const emulator = await startManual({ variants: { visibility: "lagging" } });
  const id = await createTenant(emulator);
  await emulator.reset();
  emulator.setVariants({ visibility: "immediate" });
  expect(await createTenant(emulator, { name: "globex" })).toBe(id);
  await emulator.advance({ seconds: 10 });
  expect(await namesOf(emulator)).toEqual(["globex"]);
});

/** The names of the live tenants that reads show. */
async function namesOf(emulator: Emulator): Promise<unknown> {
  const { body } = await call(emulator, "GET", "/v2/tenants");
  return Array.isArray(body) ? body.map((tenant) => Object(tenant).name) : body;
}

async function dataOf(emulator: Emulator, id: number): Promise<unknown> {
  return Object((await call(emulator, "GET", `/v2/tenants/${id}/metadata`)).body).data;
}

test("visibility: a sync by user finds the user's newest live tenant, whatever reads show", async () => {
  const emulator = await startManual({ variants: { visibility: "lagging" } });
  const older = await install(emulator);
  const newer = await install(emulator);
  await call(emulator, "DELETE", `/v2/tenants/${newer}`);
  const path = "/v2/integrations/101/sync?mode=normal&user_name=user-1";
  expect((await call(emulator, "POST", path, {})).status).toBe(202);
  await emulator.advance({ seconds: 60 });
  expect(await runsOf(emulator, older)).toHaveLength(1);
});
